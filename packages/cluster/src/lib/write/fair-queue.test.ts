import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue, type QueuedItem, type WritePriority } from './fair-queue.ts';

interface Item extends QueuedItem {
  readonly number: number;
}

const items = fc
  .array(fc.record({ kind: fc.constantFrom('a', 'b', 'c'), priority: fc.constantFrom<WritePriority[]>(0, 1, 2, 3) }))
  .map((all) => all.map((it, number): Item => ({ ...it, number })));

function takeAll(queue: FairQueue<Item>): readonly Item[] {
  const taken: Item[] = [];
  for (let item = queue.take(always, always); item !== undefined; item = queue.take(always, always)) taken.push(item);
  return taken;
}
const always = () => true;

describe('a fair queue', () => {
  it('returns the items of a kind by priority, and items of one priority in the order of arrival', () => {
    fc.assert(
      fc.property(items, (all) => {
        const queue = new FairQueue<Item>();
        for (const item of all) queue.add(item);
        const taken = takeAll(queue);
        expect(taken).toHaveLength(all.length);
        for (const kind of ['a', 'b', 'c']) {
          const ofKind = (list: readonly Item[]) => list.filter((it) => it.kind === kind);
          const inOrder = ofKind(all).sort((one, other) => one.priority - other.priority || one.number - other.number);
          expect(ofKind(taken)).toEqual(inOrder);
        }
      }),
    );
  });

  it('gives each kind its turn, however many items another kind has', () => {
    fc.assert(
      fc.property(items, (all) => {
        const queue = new FairQueue<Item>();
        for (const item of all) queue.add(item);
        const taken = takeAll(queue).map(({ kind }) => kind);
        // While a kind has items, it is never passed over twice by another one.
        for (const kind of ['a', 'b', 'c']) {
          const turns = taken.flatMap((it, at) => (it === kind ? [at] : []));
          for (const [index, at] of turns.entries()) {
            const between = taken.slice(index === 0 ? 0 : (turns[index - 1] ?? 0) + 1, at);
            expect(new Set(between).size).toBe(between.length);
          }
        }
      }),
    );
  });

  it('passes over kinds that are closed and items that are not free, and keeps them', () => {
    const queue = new FairQueue<Item>();
    const all = ['a', 'a', 'b'].map((kind, number): Item => ({ kind, priority: 2, number }));
    for (const item of all) queue.add(item);
    expect(queue.take((kind) => kind !== 'a', always)?.number).toBe(2);
    expect(queue.take(always, ({ number }) => number !== 0)?.number).toBe(1);
    queue.delete({ kind: 'a', priority: 2, number: 1 });
    expect(queue.take(always, always)?.number).toBe(0);
    expect(queue.take(always, always)).toBeUndefined();
  });
});
