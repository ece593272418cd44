/**
 * Popovers, the key sheet, state boxes, toasts: generic, owned by their view.
 *
 * @module
 */
import {
  type ReactElement,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { whole } from "./format.ts";
import { KEY_SHEET } from "./keys.ts";

const EDGE = 8;

/**
 * A popover at an anchor, in the top layer. It is mounted while open; closing
 * it (Escape, a click elsewhere) calls `onClose` and gives the focus back.
 */
export function Popover(
  { anchor, label, className, onClose, children }: {
    anchor: RefObject<HTMLElement | null>;
    label: string;
    className?: string;
    onClose(): void;
    children: ReactNode;
  },
): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const el = box.current;
    const from = anchor.current;
    if (!el || !from) return;
    const place = () => {
      const a = from.getBoundingClientRect();
      const b = el.getBoundingClientRect();
      const left = Math.min(a.left, innerWidth - b.width - EDGE);
      const below = a.bottom + 4;
      const above = a.top - b.height - 4;
      const top = below + b.height > innerHeight - EDGE && above > EDGE
        ? above
        : below;
      el.style.left = `${Math.max(EDGE, left)}px`;
      el.style.top = `${
        Math.max(EDGE, Math.min(top, innerHeight - b.height - EDGE))
      }px`;
    };
    const toggled = (event: Event) => {
      if ((event as ToggleEvent).newState !== "closed") return;
      close.current();
    };
    el.showPopover?.();
    place();
    el.querySelector<HTMLElement>(
      "input:checked,input,button,a,[tabindex='0']",
    )?.focus({ preventScroll: true });
    el.addEventListener("toggle", toggled);
    addEventListener("resize", place);
    return () => {
      el.removeEventListener("toggle", toggled);
      removeEventListener("resize", place);
      if (el.contains(document.activeElement)) {
        from.focus({ preventScroll: true });
      }
    };
  }, [anchor]);
  return (
    <div
      ref={box}
      popover="auto"
      role="dialog"
      aria-label={label}
      className={`as-pop ${className ?? ""}`}
      onKeyDown={(event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        const at = event.target;
        if (!step || !(at instanceof HTMLElement)) return;
        if (at.matches('input[type="radio"],input[type="date"],select')) return;
        const all = [
          ...box.current?.querySelectorAll<HTMLElement>(
            "input,button,a[href],select",
          ) ?? [],
        ];
        const to = all[all.indexOf(at) + step];
        if (to) {
          event.preventDefault();
          to.focus();
        }
      }}
    >
      {children}
    </div>
  );
}

/** A button that opens a popover below itself. */
export function PopoverButton(
  { label, title, className, children, content, openKey }: {
    /** The popover's name. */
    label: string;
    title?: string;
    className?: string;
    children: ReactNode;
    /** Made when it opens. */
    content(close: () => void): ReactNode;
    /** Marks the button so that a key can open it. */
    openKey?: string;
  },
): ReactElement {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  return (
    <>
      <button
        ref={anchor}
        type="button"
        className={`as-btn as-caret ${className ?? ""}`}
        aria-expanded={open}
        aria-haspopup="dialog"
        title={title}
        data-open-key={openKey}
        // A light dismiss happens before the click: do not open again at once.
        onPointerDown={(event) => {
          if (open) event.currentTarget.dataset.wasOpen = "";
        }}
        onClick={(event) => {
          const was = "wasOpen" in event.currentTarget.dataset;
          delete event.currentTarget.dataset.wasOpen;
          setOpen(!was && !open);
        }}
      >
        {children}
      </button>
      {open && (
        <Popover anchor={anchor} label={label} onClose={close}>
          {content(close)}
        </Popover>
      )}
    </>
  );
}

/** The sheet of keys, a modal dialog. */
export function KeySheet({ onClose }: { onClose(): void }): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const el = dialog.current;
    if (el && !el.open) el.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="as-sheet"
      aria-labelledby={heading}
      onClose={onClose}
      onKeyDown={(event) => {
        if (event.key === "?") dialog.current?.close();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current?.close();
      }}
    >
      <div className="as-sheet-in">
        <h2 id={heading}>
          Keyboard
          <button
            type="button"
            className="as-btn"
            onClick={() => dialog.current?.close()}
          >
            Close <kbd>Esc</kbd>
          </button>
        </h2>
        <div className="as-cols">
          {KEY_SHEET.map(([where, lines]) => (
            <section key={where}>
              <h3>{where}</h3>
              <dl>
                {lines.map(([what, ...keys]) => (
                  <div key={what}>
                    <dt>{what}</dt>
                    <dd>{keys.map((key) => <kbd key={key}>{key}</kbd>)}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </div>
    </dialog>
  );
}

/** The first lines of a list, and a button that shows all. */
export function FirstOf<T>({ items, most, children }: {
  items: readonly T[];
  /** Lines before anybody asks for more. */
  most: number;
  children(shown: readonly T[]): ReactNode;
}): ReactElement {
  const [all, setAll] = useState(false);
  const cut = !all && items.length > most;
  return (
    <>
      {children(cut ? items.slice(0, most) : items)}
      {cut && (
        <button
          type="button"
          className="as-link"
          onClick={() => setAll(true)}
        >
          Show all {whole(items.length)}
        </button>
      )}
    </>
  );
}

/** Opens the sheet of keys. */
export function KeysButton({ onKeys }: { onKeys(): void }): ReactElement {
  return (
    <button
      type="button"
      className="as-btn"
      aria-keyshortcuts="?"
      aria-label="? Keys"
      onClick={onKeys}
    >
      <kbd>?</kbd>
      <span className="as-hide-n">Keys</span>
    </button>
  );
}

const STATE_ICONS = {
  empty: "M4 8h20v14H4zM4 13h6l2 3h4l2-3h6",
  lock: "M6 13h16v11H6zM9 13V9a5 5 0 0110 0v4",
  error: "M14 4l11 20H3zM14 11v6M14 20v1",
  newer: "M14 22V8M8 14l6-6 6 6M6 4h16",
  nothing: "M19 12a7 7 0 11-14 0 7 7 0 0114 0zM17 17l7 7",
} as const;

/** Which drawing a state shows. */
export type StateIcon = keyof typeof STATE_ICONS;

/** What happened, and what to do next. */
export function StateBox(
  { icon, title, children, code, actions }: {
    icon: StateIcon;
    title: string;
    children: ReactNode;
    /** A command to run, or the technical reason. */
    code?: string;
    actions?: ReactNode;
  },
): ReactElement {
  return (
    <div className="as-state" role="status">
      <svg viewBox="0 0 28 28" aria-hidden="true">
        <path d={STATE_ICONS[icon]} />
      </svg>
      <h2>{title}</h2>
      <p>{children}</p>
      {code && <pre tabIndex={0}>{code}</pre>}
      {actions && <div className="as-acts">{actions}</div>}
    </div>
  );
}

/** Says a word in passing; returns what to render and how to say it. */
export function useToast(): [ReactElement, (text: string) => void] {
  const [text, setText] = useState("");
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!text) return;
    box.current?.showPopover?.();
    const timer = setTimeout(() => setText(""), 1800);
    return () => clearTimeout(timer);
  }, [text]);
  return [
    <div key="toast" role="status" aria-live="polite">
      {text && <div ref={box} popover="manual" className="as-toast">{text}
      </div>}
    </div>,
    useCallback((next: string) => setText(next), []),
  ];
}

/** Puts text on the clipboard; false where the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
