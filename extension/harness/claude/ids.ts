/**
 * Ids as a harness writes them are anything: bounded here, made safe later.
 *
 * @module
 */
import { hash53 } from "../../../schema/mod.ts";

const LIMIT = 200;

/** An id of at most 200 characters; longer ones are cut and told apart by a hash. */
export function boundedId(raw: string): string {
  return raw.length <= LIMIT
    ? raw
    : `${raw.slice(0, 160)}-${hash53(raw).toString(36)}`;
}

/** Whether a text has the shape of a UUID. */
export function isUuid(text: string): boolean {
  return text.length === 36 &&
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(
      text,
    );
}

// Sets of 53-bit hashes: what a file's ids are remembered as, so that the
// memory of a read does not grow with the length of ids.

/** The slot of a value, or the free one where it belongs; 0 marks free. */
function slotOf(slots: Float64Array, value: number): number {
  const mask = slots.length - 1;
  let at = value % 4294967291 & mask;
  for (;;) {
    const held = slots[at];
    if (held === 0 || held === value) return at;
    at = (at + 1) & mask;
  }
}

/** Whole numbers below 2^53, each with its place in order, about 36 bytes each. */
export class HashIndex {
  #slots = new Float64Array(64);
  #places = new Uint32Array(64);
  #size = 0;

  /** The place of a number, from 0; undefined where it is not there. */
  get(hash: number): number | undefined {
    const at = slotOf(this.#slots, hash + 1);
    return this.#slots[at] === 0 ? undefined : this.#places[at];
  }

  /** Puts the number in where it is not there yet; its place. */
  add(hash: number): number {
    let at = slotOf(this.#slots, hash + 1);
    if (this.#slots[at] !== 0) return this.#places[at]!;
    if ((this.#size + 1) * 2 > this.#slots.length) {
      this.#grow();
      at = slotOf(this.#slots, hash + 1);
    }
    this.#slots[at] = hash + 1;
    return this.#places[at] = this.#size++;
  }

  #grow(): void {
    const slots = new Float64Array(this.#slots.length * 2);
    const places = new Uint32Array(slots.length);
    this.#slots.forEach((value, i) => {
      if (value === 0) return;
      const at = slotOf(slots, value);
      slots[at] = value;
      places[at] = this.#places[i]!;
    });
    this.#slots = slots;
    this.#places = places;
  }
}

/** A set of whole numbers below 2^53, about 24 bytes each. */
export class HashSet {
  #slots = new Float64Array(64);
  #size = 0;

  /** How many numbers it holds. */
  get size(): number {
    return this.#size;
  }

  /** Whether it holds the number. */
  has(hash: number): boolean {
    return this.#slots[slotOf(this.#slots, hash + 1)] !== 0;
  }

  /** Puts the number in; false where it was there. */
  add(hash: number): boolean {
    const at = slotOf(this.#slots, hash + 1);
    if (this.#slots[at] !== 0) return false;
    this.#slots[at] = hash + 1;
    if (++this.#size * 2 > this.#slots.length) this.#grow();
    return true;
  }

  #grow(): void {
    const bigger = new Float64Array(this.#slots.length * 2);
    for (const value of this.#slots) {
      if (value !== 0) bigger[slotOf(bigger, value)] = value;
    }
    this.#slots = bigger;
  }
}

/** The hash of an id. */
export function hashId(id: string): number {
  return hash53(id);
}

/**
 * Whether an id is long enough to be unique beyond its file. Hand-made and
 * third-party files use ids such as `u1`, which say nothing across files.
 */
export function isGlobalId(id: string): boolean {
  return id.length >= 16;
}

/** Whether an id is one that the API gave to a response: nobody gives it again. */
export function isResponseId(id: string): boolean {
  return id.startsWith("msg_") && isGlobalId(id);
}
