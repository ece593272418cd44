/**
 * Why a call has its label: the verdict, the deciding part, the rule.
 *
 * @module
 */
import type { ReactElement, RefObject } from "react";
import type { Call } from "../../../schema/mod.ts";
import { oneLine } from "../base/format.ts";
import { Popover } from "../base/widgets.tsx";
import { CallText, hueOf } from "./parts.tsx";
import { isShellTool } from "./pieces.ts";
import { reason } from "./why.ts";

/** The popover. */
export function WhyPopover(
  { call, anchor, onClose }: {
    call: Call;
    anchor: RefObject<HTMLElement | null>;
    onClose(): void;
  },
): ReactElement {
  const why = reason(call);
  return (
    <Popover
      anchor={anchor}
      label="Why this label"
      className={`as-why as-${hueOf(call)}`}
      onClose={onClose}
    >
      <h3>{why.verdict}</h3>
      {call.text && (
        <pre tabIndex={0}>
          <CallText
            text={call.text}
            shell={isShellTool(call.tool)}
            why={call.why}
            lines
          />
        </pre>
      )}
      <dl tabIndex={call.text ? undefined : 0}>
        {why.facts.map((f) => (
          <div key={f.name}>
            <dt>{f.name}</dt>
            <dd>
              {f.code
                ? <code>{oneLine(f.value, 120)}</code>
                : oneLine(f.value, 120)}
            </dd>
          </div>
        ))}
      </dl>
      {why.wraps && (
        <p className="as-wraps">
          This repo wraps it:{" "}
          <code>{oneLine(why.wraps, 160)}</code>. Run a method of that model
          instead.
        </p>
      )}
    </Popover>
  );
}
