import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Condition, findStatusCondition, removeStatusCondition, setStatusConditions } from '../index.ts';
import { foreign, stored, storedConditions, update, updates } from './conditions.fixture.ts';

const now = new Date('2026-01-02T03:04:05.678Z');
const options = { observedGeneration: 2, now };

describe('setStatusConditions', () => {
  it('adds a condition with the generation and the time, in whole seconds', () => {
    expect(
      setStatusConditions(undefined, [update('Accepted', 'False', 'Invalid', 'No limit is set.')], options),
    ).toEqual({
      conditions: [
        {
          type: 'Accepted',
          status: 'False',
          observedGeneration: 2,
          lastTransitionTime: '2026-01-02T03:04:05Z',
          reason: 'Invalid',
          message: 'No limit is set.',
        },
      ],
      refused: [],
    });
  });

  it.each([
    ['the status flips', update('Accepted', 'False', 'Old'), '2026-01-02T03:04:05Z'],
    ['the reason changes', update('Accepted', 'True', 'Other'), '2025-01-01T00:00:00Z'],
    ['the message changes', update('Accepted', 'True', 'Old', 'new'), '2025-01-01T00:00:00Z'],
    ['the generation changes', update('Accepted', 'True', 'Old'), '2025-01-01T00:00:00Z'],
  ])(
    'when %s, writes the new condition, and moves the time only with the status (S-17)',
    (_, next, lastTransitionTime) => {
      const { conditions } = setStatusConditions([stored({ type: 'Accepted' })], [next], options);
      expect(conditions).toEqual([{ ...next, observedGeneration: 2, lastTransitionTime }]);
    },
  );

  it.each([
    ['2026-01-02T03:04:06Z', '2026-01-02T03:04:06Z'],
    ['2026-01-02T05:04:05+01:00', '2026-01-02T05:04:05+01:00'],
    ['2026-01-02T04:04:04+01:00', '2026-01-02T03:04:05Z'],
    ['yesterday', '2026-01-02T03:04:05Z'],
  ])('when the status flips and has last changed at %s, sets the time to %s', (lastTransitionTime, expected) => {
    const before = stored({ type: 'Accepted', lastTransitionTime });
    const { conditions } = setStatusConditions([before], [update('Accepted', 'False', 'Old')], options);
    expect(conditions[0]).toMatchObject({ status: 'False', lastTransitionTime: expected });
  });

  it('writes messages without invisible characters', () => {
    const hostile = update('Accepted', 'False', 'Invalid', 'no\u001b[2J\n\u202e');
    const { conditions } = setStatusConditions(undefined, [hostile], options);
    expect(conditions[0]?.message).toBe('no\\u001b[2J\\u000a\\u202e');
    expect(setStatusConditions(conditions, [hostile], options).conditions).toBe(conditions);
  });

  it('returns the identical list if nothing changes (S-17)', () => {
    const conditions = [stored({ type: 'special.io/Field' }), stored({ type: 'Accepted', observedGeneration: 2 })];
    const result = setStatusConditions(conditions, [update('Accepted', 'True', 'Old')], {
      ...options,
      owned: ['Gone'],
    });
    expect(result.conditions).toBe(conditions);
  });

  it('treats a missing generation as 0, because the API server omits it', () => {
    const { observedGeneration: _, ...ungenerated } = stored({ type: 'Accepted' });
    const conditions = [ungenerated];
    const result = setStatusConditions(conditions, [update('Accepted', 'True', 'Old')], { now, observedGeneration: 0 });
    expect(result.conditions).toBe(conditions);
  });

  it('changes nothing if an own condition has observed a newer generation (S-15)', () => {
    const conditions = [stored({ type: 'Accepted', observedGeneration: 3 })];
    const next = [update('Accepted', 'False'), update('Programmed', 'False')];
    expect(setStatusConditions(conditions, next, options)).toEqual({ conditions, refused: [] });
    expect(setStatusConditions(conditions, [], { ...options, owned: ['Accepted'] }).conditions).toBe(conditions);
  });

  it('ignores a newer generation in conditions of others', () => {
    const theirs = stored({ type: 'special.io/Field', observedGeneration: 9 });
    const { conditions } = setStatusConditions([theirs], [update('Accepted')], options);
    expect(conditions.map(({ type }) => type)).toEqual(['special.io/Field', 'Accepted']);
  });

  it("contains only these conditions if the whole list is the controller's, and keeps the times of conditions that stay", () => {
    const since = '2020-01-01T00:00:00Z';
    const existing = [stored({ type: 'Audited' }), 'rubbish', stored({ type: 'Accepted', lastTransitionTime: since })];
    const { conditions } = setStatusConditions(existing, [update('Programmed'), update('Accepted')], {
      ...options,
      owned: 'all',
    });
    expect(conditions.map(({ type }) => type)).toEqual(['Accepted', 'Programmed']);
    expect(conditions[0]?.lastTransitionTime).toBe(since);
    const newer = [stored({ type: 'Audited', observedGeneration: 9 })];
    expect(setStatusConditions(newer, [update('Accepted')], { ...options, owned: 'all' }).conditions).toBe(newer);
  });

  it('removes own conditions that are not set, and keeps conditions of others in their place (S-14)', () => {
    const [theirs, rubbish] = [stored({ type: 'special.io/Field' }), 'rubbish'];
    const existing = [stored({ type: 'Programmed' }), theirs, stored({ type: 'Accepted' }), rubbish];
    const { conditions } = setStatusConditions(existing, [update('Accepted', 'False')], {
      ...options,
      owned: ['Accepted', 'Programmed'],
    });
    expect(conditions[0]).toBe(theirs);
    expect(conditions[1]).toMatchObject({ type: 'Accepted', status: 'False' });
    expect(conditions[2]).toBe(rubbish);
    expect(conditions).toHaveLength(3);
  });

  it('leaves one condition of each own type (S-14)', () => {
    const existing = [stored({ type: 'Accepted' }), stored({ type: 'Accepted', status: 'False' })];
    const twice = [update('Accepted', 'False'), update('Accepted', 'True', 'Last')];
    const { conditions } = setStatusConditions(existing, twice, options);
    expect(conditions).toMatchObject([{ type: 'Accepted', status: 'True', reason: 'Last' }]);
  });

  it('repairs an own condition that is malformed', () => {
    const existing = [
      { type: 'Accepted', status: 'True' },
      { type: 'Programmed', observedGeneration: 'new' },
    ];
    const { conditions } = setStatusConditions(existing, [update('Accepted'), update('Programmed')], options);
    const whole = { observedGeneration: 2, lastTransitionTime: '2026-01-02T03:04:05Z' };
    expect(conditions).toEqual([
      { ...update('Accepted'), ...whole },
      { ...update('Programmed'), ...whole },
    ]);
  });

  it('keeps at most 8 conditions, and refuses new ones instead of removing others (S-08)', () => {
    const full = Array.from({ length: 7 }, (_, index) => stored({ type: `special.io/F${index}` }));
    const next = [update('Accepted'), update('Programmed'), update('ResolvedRefs')];
    const { conditions, refused } = setStatusConditions(full, next, options);
    expect(conditions.slice(0, 7)).toEqual(full);
    expect(conditions.map(({ type }) => type).slice(7)).toEqual(['Accepted']);
    expect(refused).toEqual([update('Programmed'), update('ResolvedRefs')]);
  });

  it('updates existing conditions in a list that is too long, and fills freed places with new ones', () => {
    const existing = [...'abcdefgh'].map((name) => stored({ type: name }));
    const { conditions, refused } = setStatusConditions(existing, [update('h', 'False'), update('new')], {
      ...options,
      owned: ['a'],
    });
    expect(conditions.map(({ type }) => type).join(' ')).toBe('b c d e f g h new');
    expect(refused).toEqual([]);
    expect(setStatusConditions(existing, [update('h', 'False')], { ...options, limit: 4 }).refused).toEqual([]);
  });

  it('cuts messages that Kubernetes would refuse (S-22)', () => {
    const long = [update('Accepted', 'True', 'New', 'x'.repeat(40_000))];
    const first = setStatusConditions([], long, options).conditions;
    expect(first[0]?.message).toHaveLength(32_768);
    expect(setStatusConditions(first, long, options).conditions).toBe(first);
  });

  it('ignores types from prototypes of objects', () => {
    const { conditions } = setStatusConditions(
      [JSON.parse('{"__proto__": {"type": "Accepted"}}')],
      [update('Accepted')],
      options,
    );
    expect(conditions).toHaveLength(2);
    expect(({} as { type?: string }).type).toBeUndefined();
  });

  it.each([new Date('yesterday'), new Date('+012026-01-01T00:00:00Z')])(
    'refuses a time that it cannot write',
    (time) => {
      expect(() => setStatusConditions([], [], { ...options, now: time })).toThrow(
        expect.objectContaining({ code: 'invalid-time' }),
      );
    },
  );

  describe('for any content of the status', () => {
    const given = fc.record({ existing: storedConditions, next: updates, observedGeneration: fc.nat({ max: 4 }) });
    const owned = ['A', 'B', 'C'];
    const aroundNow = { min: new Date('2020-01-01T00:00:00Z'), max: new Date('2030-01-01T00:00:00Z') };

    it('changes nothing the second time', () => {
      fc.assert(
        fc.property(given, ({ existing, next, observedGeneration }) => {
          const once = setStatusConditions(existing, next, { observedGeneration, now, owned });
          const later = new Date('2027-01-01T00:00:00Z');
          const twice = setStatusConditions(once.conditions, next, { observedGeneration, now: later, owned });
          expect(twice.conditions).toBe(once.conditions);
          expect(twice.refused).toEqual(once.refused);
        }),
      );
    });

    it("keeps others' entries, in their order, and never mutates", () => {
      fc.assert(
        fc.property(given, ({ existing, next, observedGeneration }) => {
          const before = structuredClone(existing);
          const { conditions } = setStatusConditions(existing, next, { observedGeneration, now, owned });
          expect(foreign(conditions)).toHaveLength(foreign(existing).length);
          for (const [index, entry] of foreign(existing).entries()) expect(foreign(conditions)[index]).toBe(entry);
          expect(existing).toEqual(before);
        }),
      );
    });

    it('never exceeds the limit, unless the list did before', () => {
      fc.assert(
        fc.property(given, ({ existing, next, observedGeneration }) => {
          const { conditions } = setStatusConditions(existing, next, { observedGeneration, now, owned });
          expect(conditions.length).toBeLessThanOrEqual(Math.max(8, existing.length));
        }),
      );
    });

    it('keeps the time of a condition after a malformed one of its type', () => {
      const update = { type: 'A', status: 'True', reason: 'R', message: '' } as const;
      const before = { ...update, lastTransitionTime: '2025-01-01T00:00:00Z' };
      const options = { observedGeneration: 0, now: new Date('2020-01-01T00:00:00Z') };
      expect(setStatusConditions([{ type: 'A' }, before], [update], options).conditions).toEqual([before]);
    });

    it('never lowers the time of a transition', () => {
      fc.assert(
        fc.property(
          given,
          fc.date({ noInvalidDate: true, ...aroundNow }),
          ({ existing, next, observedGeneration }, at) => {
            const { conditions } = setStatusConditions(existing, next, { observedGeneration, now: at, owned });
            for (const type of owned) {
              const [before, after] = [existing, conditions].map((list) => findStatusCondition(list, type));
              if (before === undefined || after === undefined) continue;
              expect(Date.parse(after.lastTransitionTime)).toBeGreaterThanOrEqual(
                Date.parse(before.lastTransitionTime),
              );
            }
          },
        ),
      );
    });

    it('never lowers an observed generation (S-15)', () => {
      fc.assert(
        fc.property(given, ({ existing, next, observedGeneration }) => {
          const { conditions } = setStatusConditions(existing, next, { observedGeneration, now, owned });
          for (const type of owned) {
            const [before, after] = [existing as readonly (Condition | null)[], conditions].map((list) =>
              list.find((entry) => entry?.type === type),
            );
            if (!after) continue;
            expect(after.observedGeneration ?? 0).toBeGreaterThanOrEqual(before?.observedGeneration ?? 0);
          }
        }),
      );
    });
  });
});

describe('removeStatusCondition', () => {
  it('removes only a condition', () => {
    const [a, b] = [stored({ type: 'a' }), stored({ type: 'b' })];
    expect(removeStatusCondition([a, 'rubbish', b], 'a')).toEqual(['rubbish', b]);
  });

  it('returns the identical list if the condition is missing', () => {
    const conditions = [stored({ type: 'a' })];
    expect(removeStatusCondition(conditions, 'b')).toBe(conditions);
    expect(removeStatusCondition(null, 'b')).toEqual([]);
  });
});
