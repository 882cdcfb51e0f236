import { isAlias, isMap, isNode, isPair, isScalar, isSeq, type YAMLMap } from 'yaml';

/** What YAML can say and a manifest must not. */
export interface NodeFault {
  readonly code: 'duplicate-key' | 'bad-alias';
  /** What is wrong and what to do. */
  readonly message: string;
  readonly offset: number;
}

/**
 * Finds keys that come twice, and aliases that lead nowhere, into themselves, or to more values than allowed: a few
 * hundred characters of aliases can stand for billions of values.
 *
 * @param root The contents of a document, nested no deeper than the stack allows.
 * @param maxAliased How many values the aliases may stand for, all together.
 * @returns Every fault, but only the first alias beyond the limit. O(size of the document).
 */
export function nodeFaults(root: unknown, maxAliased: number): readonly NodeFault[] {
  const faults: NodeFault[] = [];
  const anchored = new Map<string, number>();
  let aliased = 0;

  const add = (code: NodeFault['code'], message: string, node: unknown): void => {
    faults.push({ code, message, offset: (isNode(node) ? node.range?.[0] : undefined) ?? 0 });
  };
  const sizeOfAlias = (name: string, node: unknown): number => {
    const size = anchored.get(name);
    if (size === undefined) {
      add('bad-alias', `there is no anchor &${name} before this alias; write the values out`, node);
    } else if (size === Number.POSITIVE_INFINITY) {
      add('bad-alias', `the anchor &${name} contains itself; write the values out`, node);
    } else {
      const before = aliased;
      aliased += size;
      if (before <= maxAliased && aliased > maxAliased) {
        add('bad-alias', `the aliases stand for more than ${maxAliased} values; write them out`, node);
      }
      return size;
    }
    return 0;
  };
  /** How many values a node stands for. */
  const sizeOf = (node: unknown): number => {
    if (isAlias(node)) return sizeOfAlias(node.source, node);
    const anchor = isNode(node) && 'anchor' in node ? (node.anchor as string | undefined) : undefined;
    if (anchor !== undefined) anchored.set(anchor, Number.POSITIVE_INFINITY);
    let size = 1;
    if (isMap(node)) for (const key of repeatedKeys(node)) add('duplicate-key', repeated, key);
    if (isMap(node) || isSeq(node)) for (const item of node.items) size += sizeOf(isPair(item) ? item.value : item);
    if (anchor !== undefined) anchored.set(anchor, size);
    return size;
  };
  sizeOf(root);
  return faults;
}

const repeated = 'the key comes twice in one object; remove one of the two';

/** Keys that are there already. `<<` may come often. */
function* repeatedKeys(map: YAMLMap): Iterable<unknown> {
  const seen = new Set<string>();
  for (const { key } of map.items) {
    if (!isScalar(key) || typeof key.value !== 'string') continue;
    if (seen.has(key.value)) yield key;
    seen.add(key.value);
  }
}
