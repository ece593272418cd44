/**
 * Times as records write them.
 *
 * @module
 */

/** The last moment that a four-digit year can name. */
const MAX_TIME = Date.UTC(9999, 11, 31);

/** Longest text that is read as a time. */
const LONGEST = 40;

const digits = (text: string, from: number, to: number): number => {
  let n = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return NaN;
    n = n * 10 + digit;
  }
  return n;
};

/** The last minute read, as text and as time: most times are in the same one. */
let minute = "", minuteTime = NaN;

/** A time as epoch milliseconds; NaN where it is none that can be written. */
export function timeOf(value: unknown): number {
  if (
    typeof value === "string" && value.length === 24 && value[16] === ":" &&
    value[19] === "." && value[23] === "Z"
  ) {
    if (!value.startsWith(minute) || minute === "") {
      minute = value.slice(0, 16);
      minuteTime = isoTime(`${minute}:00Z`);
    }
    const second = digits(value, 17, 19);
    if (second < 60) {
      return known(minuteTime + second * 1000 + digits(value, 20, 23));
    }
  }
  return known(isoTime(value));
}

function known(time: number): number {
  return time > 0 && time <= MAX_TIME ? time : NaN;
}

/** Dates in other words than ISO's are none: what they mean is anyone's guess. */
function isoTime(value: unknown): number {
  return typeof value === "string" && value.length <= LONGEST &&
      /^\d{4}-\d\d-\d\dT/.test(value)
    ? Date.parse(value)
    : NaN;
}
