import { formatPointer, isJsonObject, type JsonObject, type JsonValue, parsePointer } from '@policy-machinery/resource';
import { isAdditive } from '../stanzas/additive-spec.ts';
import type { StanzaReader } from '../stanzas/stanza-reader.ts';

/** A field with a value that must not be shown. */
export interface SecretField {
  /** JSON Pointer from the root of the spec; `*` stands for any item or key: `/backend/auth/key`. */
  readonly pointer: string;
  /** Whether all values of the field are secrets. Default: those in it with the name of a secret, such as the header `Authorization`. */
  readonly isCertain?: boolean;
}

/** The text in place of a secret value. */
export const secretMask = '***';

/** The secret fields of kinds that do not mark any: each field with the name of a secret. */
const unmarked: readonly SecretField[] = [{ pointer: '' }];

/**
 * Returns a value of a spec with its secrets masked. Kinds of other values, such as booleans and references to Secrets, stay unchanged.
 *
 * @param value The value: a whole spec, or one of its fields.
 * @param pointer Where it is in the spec: `''` for the spec itself.
 * @param secrets The secret fields of the kind. Default: the kind marks none, so that names decide.
 * @param mask The text to show instead. Default: {@link secretMask}.
 * @returns The value itself if it does not contain secrets. O(size of the value).
 */
export function maskSecrets(
  value: JsonValue,
  pointer: string,
  secrets: readonly SecretField[] = unmarked,
  mask = secretMask,
): JsonValue {
  if (secrets.length === 0) return value;
  const patterns = secrets.map((secret) => ({
    path: parsePointer(secret.pointer),
    isCertain: secret.isCertain === true,
  }));
  const visit = (part: JsonValue, path: readonly string[], parent: JsonObject | undefined): JsonValue => {
    const within = patterns.filter((pattern) => isWithin(path, pattern.path));
    if (within.some(({ isCertain }) => isCertain)) return masked(part, mask);
    if (within.length > 0 && typeof part === 'string' && isNamedSecret(path, parent)) return mask;
    if (Array.isArray(part)) return changed(part, (item, index) => visit(item, [...path, String(index)], undefined));
    if (!isJsonObject(part)) return part;
    const entries = Object.entries(part);
    const maskedParts = changed(
      entries.map(([, each]) => each),
      (each, index) => visit(each, [...path, entries[index]?.[0] ?? ''], part),
    );
    return maskedParts.every((each, index) => each === entries[index]?.[1])
      ? part
      : Object.fromEntries(entries.map(([key], index) => [key, maskedParts[index] ?? null]));
  };
  return visit(value, parsePointer(pointer), undefined);
}

/** Returns a list with other items; the list itself if all stay the same. */
function changed(items: JsonValue[], change: (item: JsonValue, index: number) => JsonValue): JsonValue[] {
  const changedItems = items.map(change);
  return changedItems.every((item, index) => item === items[index]) ? items : changedItems;
}

function isWithin(path: readonly string[], pattern: readonly string[]): boolean {
  return path.length >= pattern.length && pattern.every((key, index) => key === '*' || key === path[index]);
}

function masked(value: JsonValue, mask: string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => masked(item, mask));
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item, mask)]));
  }
  return typeof value === 'string' || typeof value === 'number' ? mask : value;
}

const secretKey =
  /(?:authorization|cookie|token|secret|api-?key|password|passwd|credentials?|private-?key|access-?key)$/i;
const secretHeader = /authorization|cookie|token|secret|api-?key|password|credential/i;

/** Returns whether a string is a secret by its own name, or by the name beside it. Beside a value that is given alone, the name is not known. */
function isNamedSecret(path: readonly string[], parent: JsonObject | undefined): boolean {
  const key = path.at(-1) ?? '';
  if (secretKey.test(key)) return true;
  if (key !== 'value' && key !== 'values') return false;
  if (parent === undefined) return true;
  const names = [parent.name, parent.key, parent.header].filter((name) => typeof name === 'string');
  return names.some((name) => secretHeader.test(name));
}

/**
 * Returns the secret fields of a kind as specs of policies and effective specs have them: an effective spec of an additive kind has the spec of each
 * policy by group and name.
 *
 * @param secrets The fields of specs of policies.
 * @param stanzas The reader of the kind.
 */
export function effectiveSecrets(secrets: readonly SecretField[], stanzas: StanzaReader): readonly SecretField[] {
  if (!isAdditive(stanzas)) return secrets;
  return [...secrets, ...secrets.map((secret) => ({ ...secret, pointer: `/*/*${secret.pointer}` }))];
}

/**
 * Refuses secret fields that cannot be found.
 *
 * @throws {TypeError} If a pointer is malformed.
 */
export function checkSecrets(secrets: readonly SecretField[] = []): void {
  for (const { pointer } of secrets) formatPointer(parsePointer(pointer));
}
