import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, type Connection, layOut } from './layout.ts';

const gap = 10;

/** Boxes of some groups with lines from each group to later ones, as in a topology, and an order for the input. */
const drawings = fc.integer({ min: 1, max: 40 }).chain((count) =>
  fc.record({
    boxes: fc.tuple(
      ...Array.from({ length: count }, (_, index) =>
        fc.record({
          key: fc.constant(`box-${String(index).padStart(2, '0')}`),
          height: fc.integer({ min: 1, max: 90 }),
          group: fc.constantFrom('a', 'b', 'c'),
        }),
      ),
    ),
    ends: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1), fc.nat(50), fc.nat(50)), { maxLength: 80 }),
    order: fc.array(fc.nat(1_000), { minLength: count, maxLength: count }),
  }),
);

function connectionsOf(
  boxes: readonly Box[],
  ends: readonly (readonly [number, number, number, number])[],
  isAllowed: (from: number, to: number) => boolean,
): readonly Connection[] {
  return ends
    .filter(([from, to]) => isAllowed(from, to))
    .map(([from, to, fromY, toY]) => ({ from: boxes[from]?.key ?? '', to: boxes[to]?.key ?? '', fromY, toY }));
}

describe('a layout', () => {
  it('keeps the gap between the boxes of a column', () => {
    fc.assert(
      fc.property(drawings, ({ boxes, ends }) => {
        const { places, height } = layOut(
          boxes,
          connectionsOf(boxes, ends, () => true),
          gap,
        );
        for (const column of new Set(Array.from(places.values(), (place) => place.column))) {
          const there = boxes.filter(({ key }) => places.get(key)?.column === column);
          const spans = there.map(({ key, height: own }) => [places.get(key)?.top ?? -1, own] as const);
          spans.sort(([a], [b]) => a - b);
          for (const [index, [top, own]] of spans.entries()) {
            expect(top).toBeGreaterThanOrEqual(0);
            expect(top + own).toBeLessThanOrEqual(height);
            const [next] = spans[index + 1] ?? [Number.POSITIVE_INFINITY];
            expect(next - top - own).toBeGreaterThanOrEqual(gap - 1); // Places are whole numbers.
          }
        }
      }),
    );
  });

  it('leads every line to the right, without a cycle', () => {
    fc.assert(
      fc.property(drawings, ({ boxes, ends }) => {
        const connections = connectionsOf(boxes, ends, (from, to) => from < to);
        const { places } = layOut(boxes, connections, gap);
        for (const { from, to } of connections) {
          expect(places.get(to)?.column).toBeGreaterThan(places.get(from)?.column ?? 99);
        }
      }),
    );
  });

  it('is the same for the same boxes and lines in any order', () => {
    fc.assert(
      fc.property(drawings, ({ boxes, ends, order }) => {
        const connections = connectionsOf(boxes, ends, () => true);
        const shuffled = boxes.toSorted((a, b) => (order[boxes.indexOf(a)] ?? 0) - (order[boxes.indexOf(b)] ?? 0));
        const { places } = layOut(boxes, connections, gap);
        expect(new Map(layOut(shuffled, connections.toReversed(), gap).places)).toEqual(new Map(places));
      }),
    );
  });

  it('puts boxes of one group into one column, and their targets beside them', () => {
    const boxes = ['gateway-1', 'gateway-2', 'route-1', 'route-2', 'route-3'].map((key) => ({
      ...{ key, height: 20, group: key.slice(0, -2) },
    }));
    const connections = [
      ['gateway-1', 'route-3'],
      ['gateway-2', 'route-1'],
    ].map(([from = '', to = '']) => ({ from, to, fromY: 10, toY: 10 }));
    const { places, columns } = layOut(boxes, connections, gap);
    expect(columns).toBe(2);
    expect(Object.fromEntries(places)).toMatchObject({
      'gateway-1': { column: 0, top: places.get('route-3')?.top },
      'gateway-2': { column: 0, top: places.get('route-1')?.top },
      'route-2': { column: 1 },
    });
  });

  it('takes a number of steps that is linear in boxes and lines', () => {
    const count = 20_000;
    const boxes = Array.from({ length: count }, (_, index) => ({
      ...{ key: `box-${String(index).padStart(5, '0')}`, height: 20, group: `${index % 4}` },
    }));
    const connections = boxes.flatMap(({ key: from }, index) => {
      const to = boxes[index + 1]?.key;
      return to === undefined || index % 4 === 3 ? [] : [{ from, to, fromY: 0, toY: 0 }];
    });
    expect(layOut(boxes, connections, gap).columns).toBe(4);
  });

  it('is empty for no boxes', () => {
    expect(layOut([], [], gap)).toEqual({ places: new Map(), columns: 0, height: 0 });
  });
});
