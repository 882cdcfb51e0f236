import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../runs.fixture.ts';
import { policy, refTo, resource, resources, worldOf } from '../worlds.fixture.ts';
import { drawingOf, sizes } from './drawing.ts';

const gateway = resource('Gateway', 'gw', {
  gatewayClassName: 'edge',
  listeners: [80, 81, 82].map((port) => ({ name: `l-${port}`, port, protocol: 'HTTP' })),
});
const route = (name: string, listener?: string) =>
  resource('HTTPRoute', name, {
    parentRefs: [{ name: 'gw', ...(listener !== undefined && { sectionName: listener }) }],
    rules: [{}, {}],
  });

/** Returns the cards of a drawing of everything, as text. */
function drawn(...of: Parameters<typeof worldOf>[0][number][]) {
  const { report } = worldOf(of);
  const drawing = drawingOf(
    report,
    report.nodes.map(({ id }) => id),
  );
  const cards = drawing.cards.map(({ bundle, rows }) => ({
    objects: bundle.objects.map((id) => report.node(id).label),
    rows: rows.map((row) =>
      row.type === 'section'
        ? report.node(row.node).name
        : row.type === 'policy'
          ? report.policy(row.policy).name
          : row.type === 'alike'
            ? `${row.count} ${row.kind} ${row.outcome}`
            : row.count,
    ),
  }));
  return { ...drawing, cards };
}

describe('a drawing', () => {
  it('has a card for each object with its sections, each followed by the policies that are attached to it', () => {
    const { cards } = drawn(
      gateway,
      route('cart'),
      policy('TimeoutPolicy', 'all', [refTo('Gateway', 'gw')], { request: '1s' }),
      policy('TimeoutPolicy', 'one', [refTo('Gateway', 'gw', 'l-81')], { request: '1s' }),
    );
    expect(cards).toEqual([
      { objects: ['Gateway shop/gw'], rows: ['shop/all', 'l-80', 'l-81', 'shop/one', 'l-82'] },
      { objects: ['HTTPRoute shop/cart'], rows: ['rule-1', 'rule-2'] },
    ]);
  });

  it('leaves out objects without links, unless they have policies', () => {
    const { cards } = drawn(resource('Namespace', 'shop'), resource('Service', 'alone', { ports: [{ port: 80 }] }));
    expect(cards).toEqual([]);
    const withPolicy = drawn(
      resource('Namespace', 'shop'),
      policy('TimeoutPolicy', 'all', [refTo('Namespace', 'shop')], { request: '1s' }),
    );
    expect(withPolicy.cards).toMatchObject([{ objects: ['Namespace shop'] }]);
  });

  it('bundles more than five objects without policies that have the same parents', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'special'];
    const { cards } = drawn(
      gateway,
      ...names.map((name) => route(name, 'l-80')),
      policy('TimeoutPolicy', 'one', [refTo('HTTPRoute', 'special')], { request: '1s' }),
    );
    expect(cards.map(({ objects }) => objects.length)).toEqual([1, 1, 6]);
  });

  it('bundles many objects with policies of the same kinds and outcomes, and says how many policies they have', () => {
    const names = Array.from({ length: 300 }, (_, index) => `r-${index}`);
    const { cards, lines } = drawn(
      gateway,
      ...names.map((name) => route(name)),
      ...names
        .slice(0, 100)
        .map((name) => policy('TimeoutPolicy', name, [refTo('HTTPRoute', name)], { request: '1s' })),
    );
    expect(cards.map(({ objects, rows }) => [objects.length, rows])).toEqual([
      [1, ['l-80', 'l-81', 'l-82']],
      [200, []],
      [100, ['100 TimeoutPolicy enforced']],
    ]);
    expect(lines).toHaveLength(2);
  });

  it('bundles no more than it must: twelve objects with policies, and the focus, have their own cards', () => {
    const names = Array.from({ length: 12 }, (_, index) => `r-${index}`);
    const all = [
      gateway,
      ...names.map((name) => route(name)),
      ...names.map((name) => policy('TimeoutPolicy', name, [refTo('HTTPRoute', name)], { request: '1s' })),
    ];
    expect(drawn(...all).cards).toHaveLength(13);
    const more = [route('r-12'), policy('TimeoutPolicy', 'r-12', [refTo('HTTPRoute', 'r-12')], { request: '1s' })];
    expect(drawn(...all, ...more).cards).toHaveLength(2);
  });

  it('draws one line if all listeners of a Gateway lead to a route', () => {
    expect(drawn(gateway, route('cart')).lines).toHaveLength(1);
    expect(drawn(gateway, route('cart', 'l-80')).lines).toHaveLength(1);
  });

  it('encloses all cards, and its lines end at their cards', () => {
    fc.assert(
      fc.property(resources, (some) => {
        const { report } = worldOf(some);
        const { cards, lines, width, height } = drawingOf(
          report,
          report.nodes.map(({ id }) => id),
        );
        for (const card of cards) {
          expect(card.x + sizes.width).toBeLessThanOrEqual(width);
          expect(card.y + card.height).toBeLessThanOrEqual(height);
          const beside = cards.filter((other) => other !== card && other.x === card.x);
          for (const other of beside) {
            expect(other.y >= card.y + card.height || other.y + other.height <= card.y).toBe(true);
          }
        }
        for (const { from, to, x1, x2, y1, y2 } of lines) {
          const [start, end] = [from, to].map((key) => cards.find(({ bundle }) => bundle.key === key));
          expect(x1).toBe((start?.x ?? 0) + sizes.width);
          expect(x2).toBe(end?.x);
          expect(x2).toBeGreaterThan(x1);
          expect(y1 >= (start?.y ?? 0) && y1 <= (start?.y ?? 0) + (start?.height ?? 0)).toBe(true);
          expect(y2 >= (end?.y ?? 0) && y2 <= (end?.y ?? 0) + (end?.height ?? 0)).toBe(true);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});
