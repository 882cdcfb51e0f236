import { isJsonObject } from './json.ts';
import { messageOf } from './message-of.ts';

/** A value that JSON cannot represent, or that can only be hostile. */
export interface JsonFault {
  readonly code: 'too-deep' | 'unsafe-key' | 'no-json';
  /** Keys and indexes, outermost first. For values that are nested too deeply, the outermost three. */
  readonly path: readonly (string | number)[];
  /** What is wrong and what to do. */
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
  let left = few;
  const isJson = (node: unknown, levels: number): boolean => {
    if (isScalar(node)) return true;
    left -= 1;
    const isOrdinary = Array.isArray(node)
      ? !node.includes(undefined)
      : isJsonObject(node) && node.toJSON === undefined && !Object.hasOwn(node, '__proto__');
    return (
      isOrdinary && left >= 0 && levels > 0 && Object.values(node as object).every((part) => isJson(part, levels - 1))
    );
  };
  try {
    if (isJson(value, maxDepth - depth)) return none;
  } catch {
    // Proxies and getters can throw anything. Their faults are collected below.
  }
  return faultsIn(value, maxDepth, depth);
}

const none: readonly never[] = [];

/** The number of objects and lists that are visited without collecting faults: values usually have fewer, and no faults. */
const few = 1000;

function faultsIn(value: unknown, maxDepth: number, depth: number): readonly JsonFault[] {
  const faults: JsonFault[] = [];
  /** The depth at which each object was visited. An object in many places is visited again only at deeper places. */
  const seen = new Map<unknown, number>();
  const isNew = (node: unknown, level: number): boolean => {
    if ((seen.get(node) ?? -1) >= level) return false;
    if (seen.size < maxSeen) seen.set(node, level);
    return true;
  };
  /** The current path. */
  const path: (string | number)[] = [];
  const visitIn = (key: string | number, field: unknown): void => {
    if (isScalar(field)) return;
    path.push(key);
    visit(field);
    path.pop();
  };
  const visit = (node: unknown): void => {
    const level = path.length;
    try {
      visitSafely(node);
    } catch (error) {
      path.length = level;
      faults.push({ code: 'no-json', path: [...path], message: `cannot be read: ${messageOf(error)}` });
    }
  };
  /** Visits a value. Proxies and getters can throw anything. */
  const visitSafely = (node: unknown): void => {
    const isList = Array.isArray(node);
    if (!isList && !isJsonObject(node)) {
      const message = `${describe(node)} is not a JSON value; quote it to make it a string`;
      faults.push({ code: 'no-json', path: [...path], message });
    } else if (depth + path.length >= maxDepth) {
      faults.push({ code: 'too-deep', path: path.slice(0, 3), message: tooDeep(maxDepth) });
    } else if (!isNew(node, path.length)) return;
    else if (isList) {
      for (const [index, item] of node.entries()) {
        visitIn(index, item);
        if (item === undefined && !(index in node)) break; // A list can have billions of holes.
      }
    } else {
      Reflect.get(node, 'toJSON'); // A proxy without visible keys can throw for each of them.
      for (const key of Object.keys(node)) {
        if (key === '__proto__') faults.push({ code: 'unsafe-key', path: [...path, key], message: unsafeKey });
        else visitIn(key, node[key]);
      }
    }
  };
  if (!isScalar(value)) visit(value);
  return faults;
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
