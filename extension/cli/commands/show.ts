/**
 * `show`: one stored session, turn by turn.
 *
 * @module
 */
import { type AnyCommand, command } from "../command.ts";
import { EXIT, UsageError } from "../errors.ts";
import { safeJson } from "../json.ts";
import { LineWriter } from "../lines-out.ts";
import { repoDir } from "../place.ts";
import { sessionLines } from "../session-text.ts";
import { openStored, storedDetail } from "../stored.ts";

/** Narrowest and widest that a session is drawn. */
const NARROW = 40, WIDE = 240;

/** See the module. */
export const show: AnyCommand = command({
  name: "show",
  summary: "show a stored session, turn by turn",
  about:
    `Shows one stored session: its figures and findings, then each turn with its
calls: when, how it ended, how long it took, its label, tool and command.
Subagents stand below the call that started them.

The id may be cut short as long as one session only begins with it. With --json
it prints the stored detail item as it is.`,
  argument: { name: "id", help: "the session's id, or its beginning" },
  options: {},
  examples: [
    ["show 5f1c", "the session whose id begins with 5f1c"],
    ["show 5f1c --json", "its stored detail, for other programs"],
  ],
  async run(context, values, id) {
    if (id === undefined) {
      throw new UsageError(
        "Which session? Give its id, or the beginning of it; `swamp-sessions list --stored` shows them.",
      );
    }
    const { io } = context;
    const store = await openStored(repoDir(io, values), io.env);
    const { summary, detail, text } = await storedDetail(store, id);
    const out = new LineWriter(context.io.stdout);
    if (values.json) await out.line(safeJson(text));
    else {
      const { isTTY, columns } = context.io.stdout;
      const room = isTTY ? Math.max(NARROW, Math.min(columns, WIDE)) : WIDE;
      for (const line of sessionLines(summary, detail, room, context.out)) {
        await out.line(line);
      }
    }
    await out.flush();
    return EXIT.ok;
  },
});
