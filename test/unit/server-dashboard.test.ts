import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import {
  type FakeIo,
  fakeIo,
} from "../../extension/cli/fake-io.test-support.ts";
import { PAGE_DIR } from "../../extension/cli/package-root.ts";
import { main } from "../../extension/cli/program.ts";

const FIXTURES = fileURLToPath(
  new URL("../../fixtures/homes/", import.meta.url),
);
const root = mkdtempSync(join(tmpdir(), "sessions-dashboard-"));
const home = join(root, "home"), repo = join(root, "repo");
// `npm test` builds the page first; a single run of this file may not.
const built = existsSync(join(PAGE_DIR, "index.html"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const importHere = () =>
  main(["import", "--all", "--init"], fakeIo({ cwd: repo, home }));

beforeAll(async () => {
  mkdirSync(repo);
  cpSync(join(FIXTURES, "claude-release", "home"), home, { recursive: true });
  expect(await importHere()).toBe(0);
});

/** Waits until the command has printed its line. */
async function firstLine(io: FakeIo): Promise<string> {
  for (let i = 0; i < 1000; i++) {
    const [line, more] = io.out().split("\n");
    if (line !== undefined && more !== undefined) return line;
    await sleep(10);
  }
  throw new Error(`nothing printed: ${io.err()}`);
}

function ask(
  url: URL,
  type: string,
  payload: unknown,
): Promise<Record<string, unknown>> {
  const token = new URLSearchParams(url.hash.slice(1)).get("token");
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://${url.host}/`, [`bearer.${token}`]);
    socket.on("error", reject);
    socket.on(
      "open",
      () => socket.send(JSON.stringify({ type, id: "1", payload })),
    );
    socket.on("message", (data) => {
      socket.close();
      const answer = JSON.parse(data.toString()) as {
        payload: { data: Record<string, unknown> };
      };
      resolve(answer.payload.data);
    });
  });
}

const QUERY = {
  predicate: 'tags.kind == "agent-session-summary"',
  select: "tags.sid",
};

// Elsewhere the desktop cannot be told which browser is meant.
describe.skipIf(!built || process.platform !== "linux")(
  "dashboard on a terminal (needs a built page)",
  () => {
    test("gives the browser a file that only its owner can read, and no token", async () => {
      const told = join(root, "told"), browser = join(root, "browser");
      writeFileSync(
        browser,
        `#!/bin/sh
for last; do :; done
file=\${last#file://}
{ echo "$*"; stat -c %a "$file" "$(dirname "$file")"; cat "$file"; } > "${told}.new"
mv "${told}.new" "${told}"
`,
      );
      chmodSync(browser, 0o755);
      const before = { ...process.env };
      // What `xdg-open` goes by: no desktop, no programs for files.
      for (const name of ["XDG_CURRENT_DESKTOP", "DESKTOP_SESSION"]) {
        delete process.env[name];
      }
      for (
        const name of ["DATA_DIRS", "DATA_HOME", "CONFIG_DIRS", "CONFIG_HOME"]
      ) {
        process.env[`XDG_${name}`] = join(root, "none");
      }
      Object.assign(process.env, { BROWSER: browser, TMPDIR: root });
      process.env.DISPLAY ??= ":0";
      try {
        const io = fakeIo({
          cwd: repo,
          home,
          terminal: 80,
          env: { DISPLAY: ":0" },
        });
        const ended = main(["dashboard", "--port", "0"], io);
        for (let i = 0; i < 1000 && !existsSync(told); i++) await sleep(10);
        const url = /http:\/\/\S+#token=[\w-]+/.exec(io.out())?.[0];
        const [argv = "", file, folder, ...page] = readFileSync(told, "utf8")
          .split("\n");
        expect(argv).toContain("swamp-sessions-open-");
        expect(argv).not.toContain("token");
        expect([file, folder]).toEqual(["600", "700"]);
        expect(page.join("\n")).toContain(`url=${url}"`);
        io.interrupt();
        expect(await ended).toBe(0);
        expect(readdirSync(root).filter((n) => n.includes("open-"))).toEqual(
          [],
        );
      } finally {
        process.env = before;
      }
    });
  },
);

describe.skipIf(!built)("dashboard --server (needs a built page)", () => {
  test("says where nothing answers, and serves the page all the same", async () => {
    const io = fakeIo({ cwd: repo, home });
    // A port that was free a moment ago.
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    await new Promise((done) => server.close(done));
    const at = `http://127.0.0.1:${port}`;
    const line = ["dashboard", "--port", "0", "--json", "--server", at];
    const ended = main(line, io);
    expect(await firstLine(io)).toContain('"url"');
    for (let i = 0; i < 500 && io.err() === ""; i++) await sleep(10);
    expect(io.err()).toContain(`Nothing answers at ${at} yet`);
    io.interrupt();
    expect(await ended).toBe(0);
  });
});

describe.skipIf(!built)("dashboard --json (needs a built page)", () => {
  test("serves the stored sessions, sees an import, and ends at Ctrl-C", async () => {
    const io = fakeIo({ cwd: repo, home });
    const ended = main(["dashboard", "--port", "0", "--json"], io);
    const url = new URL(
      String((JSON.parse(await firstLine(io)) as { url: string }).url),
    );
    expect(url.hostname).toBe("127.0.0.1");
    const page = await fetch(new URL("/", url));
    expect(await page.text()).toContain("<script");

    const before = await ask(url, "data.query", QUERY);
    const [sid] = (before.projected as { values: string[] }).values;
    expect(before).toMatchObject({ total: 1, limited: false });
    const detail = await ask(url, "data.get", {
      modelIdOrName: "sessions",
      dataName: `detail-${sid}`,
    });
    expect(JSON.parse(String(detail.content))).toMatchObject({
      schemaVersion: 1,
      session: { id: sid },
    });

    cpSync(join(FIXTURES, "codex-fix", "home"), home, { recursive: true });
    expect(await importHere()).toBe(0);
    expect(await ask(url, "data.query", QUERY)).toMatchObject({ total: 2 });

    io.interrupt();
    expect(await ended).toBe(0);
    await expect(fetch(new URL("/", url))).rejects.toThrow();
  });

  test("a port that is taken is said", async () => {
    const io = fakeIo({ cwd: repo, home });
    const ended = main(["dashboard", "--port", "0", "--json"], io);
    const { port } = new URL(
      String((JSON.parse(await firstLine(io)) as { url: string }).url),
    );
    const second = fakeIo({ cwd: repo, home });
    expect(await main(["dashboard", "--port", port], second)).toBe(1);
    expect(second.err()).toContain(`Port ${port} is taken`);
    io.interrupt();
    await ended;
  });
});

describe.skipIf(!built)("start --json (needs a built page)", () => {
  test.each([
    ["made-up sessions where there are none", join(root, "nobody"), /made-up/],
    ["one's own otherwise", home, /Importing the sessions found under/],
  ])("shows %s, and says so", async (_what, from, said) => {
    mkdirSync(from, { recursive: true });
    const io = fakeIo({ cwd: root, home: from });
    const ended = main(["start", "--port", "0", "--json"], io);
    const url = new URL(
      String((JSON.parse(await firstLine(io)) as { url: string }).url),
    );
    expect(io.err()).toMatch(said);
    const { total } = await ask(url, "data.query", QUERY);
    expect(total).toBeGreaterThan(0);
    io.interrupt();
    expect(await ended).toBe(0);
    expect(existsSync(join(root, ".swamp-demo"))).toBe(true);
  });
});
