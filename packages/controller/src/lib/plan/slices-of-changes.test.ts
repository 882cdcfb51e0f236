import type { StatusChanges } from '@policy-machinery/policy-status';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slicesOf } from './slices-of-changes.ts';

const locators = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}$/), { maxLength: 9 });
const changes = fc
  .tuple(
    ...['A', 'B'].map((kind) =>
      fc.record({
        kind: fc.constant({ group: 'x', kind }),
        policies: locators,
        affectedObjects: locators,
        statuses: locators,
      }),
    ),
  )
  .map((all): readonly StatusChanges[] => all);

/** What changes name, whatever the order. */
function namedBy(all: readonly StatusChanges[]): readonly string[] {
  const named = all.flatMap(({ kind, policies, affectedObjects, statuses = [] }) => [
    ...policies.map((it) => `${kind.kind} policy ${it}`),
    ...affectedObjects.map((it) => `${kind.kind} object ${it}`),
    ...statuses.map((it) => `${kind.kind} status ${it}`),
  ]);
  return named.sort();
}

describe('slicesOf', () => {
  it('names all that the changes name, once', () => {
    fc.assert(
      fc.property(changes, fc.integer({ min: 1, max: 4 }), (all, size) => {
        expect(namedBy([...slicesOf(all, size)].flat())).toEqual(namedBy(all));
      }),
    );
  });

  it('names at most so many policies or objects in a slice, and each object in one slice', () => {
    fc.assert(
      fc.property(changes, fc.integer({ min: 1, max: 4 }), (all, size) => {
        const slices = Array.from(slicesOf(all, size), (slice) => ({
          policies: slice.flatMap(({ policies }) => policies),
          objects: [
            ...new Set(slice.flatMap(({ affectedObjects, statuses = [] }) => [...affectedObjects, ...statuses])),
          ],
        }));
        for (const { policies, objects } of slices) {
          expect(policies.length).toBeLessThanOrEqual(size);
          expect(objects.length).toBeLessThanOrEqual(size);
        }
        const objects = slices.flatMap((it) => it.objects);
        expect(objects).toEqual([...new Set(objects)]);
      }),
    );
  });
});
