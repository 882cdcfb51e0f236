import { isJsonObject, type JsonObject, type JsonValue, objectsIn } from '@policy-machinery/resource';
import type { RecordedAnswer } from './run.ts';

/**
 * Returns answers without what no two servers have in common: identifiers and versions of objects become their ranks, times and
 * tokens become words.
 *
 * @param answers The answers by step.
 * @returns The same, comparable.
 */
export function normalise(answers: ReadonlyMap<string, RecordedAnswer>): ReadonlyMap<string, RecordedAnswer> {
  const uids = new Map<string, string>();
  const versions = versionsOfObjects([...answers.values()].map(({ body }) => body));
  const visit = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return lists[key]?.(value) ?? withoutRepeatedBookmarks(value.map((item) => visit(item)));
    if (!isJsonObject(value)) return typeof value === 'string' ? text(key, value) : value;
    const isOfList = key === 'metadata' && value.uid === undefined;
    return Object.fromEntries(
      Object.entries(isOfList ? { ...value, ...listVersion(value) } : value)
        .filter(([field, each]) => field !== 'storageVersionHash' && !(field === 'continue' && each === ''))
        .map(([field, each]) => [field, visit(each, field)]),
    );
  };
  const text = (key: string, value: string): string => {
    if (key === 'uid') {
      const known = uids.get(value) ?? `uid ${uids.size + 1}`;
      uids.set(value, known);
      return known;
    }
    if (key === 'resourceVersion') return versions.get(value) ?? value;
    if (key === 'continue') return 'token';
    if (key === 'message')
      return value
        .replace(uuid, 'UID')
        .replace(/\b\d+\b/g, 'N')
        .replace(parserError, '$1 …');
    return isTime.test(value) ? 'time' : value;
  };
  return new Map([...answers].map(([step, { body, ...rest }]) => [step, { ...rest, body: visit(body) }]));
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Where a message goes on with the words of Go's JSON parser. */
const parserError =
  /(couldn't get version\/kind|error decoding patch|continue key is not valid|cannot be handled as a Widget|unable to parse requirement).*/;

/** Versions of lists and bookmarks also count what others write. */
const listVersion = ({ resourceVersion }: JsonObject): JsonObject =>
  resourceVersion === undefined ? {} : { resourceVersion: 'version of a list' };

/** Returns events without bookmarks that say the same as the one before: the real server sends one more each minute, and shortly before a watch ends. */
function withoutRepeatedBookmarks(items: readonly unknown[]): readonly unknown[] {
  const isRepeated = (item: unknown, index: number): boolean =>
    isJsonObject(item) && item.type === 'BOOKMARK' && JSON.stringify(item) === JSON.stringify(items[index - 1]);
  return items.filter((item, index) => !isRepeated(item, index));
}

/** Who manages fields; which fields these are has tests of its own. */
function managers(entries: readonly JsonValue[]): readonly string[] {
  return objectsIn(entries)
    .map(({ manager, operation, subresource = '' }) => [manager, operation, subresource].join(' ').trim())
    .sort();
}

/** Lists that are compared in a form of their own. The real server repeats some causes. */
const lists: Readonly<Record<string, (items: readonly JsonValue[]) => readonly unknown[]>> = {
  managedFields: managers,
  causes: (causes) => [...new Set(causes.map((cause) => JSON.stringify(cause)))].map((cause) => JSON.parse(cause)),
};

/** Returns the versions that objects have had, by their order. Those of lists and bookmarks are not among them. */
function versionsOfObjects(bodies: readonly unknown[]): ReadonlyMap<string, string> {
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(collect);
    else if (isJsonObject(value)) {
      const version = versionOf(value);
      if (version !== undefined) found.add(version);
      Object.values(value).forEach(collect);
    }
  };
  bodies.forEach(collect);
  const sorted = [...found].sort((one, other) => Number(one) - Number(other));
  return new Map(sorted.map((version, index) => [version, `version ${index + 1}`]));
}

function versionOf({ metadata }: JsonObject): string | undefined {
  const isStored = isJsonObject(metadata) && typeof metadata.uid === 'string';
  return isStored && typeof metadata.resourceVersion === 'string' ? metadata.resourceVersion : undefined;
}
