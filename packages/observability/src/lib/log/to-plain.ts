import { messageOf } from '@policy-machinery/resource';

/** How deep values are written. */
const maxDepth = 12;

/**
 * Returns a value that `JSON.stringify` can write. Values that JSON cannot express become text: cycles and too deep values a remark, errors their
 * message and code.
 *
 * @param value Any value.
 * @returns Its copy. Never throws.
 */
export function toPlain(value: unknown): unknown {
  return plain(value, []);
}

/**
 * Returns a value as plain data.
 *
 * @param above The objects that contain the value, to find cycles.
 */
function plain(value: unknown, above: readonly object[]): unknown {
  switch (typeof value) {
    case 'bigint':
    case 'symbol':
      return String(value);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'function':
      return '[function]';
    case 'object':
      return value === null ? null : plainObject(value, above);
    default:
      return value;
  }
}

function plainObject(value: object, above: readonly object[]): unknown {
  if (above.includes(value)) return '[circular]';
  if (above.length >= maxDepth) return '[too deep]';
  const inner = [...above, value];
  try {
    if (value instanceof Error) return plainError(value, inner);
    if (value instanceof Map) return Array.from(value, (entry) => plain(entry, inner));
    if (value instanceof Set || Array.isArray(value)) return Array.from(value, (item) => plain(item, inner));
    if ('toJSON' in value && typeof value.toJSON === 'function') return plain(value.toJSON(), inner);
    return Object.fromEntries(Object.keys(value).map((key) => [key, plainField(value, key, inner)]));
  } catch (error) {
    return `[${messageOf(error)}]`;
  }
}

/** Returns a field as plain data. If its getter throws, the other fields are still logged. */
function plainField(value: object, key: string, above: readonly object[]): unknown {
  try {
    return plain(Reflect.get(value, key), above);
  } catch (error) {
    return `[${messageOf(error)}]`;
  }
}

/** Returns an error as plain data, with its stack if it lacks a code: such an error was not foreseen. */
function plainError(error: Error, above: readonly object[]): unknown {
  const code = 'code' in error ? error.code : undefined;
  const { cause, stack } = error;
  return {
    message: messageOf(error),
    ...(code === undefined ? { stack } : { code: plain(code, above) }),
    ...(cause === undefined ? {} : { cause: plain(cause, above) }),
    ...(error instanceof AggregateError ? { errors: plain(error.errors, above) } : {}),
  };
}
