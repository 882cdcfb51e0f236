import { isAlias, isCollection, isMap, isNode, isPair, isScalar, isSeq, type Pair, YAMLMap, type YAMLSeq } from 'yaml';
import { formatPointer } from '../json-pointer.ts';

/** A fault of one part of an otherwise readable document. */
export interface PartFault {
  readonly code: string;
  /** The problem and its remedy. */
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
 * @param knownFaults Other faults.
 * @returns Every fault; all but the first alias beyond the limit `follow`, as do aliases to faulty nodes. O(size
 * of the document).
 */
export function nodeFaults(root: unknown, maxAliased: number, knownFaults: readonly PartFault[]): readonly PartFault[] {
  const search = new NodeFaults(maxAliased, knownFaults);
  search.visit(root);
  return search.faults;
}

class NodeFaults {
  readonly faults: PartFault[] = [];
  readonly #maxAliased: number;
  /** The number of values that each anchor stands for. */
  readonly #anchored = new Map<string, number>();
  readonly #path: (string | number)[] = [];
  /** Pointers to the parts that have other faults. */
  readonly #faultyParts: ReadonlySet<string>;
  #aliased = 0;
  #isBeyond = false;

  constructor(maxAliased: number, knownFaults: readonly PartFault[]) {
    this.#maxAliased = maxAliased;
    this.#faultyParts = new Set(
      knownFaults.flatMap(({ path }) => path.map((_, end) => formatPointer(path.slice(0, end + 1)))),
    );
  }

  /** Returns how many values a node expands to; nothing if it is an alias that is not allowed. */
  visit(node: unknown): number | undefined {
    return isAlias(node) ? this.#sizeOfAlias(node.source, node) : this.#sizeOf(node);
  }

  #sizeOfAlias(name: string, node: unknown): number | undefined {
    const size = this.#anchored.get(name);
    const refuse = (message: string, follows = false): undefined => {
      this.#add('bad-alias', message, node, follows);
    };
    if (size === undefined) return refuse(`the anchor &${name} is missing before this alias; write the values out`);
    if (size === contained) return refuse(`the anchor &${name} contains itself; write the values out`);
    if (size === faulty) return refuse(`the value of the anchor &${name} is faulty; correct it there`, true);
    if (this.#aliased + size > this.#maxAliased) {
      refuse(`the aliases expand to more than ${this.#maxAliased} values; write them out`, this.#isBeyond);
      this.#isBeyond = true;
      return undefined;
    }
    this.#aliased += size;
    return size;
  }

  /** Returns how many values a node expands to, other than an alias. */
  #sizeOf(node: unknown): number {
    const anchor = isNode(node) && 'anchor' in node ? (node.anchor as string | undefined) : undefined;
    const faultCount = this.faults.length;
    if (anchor !== undefined) this.#anchored.set(anchor, contained);
    let size = 1;
    if (isMap(node)) {
      for (const key of repeatedKeys(node)) this.#add('duplicate-key', repeated, key);
      for (const pair of node.items) size += this.#sizeAt(keyOf(pair), pair);
    } else if (isSeq(node)) {
      for (const index of node.items.keys()) size += this.#sizeAt(index, node);
    }
    if (anchor === undefined) return size;
    const isFaulty = this.faults.length > faultCount || this.#faultyParts.has(formatPointer(this.#path));
    this.#anchored.set(anchor, isFaulty ? faulty : size);
    return size;
  }

  #sizeAt(key: string | number, parent: Pair | YAMLSeq): number {
    const node = isPair(parent) ? parent.value : parent.items[Number(key)];
    this.#path.push(key);
    const size = this.visit(node);
    this.#path.pop();
    if (size !== undefined) return size;
    if (isPair(parent)) parent.value = new YAMLMap();
    else parent.items[Number(key)] = new YAMLMap();
    return 0;
  }

  #add(code: string, message: string, node: unknown, follows = false): void {
    const offset = (isNode(node) ? node.range?.[0] : undefined) ?? 0;
    this.faults.push({ code, message, offset, path: [...this.#path], ...(follows ? { follows } : {}) });
  }
}

/** The size of anchors that no alias may refer to. */
const contained = Number.POSITIVE_INFINITY;
const faulty = -1;

const repeated = 'the key occurs twice in one object; remove one of the two';

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
    const index = firstEndingAfter(offset, items);
    const item = items[index];
    if (item === undefined) break;
    path.push(isPair(item) ? keyOf(item) : index);
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
