import { type Document, isAlias, isMap, isScalar, isSeq, Scalar, visit, type YAMLMap } from 'yaml';
import { plainKey } from './plain-scalars.ts';

type AddToMap = NonNullable<Scalar['addToJSMap']>;

/** A key without a counterpart in JSON. */
export interface KeyFault {
  readonly message: string;
  readonly offset: number;
}

/**
 * Reads the keys of a document as kubectl does: `yes` as `true`, 010 as `8`, and `<<` as a merge.
 *
 * @param document The document. Its keys are changed.
 * @returns The keys that kubectl refuses, in their order.
 */
export function resolveKeys(document: Document.Parsed): readonly KeyFault[] {
  const faults: KeyFault[] = [];
  visit(document, {
    Pair(_, { key }) {
      if (!isScalar(key) || key.type !== Scalar.PLAIN || key.tag !== undefined || typeof key.value !== 'string') return;
      if (key.value === mergeKey) key.addToJSMap = addMerged;
      const text = plainKey(key.value);
      if (text === undefined) faults.push({ message: noKey, offset: key.range?.[0] ?? 0 });
      else key.value = text;
    },
  });
  return faults;
}

/**
 * Puts the texts of aliases in their place where they are keys, as kubectl does.
 *
 * @param document The document. Its keys are changed.
 * @returns Where such keys are: for the parser, these are not texts.
 */
export function resolveAliasKeys(document: Document.Parsed): ReadonlySet<number> {
  const offsets = new Set<number>();
  visit(document, {
    Pair(_, pair) {
      if (!isAlias(pair.key)) return;
      const { range } = pair.key;
      const anchored = pair.key.resolve(document);
      if (!isScalar(anchored) || typeof anchored.value !== 'string' || !range) return;
      const key = new Scalar(anchored.value);
      key.range = range;
      pair.key = key;
      offsets.add(range[0]);
    },
  });
  return offsets;
}

const mergeKey = '<<';
const noKey = 'a key is null, or a number beyond 64 bits; quote it to make it a string';

/** Adds the fields of other objects, in place of those before the merge. Of several objects, the first prevails. */
const addMerged: AddToMap = (context, map, value) => {
  const resolved = (node: unknown): unknown => (isAlias(node) && context ? node.resolve(context.doc, context) : node);
  const source = resolved(value);
  const objects = isSeq(source) ? source.items.map(resolved).reverse() : [source];
  for (const object of objects) {
    if (!isMap(object)) throw new Error('Merge sources must be maps or map aliases');
    for (const [key, field] of fieldsOf(object, context)) {
      if (map instanceof Map) map.set(key, field);
      else Object.defineProperty(map, key, { value: field, enumerable: true, configurable: true, writable: true });
    }
  }
};

function fieldsOf(object: YAMLMap, context: Parameters<AddToMap>[0]): ReadonlyMap<string, unknown> {
  return object.toJSON(undefined, context, Map) as ReadonlyMap<string, unknown>;
}
