/**
 * Figures and times as text. Times are in the viewer's time zone.
 *
 * @module
 */

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const two = (n: number) => String(n).padStart(2, "0");

/** `15:37` */
export function clock(ms: number): string {
  const d = new Date(ms);
  return `${two(d.getHours())}:${two(d.getMinutes())}`;
}

/** `15:37:09` */
export function clockSeconds(ms: number): string {
  return `${clock(ms)}:${two(new Date(ms).getSeconds())}`;
}

/** `14 Oct`; with the year where that is not the year of `now`. */
export function dayMonth(ms: number, now?: number): string {
  const d = new Date(ms);
  const year = now !== undefined &&
      new Date(now).getFullYear() !== d.getFullYear()
    ? ` ${d.getFullYear()}`
    : "";
  return `${two(d.getDate())} ${MONTHS[d.getMonth()]}${year}`;
}

/** `2026-10-14`, the day in the viewer's time zone. */
export function isoDay(ms: number): string {
  const d = new Date(ms);
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`;
}

/** `2026-10-14 15:37:09`, for titles. */
export function fullTime(ms: number): string {
  return `${isoDay(ms)} ${clockSeconds(ms)}`;
}

/** The start of a `yyyy-mm-dd` in the viewer's time zone; NaN for no day. */
export function dayStart(day: string): number {
  const [y, m, d] = day.split("-").map(Number);
  return y && m && d ? new Date(y, m - 1, d).getTime() : NaN;
}

/** Short, for table cells: `8s`, `41m`, `2h14`, `3d05`. */
export function shortSpan(ms: number): string {
  const s = Math.max(0, ms) / 1000;
  if (s < 59.5) return `${Math.round(s)}s`;
  const m = Math.round(s / 60);
  if (m < 60) return `${m}m`;
  const h = Math.floor(m / 60);
  return h < 48
    ? `${h}h${two(m % 60)}`
    : `${Math.floor(h / 24)}d${two(h % 24)}`;
}

/** Roughly how long ago: `just now`, `12 min ago`, `3 h ago`, `5 days ago`. */
export function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}

/** Exact enough for one call: `47 ms`, `5.9 s`, `1m 06s`, `2h 14m`, `3d 05h`. */
export function span(ms: number): string {
  if (ms < 950) return `${Math.max(0, Math.round(ms))} ms`;
  const s = ms / 1000;
  if (s < 59.95) return `${s < 10 ? s.toFixed(1) : Math.round(s)} s`;
  const whole = Math.round(s);
  const m = Math.floor(whole / 60);
  if (m < 60) return `${m}m ${two(whole % 60)}s`;
  const h = Math.floor(m / 60);
  return h < 48
    ? `${h}h ${two(m % 60)}m`
    : `${Math.floor(h / 24)}d ${two(h % 24)}h`;
}

/** `999`, `9.0k`, `303k`, `11.2M`, `120M`. */
export function compact(n: number): string {
  if (n < 1000) return String(n);
  if (n < 9950) return `${(n / 1e3).toFixed(1)}k`;
  if (n < 999_500) return `${Math.round(n / 1e3)}k`;
  if (n < 99_950_000) return `${(n / 1e6).toFixed(1)}M`;
  if (n < 999_500_000) return `${Math.round(n / 1e6)}M`;
  return `${(n / 1e9).toFixed(1)}G`;
}

const grouped = new Intl.NumberFormat("en-US");

/** `18,839` */
export function whole(n: number): string {
  return grouped.format(n);
}

/** `1 call`, `18,839 calls` */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${whole(n)} ${n === 1 ? one : many}`;
}

/** `9.4 %`; 0 of 0 is 0. */
export function percent(part: number, of: number): string {
  return `${(of ? part / of * 100 : 0).toFixed(1)} %`;
}

/** `412 B`, `18 KB`, `1.3 MB` */
export function bytes(n: number): string {
  if (n < 1000) return `${n} B`;
  if (n < 999_500) return `${Math.round(n / 1e3)} KB`;
  return `${(n / 1e6).toFixed(1)} MB`;
}

// Bidirectional controls could turn the text around them; isolates included.
// What has no width could make two names look like one, or hide in a command.
const UNSAFE =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;

/** Joiners belong into emoji and into some scripts, never beside plain letters. */
const joins = (text: string, at: number) =>
  text.charCodeAt(at - 1) > 0x7e && text.charCodeAt(at + 1) > 0x7e;

/**
 * Any text as one harmless line of at most `limit` characters: line ends as ⏎,
 * control characters as their pictures, what has no width or turns the
 * direction as ◌, cut with …
 */
export function oneLine(text: string, limit = 300): string {
  const cut = text.length > limit
    // Not between the halves of a surrogate pair.
    ? text.slice(0, limit).replace(/[\ud800-\udbff]$/, "") + "…"
    : text;
  return cut.replace(/\r\n/g, "\n").replace(UNSAFE, (c, at, all) => {
    const code = c.charCodeAt(0);
    if ((code === 0x200c || code === 0x200d) && joins(all, at)) return c;
    if (c === "\n" || c === "\r") return "⏎";
    if (c === "\t") return " ";
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "␡" : "◌";
  });
}

/** `opus-4.7` for `claude-opus-4-7-20260301`; else as it is. */
export function shortModel(model: string): string {
  return model.replace(/^(?:anthropic\/|openai\/)/, "")
    .replace(/^claude-/, "")
    .replace(/-20\d{6}$/, "")
    .replace(/-(\d{1,2})-(\d{1,2})$/, "-$1.$2");
}

/** Categories whose last part says less than another word. */
const SHORT: Readonly<Record<string, string>> = {
  "swamp.cli": "swamp",
  "swamp.cli-dev": "swamp",
  "swamp.mcp": "swamp",
  "swampdata.read": ".swamp",
  "swampdata.write": ".swamp",
  "swampdef.handmade": "definition",
  "cloud.other": "cloud",
  "http.api": "http",
  "db.client": "database",
  "secret.read": "secret",
};

/** A category for a narrow column; its label says the rest: `cloud.aws` -> `aws`. */
export function shortCategory(category: string): string {
  return SHORT[category] ?? (category.split(".").pop() || category);
}
