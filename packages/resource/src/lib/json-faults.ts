import { isJsonObject } from './json.ts';

/** A value that JSON cannot hold, or that nobody can mean well. */
export interface JsonFault {
  readonly code: 'too-deep' | 'unsafe-key' | 'no-json';
  /** Keys and indexes, outermost first. Of what is nested too deeply, the outermost three. */
  readonly path: readonly (string | number)[];
  /** What is wrong and what to do. */
  readonly message: string;
}

/**
 * Finds what must not get any further than the reader: nesting beyond a limit (cycles among it), `__proto__` keys, and
 * values that are no JSON.
 *
 * @param value Anything.
 * @param maxDepth How deep objects and lists may nest.
 * @returns Every fault, but one only for each branch that is too deep. O(size of the value).
 */
export function jsonFaults(value: unknown, maxDepth: number): readonly JsonFault[] {
  const faults: JsonFault[] = [];
  const visit = (node: unknown, path: readonly (string | number)[]): void => {
    if (path.length > maxDepth) {
      faults.push({
        code: 'too-deep',
        path: path.slice(0, 3),
        message: `nested more than ${maxDepth} levels deep, or an anchor that contains itself; flatten it`,
      });
      return;
    }
    if (Array.isArray(node)) {
      node.forEach((item, index) => {
        visit(item, [...path, index]);
      });
    } else if (isJsonObject(node)) {
      for (const [key, field] of Object.entries(node)) {
        if (key === '__proto__') {
          faults.push({ code: 'unsafe-key', path: [...path, key], message: 'the key __proto__ is refused; rename it' });
        } else {
          visit(field, [...path, key]);
        }
      }
    } else if (!isScalar(node)) {
      faults.push({ code: 'no-json', path, message: `${String(node)} is no JSON value; quote it to make it a string` });
    }
  };
  visit(value, []);
  return faults;
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}
