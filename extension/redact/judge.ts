/**
 * Whether the value of a name is a secret.
 *
 * @module
 */
import { type NameLevel, nameLevel } from "./names.ts";
import {
  isCode,
  isHarmless,
  isHex,
  isSlug,
  isUuid,
  isWordy,
  looksRandom,
} from "./values.ts";

/** How a name and its value are joined. */
export type Form = "env" | "plain" | "colon" | "flag" | "pair" | "call";

/** Whether a value of a name of this level, in this form, is a secret. */
export function isSecretValue(
  whole: string,
  level: NameLevel,
  form: Form,
  quoted: boolean,
): boolean {
  // What a value is shows in its beginning.
  const value = whole.slice(0, 256);
  if (isHarmless(value)) return false;
  if (level === "weak") return form !== "call" && isWeakSecret(value);
  const digits = /\d/.test(value);
  const letters = /[A-Za-z]/.test(value);
  const plainWord = /^[A-Za-z]+$/.test(value);
  // Names of variables standing in for their values.
  if (
    /^[A-Z][A-Z_]{2,60}$/.test(value) &&
    (level === "secret" || nameLevel(value))
  ) {
    return false;
  }
  if (!quoted && form !== "env" && isCode(value)) return false;
  if (quoted && form === "pair" && isCall(value)) return false;
  if (level === "password") {
    if (isForeignProse(value)) return false;
    if (isUuid(value)) return true;
    if (quoted && form !== "env" && form !== "flag" && isProse(value)) {
      return false;
    }
    if (!letters && digits) return value.length >= 4 && form !== "colon";
    if (form === "env" || form === "flag" || form === "plain") return true;
    if (form === "colon") {
      if (plainWord) return /^[a-z]{8,}$/.test(value);
      return digits
        ? value.length >= 5
        : /[^A-Za-z0-9_\-./:]/.test(value) && value.length >= 6;
    }
    if (form === "call") {
      return digits && value.length >= 6 || looksRandom(value);
    }
    return true;
  }
  if (/\s/.test(value.trim())) {
    const parts = value.trim().split(/\s+/);
    if (parts.length > 4) return false;
    const given = quoted && (form === "flag" || form === "env");
    return parts.some((p) => looksRandom(p, 20)) || given && digits;
  }
  if (isUuid(value)) return true;
  if (!letters) return false;
  // `--secret id=npm,src=x`, `--set-secrets A=ref:1`: names with their own values.
  const pair = /^([A-Za-z_/][\w./-]{0,60})=[^=\s]/.exec(value)?.[1];
  if (pair && (!/\d/.test(pair) || isSlug(pair))) return false;
  if (plainWord || isSlug(value) && /[-_./:]/.test(value)) {
    // Words: only an environment gives them as values.
    if (form === "env") {
      return value.length >= 6 && !wordsAreNames(value) &&
        (plainWord || value.length >= 10);
    }
    return plainWord && value.length >= 20 && looksRandom(value);
  }
  if (form === "call" || form === "colon") {
    return digits && value.length >= 10 && looksRandom(value, 10) ||
      isHex(value) && value.length >= 16;
  }
  return value.length >= 6 &&
    (digits || /[^A-Za-z0-9_.-]/.test(value) || looksRandom(value));
}

/** Only what a machine made, and no hash. */
function isWeakSecret(value: string): boolean {
  // A cache key: words and a digest.
  const parts = value.split(/[-_./:@]/);
  if (
    parts.length > 2 &&
    isSlug(parts.filter((p) => !(isHex(p) && p.length >= 16)).join("-"))
  ) {
    return false;
  }
  if (/^[\w.+-]{1,80}@[\w-]{1,60}\.[\w.]{2,60}$/.test(value)) return false;
  if (isWordy(value)) return false;
  if (/^[a-z]{2,6}_[A-Za-z0-9]{14,24}$/.test(value)) return false;
  return looksRandom(value, 20) && /\d/.test(value) && !isHex(value) &&
    !isUuid(value) &&
    !/[:,]/.test(value) && !/^(?:sha\d{1,3}|md5)[-:]/i.test(value);
}

function isCall(value: string): boolean {
  return /^[A-Za-z_$][\w$.]{0,80}\(.{0,200}\)$/.test(value) ||
    /^(?:process\.env|os\.environ|ENV|env)[.[(]/.test(value);
}

/** `db-credentials`, `my_token_name`: a secret's name stands as its value. */
function wordsAreNames(value: string): boolean {
  return value.split(/[-_./:]/).some((w) =>
    /^(?:secrets?|tokens?|keys?|creds?|credentials?|password|passwd|auth|test|fake|dummy|mock|example)$/i
      .test(w)
  ) && /[-_./:]/.test(value);
}

/** A sentence in a script without blanks. */
function isForeignProse(value: string): boolean {
  const wide = value.replace(/[ -~]/g, "").length;
  return wide > 2 && wide * 2 > value.length;
}

/** Several words without a digit: a sentence. */
export function isProse(value: string): boolean {
  const words = value.trim().split(/\s+/);
  if (words.length < 2) return false;
  // A wallet's recovery phrase.
  if (/^(?:[a-z]{3,8} ){11,23}[a-z]{3,8}$/.test(value.trim())) return false;
  return words.length > 6 || !/\d/.test(value) ||
    words.filter((w) => /^[A-Za-z'.,]+$/.test(w)).length >= 3;
}
