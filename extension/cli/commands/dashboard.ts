/**
 * `dashboard`: the page over the stored sessions.
 *
 * @module
 */
import { connect } from "node:net";
import { upstreamUrl } from "../../../dashboard-page/server/mod.ts";
import { readerOf } from "../../store/reader.ts";
import { type AnyCommand, command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { flag, value } from "../options.ts";
import { repoDir } from "../place.ts";
import { servePage } from "../serve.ts";
import { openStored } from "../stored.ts";
import { clean } from "../terminal.ts";
import { quote, whole } from "../values.ts";

/** See the module. */
export const dashboard: AnyCommand = command({
  name: "dashboard",
  summary: "look at the stored sessions in the browser",
  about:
    `Serves the page over the sessions stored in this repo, for you alone: on the
loopback address, with a token that is new at every start. An import that runs
meanwhile shows up by itself. Ctrl-C stops.

With --server it shows the sessions of a running \`swamp serve\` instead; only
requests that read are passed on to it.`,
  options: {
    port: value(
      "number",
      "port to listen on; 0 takes a free one (else 7373, or a free one)",
      whole(0, 65535),
    ),
    server: value("url", "a running `swamp serve`, http://host:port", (t) => t),
    token: value(
      "token",
      "its token (better: SWAMP_TOKEN, which no other user sees)",
      (t) => t,
    ),
    "no-open": flag("do not open the browser"),
  },
  examples: [
    ["dashboard", "this repo's sessions"],
    ["dashboard --port 0 --json", "one line {url}, for other programs"],
    ["dashboard --server http://127.0.0.1:9090", "over a running swamp serve"],
  ],
  async run(context, values) {
    const { io } = context;
    const common = {
      port: values.port,
      json: values.json,
      open: !values["no-open"],
    };
    if (values.server !== undefined) {
      const token = values.token ?? (io.env.SWAMP_TOKEN || undefined);
      let url: string;
      try {
        url = upstreamUrl(values.server);
      } catch {
        throw new UsageError(
          `--server: ${
            quote(values.server)
          } is no address; give http://host:port.`,
        );
      }
      return await servePage(context, {
        ...common,
        source: { upstream: { url, ...(token ? { token } : {}) } },
        ready: () => {
          whenSilent(new URL(url), () =>
            void context.note(
              `Nothing answers at ${
                clean(values.server ?? "")
              } yet: start \`swamp serve\` there, then load the page again.`,
            ));
        },
      });
    }
    if (values.token !== undefined) {
      throw new UsageError("--token goes with --server only.");
    }
    const store = await openStored(repoDir(io, values), io.env);
    if ((await store.sessions()).size === 0) {
      await context.note(
        "No session is stored here yet: the page stays empty until `swamp-sessions import` brought some in.",
      );
    }
    const reader = readerOf(store);
    return await servePage(context, {
      ...common,
      source: { reader },
      // Read before the page asks for it.
      ready: () => void reader.items().catch(() => {}),
    });
  },
});

/** Calls `tell` where no server takes a connection there. */
function whenSilent(url: URL, tell: () => void): void {
  const port = Number(url.port) || (url.protocol === "wss:" ? 443 : 80);
  // An IPv6 address stands in brackets in an address.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const socket = connect({ host, port, timeout: 5_000 });
  socket.unref();
  socket.on("connect", () => socket.destroy());
  socket.on("timeout", () => socket.destroy(new Error("no answer")));
  socket.on("error", tell);
}
