// @vitest-environment happy-dom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  AgentSessions,
  agentSessionsNavItem,
  type Navigation,
  type Request,
  useAgentSessionsAvailable,
} from "../../dashboard-page/page/mod.ts";
import { demoData } from "../browser/demo-data.ts";
import { demoRequest } from "../browser/demo-server.ts";

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean })
  .IS_REACT_ACT_ENVIRONMENT = true;

const data = demoData({ sessions: 12 });
let root: Root;
let box: HTMLElement;

beforeEach(() => {
  location.hash = "";
  box = document.body.appendChild(document.createElement("div"));
  root = createRoot(box);
});
afterEach(() => {
  act(() => root.unmount());
  box.remove();
});

/** Lets promises and effects settle. */
const settle = () => act(() => new Promise((go) => setTimeout(go, 30)));

describe("the page in a host", () => {
  it("needs a request function and nothing else", async () => {
    act(() => root.render(<AgentSessions request={demoRequest(data.items)} />));
    await settle();
    expect(box.querySelector("h1")?.textContent).toBe("Agent Sessions");
    expect(box.querySelector(".as-count")?.textContent).toContain("of 12");
  });

  it("takes its state from the host, asks the host to move, and leaves the address alone", async () => {
    const asked: string[] = [];
    const navigation: Navigation = {
      value: "fold=0",
      onChange: (value, how) => asked.push(`${how} ${value}`),
      href: (value) => `/sessions?${value}`,
    };
    act(() =>
      root.render(
        <AgentSessions
          request={demoRequest(data.items)}
          navigation={navigation}
        />,
      )
    );
    await settle();
    expect(box.querySelector(".as-count")?.textContent).toContain("12 of 12");
    const fold = box.querySelector<HTMLButtonElement>(
      '[aria-label="Fold trivial sessions"]',
    );
    act(() => fold?.click());
    expect(asked).toEqual(["replace "]);
    expect(location.hash).toBe("");
  });
});

describe("the entry in the sidebar", () => {
  function Probe({ request }: { request: Request }) {
    return <p>{String(useAgentSessionsAvailable(request))}</p>;
  }
  const shown = async (request: Request) => {
    act(() => root.render(<Probe request={request} />));
    expect(box.textContent).toBe("false");
    await settle();
    return box.textContent;
  };

  it("is there once a session can be read", async () => {
    expect(await shown(demoRequest(data.items))).toBe("true");
    expect(agentSessionsNavItem).toMatchObject({
      label: "Agent Sessions",
      chip: "Preview",
    });
  });

  it.each([
    ["nothing is stored", demoRequest([])],
    [
      "the viewer has no access",
      demoRequest(data.items, {
        error: { code: "unauthorized", message: "" },
      }),
    ],
    [
      "the server fails",
      demoRequest(data.items, { error: { code: "internal", message: "" } }),
    ],
  ])("stays hidden where %s", async (_, request) => {
    expect(await shown(request)).toBe("false");
  });
});
