import { isJsonObject } from './json.ts';
import { messageOf } from './message-of.ts';

/** A value that JSON cannot represent, or that can only be hostile. */
export interface JsonFault {
  readonly code: 'too-deep' | 'unsafe-key' | 'no-json';
  /** Keys and indexes, outermost first. For values that are nested too deeply, the outermost three. */
  readonly path: readonly (string | number)[];
  /** The problem and its remedy. */
  readonly message: string;
}

/**
 * Finds values that the reader must not accept: nesting beyond a limit (including cycles), `__proto__` keys, and values outside
 * JSON.
 *
 * @param value Anything.
 * @param maxDepth The maximal nesting of objects and lists.
 * @param depth The nesting of the value itself. Default 0.
 * @returns Every fault, but only one for each branch that is too deep. Faults of an object in several places are repeated only
 * at deeper places. O(size of the value), times `maxDepth` if objects occur in several places.
 */
export function jsonFaults(value: unknown, maxDepth: number, depth = 0): readonly JsonFault[] {
  let remaining = few;
  const isJson = (node: unknown, levels: number): boolean => {
    if (isScalar(node)) return true;
    remaining -= 1;
    const isOrdinary = Array.isArray(node)
      ? !node.includes(undefined)
      : isJsonObject(node) && node.toJSON === undefined && !Object.hasOwn(node, '__proto__');
    return (
      isOrdinary &&
      remaining >= 0 &&
      levels > 0 &&
      Object.values(node as object).every((part) => isJson(part, levels - 1))
    );
  };
  try {
    if (isJson(value, maxDepth - depth)) return none;
  } catch {
    // Proxies and getters can throw anything. Their faults are collected below.
  }
  const search = new FaultSearch(maxDepth, depth);
  search.visit(value);
  return search.faults;
}

const none: readonly never[] = [];

/** The number of objects and lists that are visited without collecting faults: values usually have fewer, and no faults. */
const few = 1000;

class FaultSearch {
  readonly faults: JsonFault[] = [];
  readonly #maxDepth: number;
  readonly #depth: number;
  readonly #path: (string | number)[] = [];
  /** The depth where each object was visited. An object in many places is visited again only at deeper places. */
  readonly #seen = new Map<unknown, number>();

  /** @param depth The depth of the value in the whole object. */
  constructor(maxDepth: number, depth: number) {
    this.#maxDepth = maxDepth;
    this.#depth = depth;
  }

  /** Visits a value. Proxies and getters can throw anything. */
  visit(node: unknown): void {
    if (isScalar(node)) return;
    const level = this.#path.length;
    try {
      this.#check(node);
    } catch (error) {
      this.#path.length = level;
      this.#add('no-json', `cannot be read: ${messageOf(error)}`);
    }
  }

  #check(node: unknown): void {
    if (!Array.isArray(node) && !isJsonObject(node)) {
      this.#add('no-json', `${describe(node)} is not a JSON value; quote it to make it a string`);
    } else if (this.#depth + this.#path.length >= this.#maxDepth) {
      this.#add('too-deep', tooDeep(this.#maxDepth), this.#path.slice(0, 3));
    } else if (this.#isNew(node)) this.#visitParts(node);
  }

  #visitParts(node: readonly unknown[] | Readonly<Record<string, unknown>>): void {
    if (Array.isArray(node)) {
      for (const [index, item] of node.entries()) {
        this.#visitAt(index, item);
        if (item === undefined && !(index in node)) return; // A list can have billions of holes.
      }
      return;
    }
    Reflect.get(node, 'toJSON'); // A proxy without visible keys can throw for each of them.
    for (const key of Object.keys(node)) {
      if (key === '__proto__') this.#add('unsafe-key', unsafeKey, [...this.#path, key]);
      else this.#visitAt(key, Reflect.get(node, key));
    }
  }

  #visitAt(key: string | number, part: unknown): void {
    this.#path.push(key);
    this.visit(part);
    this.#path.pop();
  }

  #isNew(node: unknown): boolean {
    const level = this.#path.length;
    if ((this.#seen.get(node) ?? -1) >= level) return false;
    if (this.#seen.size < maxSeen) this.#seen.set(node, level);
    return true;
  }

  #add(code: JsonFault['code'], message: string, path: readonly (string | number)[] = [...this.#path]): void {
    this.faults.push({ code, path, message });
  }
}

/** A `Map` holds 2^24 entries and throws at the next. */
const maxSeen = 2 ** 24 - 1;

const unsafeKey = 'the key __proto__ is refused; rename it';

const tooDeep = (maxDepth: number): string =>
  `nested more than ${maxDepth} levels deep, or an object that contains itself; flatten it`;

function isScalar(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function describe(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value);
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}
