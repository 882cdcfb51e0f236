import { isJsonObject, type JsonValue } from './json.ts';

/**
 * Formats a path of keys as a JSON Pointer (RFC 6901).
 *
 * @param path Keys and indexes, outermost first.
 * @returns The pointer: `''` for the whole document.
 * @example
 * ```ts
 * formatPointer(['spec', 'limits', 'per/user']); // '/spec/limits/per~1user'
 * ```
 */
export function formatPointer(path: readonly (string | number)[]): string {
  let pointer = '';
  for (const key of path) pointer += `/${typeof key === 'string' && /[~/]/.test(key) ? escaped(key) : key}`;
  return pointer;
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * Returns the keys of a JSON Pointer (RFC 6901).
 *
 * @param pointer The pointer: empty, or beginning with `/`.
 * @returns Its keys, outermost first, unescaped.
 * @throws {TypeError} If the pointer is neither empty nor begins with `/`.
 */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) {
    throw new TypeError(
      `"${pointer}" is not a JSON Pointer: begin it with "/", or leave it empty for the whole document`,
    );
  }
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * Returns the value at a JSON Pointer, from own fields only.
 *
 * @param pointer A JSON Pointer (RFC 6901).
 * @returns The value, or `undefined` if there is none.
 * @throws {TypeError} If the pointer is malformed.
 */
export function valueAt(document: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const key of parsePointer(pointer)) {
    if (isJsonObject(value) ? !Object.hasOwn(value, key) : !(Array.isArray(value) && /^(0|[1-9]\d*)$/.test(key))) {
      return undefined;
    }
    value = (value as { readonly [key: string]: JsonValue | undefined })[key];
  }
  return value;
}
