/**
 * Figures for people.
 *
 * @module
 */

/** 1234567 -> `1,234,567`. */
export function count(n: number): string {
  return Math.round(n).toString().replace(/\B(?=(?:\d{3}){1,6}(?!\d))/g, ",");
}

/** `1 session`, `2 sessions`. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** Bytes -> `12 B`, `3.4 MB`; powers of 1,000. */
export function bytes(n: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = n, unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${
    unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)
  } ${units[unit]}`;
}

/** Tokens -> `980`, `12k`, `3.4M`. */
export function short(n: number): string {
  if (n < 1000) return String(n);
  if (n < 999_500) {
    return `${n < 9950 ? (n / 1000).toFixed(1) : Math.round(n / 1000)}k`;
  }
  return `${n < 9_950_000 ? (n / 1e6).toFixed(1) : Math.round(n / 1e6)}M`;
}

/** Milliseconds -> `340ms`, `4.2s`, `3m 05s`, `2h 14m`, `3d 4h`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`;
  if (ms < 9950) return `${(ms / 1000).toFixed(1)}s`;
  const s = Math.round(ms / 1000);
  if (s < 60) return `${s}s`;
  const two = (n: number) => String(n).padStart(2, "0");
  if (s < 3600) return `${Math.floor(s / 60)}m ${two(s % 60)}s`;
  const minutes = Math.floor(s / 60);
  if (minutes < 1440) {
    return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`;
  }
  return `${Math.floor(minutes / 1440)}d ${Math.floor(minutes / 60) % 24}h`;
}

/** A stored time in the local zone -> `2026-10-05 09:12`. */
export function localTime(iso: string | number): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "unknown";
  const two = (n: number) => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${
    two(date.getDate())
  } ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** A stored time in the local zone -> `09:12:33`. */
export function localClock(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "??:??:??";
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((n) => String(n).padStart(2, "0")).join(":");
}

/** A share -> `12 %`, `0.4 %`. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return "0 %";
  const value = 100 * part / whole;
  return `${
    value > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)
  } %`;
}
