import { isAlias, isCollection, isMap, isNode, isPair, isScalar, isSeq, type Pair, YAMLMap, type YAMLSeq } from 'yaml';
import { formatPointer } from '../json-pointer.ts';

/** A fault of one part of an otherwise readable document. */
export interface PartFault {
  readonly code: string;
  /** What is wrong and what to do. */
  readonly message: string;
  readonly offset: number;
  /** Keys and indexes that lead to the part, outermost first. */
  readonly path: readonly (string | number)[];
  /** Whether it only follows from another fault. */
  readonly follows?: true;
}

/**
 * Finds repeated keys, and aliases that lead nowhere, into themselves, to faulty values, or to more values than allowed: a few
 * hundred characters of aliases can expand to billions of values. These aliases become empty objects.
 *
 * @param root The content of a document, nested no deeper than the stack allows.
 * @param maxAliased The maximal number of values that all aliases expand to.
 * @param known Other faults.
 * @returns Every fault; all but the first alias beyond the limit `follow`, as do aliases to what is faulty. O(size of the
 * document).
 */
export function nodeFaults(root: unknown, maxAliased: number, known: readonly PartFault[]): readonly PartFault[] {
  const faults: PartFault[] = [];
  const anchored = new Map<string, number>();
  const path: (string | number)[] = [];
  let aliased = 0;
  let isBeyond = false;
  const partsWithFaults = new Set(
    known.flatMap(({ path }) => path.map((_, end) => formatPointer(path.slice(0, end + 1)))),
  );

  const add = (code: string, message: string, node: unknown, follows = false): void => {
    const offset = (isNode(node) ? node.range?.[0] : undefined) ?? 0;
    faults.push({ code, message, offset, path: [...path], ...(follows ? { follows } : {}) });
  };
  /** Returns how many values an alias expands to; nothing if it is not allowed. */
  const sizeOfAlias = (name: string, node: unknown): number | undefined => {
    const size = anchored.get(name);
    if (size === undefined) {
      add('bad-alias', `there is no anchor &${name} before this alias; write the values out`, node);
    } else if (size === contained) {
      add('bad-alias', `the anchor &${name} contains itself; write the values out`, node);
    } else if (size === faulty) {
      add('bad-alias', `the value of the anchor &${name} is faulty; correct it there`, node, true);
    } else if (aliased + size > maxAliased) {
      add('bad-alias', `the aliases expand to more than ${maxAliased} values; write them out`, node, isBeyond);
      isBeyond = true;
    } else {
      aliased += size;
      return size;
    }
    return undefined;
  };
  const sizeAt = (key: string | number, parent: Pair | YAMLSeq): number => {
    const node = isPair(parent) ? parent.value : parent.items[Number(key)];
    path.push(key);
    const size = isAlias(node) ? sizeOfAlias(node.source, node) : sizeOf(node);
    path.pop();
    if (size !== undefined) return size;
    if (isPair(parent)) parent.value = new YAMLMap();
    else parent.items[Number(key)] = new YAMLMap();
    return 0;
  };
  /** Returns how many values a node expands to. */
  const sizeOf = (node: unknown): number => {
    const anchor = isNode(node) && 'anchor' in node ? (node.anchor as string | undefined) : undefined;
    const before = faults.length;
    if (anchor !== undefined) anchored.set(anchor, contained);
    let size = 1;
    if (isMap(node)) {
      for (const key of repeatedKeys(node)) add('duplicate-key', repeated, key);
      for (const pair of node.items) size += sizeAt(keyOf(pair), pair);
    } else if (isSeq(node)) {
      for (const index of node.items.keys()) size += sizeAt(index, node);
    }
    const isFaulty = faults.length > before || (anchor !== undefined && partsWithFaults.has(formatPointer(path)));
    if (anchor !== undefined) anchored.set(anchor, isFaulty ? faulty : size);
    return size;
  };
  if (isAlias(root)) sizeOfAlias(root.source, root);
  else sizeOf(root);
  return faults;
}

/** The size of anchors that no alias may refer to. */
const contained = Number.POSITIVE_INFINITY;
const faulty = -1;

const repeated = 'the key comes twice in one object; remove one of the two';

/** Returns repeated keys. `<<` may be repeated. */
function* repeatedKeys(map: YAMLMap): Iterable<unknown> {
  const seen = new Set<string>();
  for (const { key } of map.items) {
    if (!isScalar(key) || typeof key.value !== 'string') continue;
    if (seen.has(key.value)) yield key;
    seen.add(key.value);
  }
}

const keyOf = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : '');

/** Returns the path to the value at an offset, including its anchor and tag. */
export function pathAt(root: unknown, offset: number): readonly (string | number)[] {
  const path: (string | number)[] = [];
  for (let node = root; isCollection(node); ) {
    const items: readonly unknown[] = node.items;
    const at = firstEndingAfter(offset, items);
    const item = items[at];
    if (item === undefined) break;
    path.push(isPair(item) ? keyOf(item) : at);
    node = isPair(item) ? item.value : item;
  }
  return path;
}

/** Finds the first part of a collection that ends after an offset. */
function firstEndingAfter(offset: number, items: readonly unknown[]): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (endOf(items[middle]) > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

function endOf(item: unknown): number {
  const node = isPair(item) ? (item.value ?? item.key) : item;
  return (isNode(node) ? node.range?.[2] : undefined) ?? 0;
}
