import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AncestorOptions,
  type AncestorUpdate,
  type Condition,
  findStatusCondition,
  type ParentReference,
  type PolicyAncestorStatus,
  setAncestorStatuses,
} from '../index.ts';
import { stored, storedConditions, update, updates } from './conditions.fixture.ts';

const controllerName = 'example.com/gateway-controller';
const options: AncestorOptions = {
  controllerName,
  namespace: 'shop',
  observedGeneration: 2,
  now: new Date('2026-01-02T03:04:05Z'),
};

const says = (name: string, status: Condition['status'] = 'True', reason = 'Accepted'): AncestorUpdate => ({
  ancestorRef: { name },
  conditions: [update('Accepted', status, reason)],
});

const entry = (
  name: string,
  controller = controllerName,
  conditions: unknown = [stored({ type: 'Accepted' })],
): PolicyAncestorStatus => ({
  ancestorRef: { name },
  controllerName: controller,
  conditions: conditions as PolicyAncestorStatus['conditions'],
});

const theirs = (name: string): PolicyAncestorStatus => entry(name, 'other.io/controller');

const namesOf = (ancestors: readonly PolicyAncestorStatus[]): string =>
  ancestors
    .map(({ ancestorRef, controllerName: by }) => (by === controllerName ? '' : '*') + ancestorRef.name)
    .join(' ');

const many = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(2, '0')}`);

describe('setAncestorStatuses', () => {
  it('refuses the name of a controller that no status can hold', () => {
    const options = { controllerName: 'gateways', now: new Date(0), observedGeneration: 1 };
    expect(() => setAncestorStatuses([], [], options)).toThrow(
      expect.objectContaining({ code: 'invalid-controller-name' }),
    );
  });

  it('writes an entry for each ancestor, with the name of the controller (S-08, S-13)', () => {
    expect(setAncestorStatuses(undefined, [says('edge')], options)).toEqual({
      ancestors: [
        {
          ancestorRef: { name: 'edge' },
          controllerName,
          conditions: [
            {
              type: 'Accepted',
              status: 'True',
              observedGeneration: 2,
              lastTransitionTime: '2026-01-02T03:04:05Z',
              reason: 'Accepted',
              message: '',
            },
          ],
        },
      ],
      refused: [],
    });
  });

  it('returns the identical list if nothing changes (S-17)', () => {
    const { ancestors } = setAncestorStatuses([theirs('a')], [says('edge'), says('b')], options);
    const later = { ...options, now: new Date('2027-01-01T00:00:00Z') };
    expect(setAncestorStatuses(ancestors, [says('b'), says('edge')], later).ancestors).toBe(ancestors);
  });

  it("keeps own entries in place, removes stale ones, appends new ones in order, and leaves others' alone (S-13, S-14, S-23)", () => {
    const [a, z] = [theirs('a'), theirs('z')];
    const existing = [z, entry('m'), entry('stale'), a, entry('b')];
    const { ancestors } = setAncestorStatuses(existing, [says('n'), says('b'), says('c'), says('m')], options);
    expect(namesOf(ancestors)).toBe('*z m *a b c n');
    expect(ancestors[0]).toBe(z);
    expect(ancestors[2]).toBe(a);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a string', 'entry'],
    ['an entry without a controller', { ancestorRef: { name: 'edge' } }],
    ['an entry whose controller is no name', { ancestorRef: { name: 'edge' }, controllerName: [controllerName] }],
  ])('keeps %s as an entry of others', (_, rubbish) => {
    const { ancestors } = setAncestorStatuses([rubbish], [says('edge')], options);
    expect(ancestors).toHaveLength(2);
    expect(ancestors[0]).toBe(rubbish);
  });

  it('removes own entries without an ancestor, and repeated ones', () => {
    const rubbish = { ancestorRef: 7, controllerName, conditions: 'none' };
    const existing = [rubbish, entry('edge'), entry('edge')];
    expect(namesOf(setAncestorStatuses(existing, [says('edge')], options).ancestors)).toBe('edge');
  });

  it.each<[string, ParentReference, ParentReference, boolean]>([
    ['the default group', { name: 'x' }, { name: 'x', group: 'gateway.networking.k8s.io' }, true],
    ['the default kind', { name: 'x' }, { name: 'x', kind: 'Gateway' }, true],
    ["the policy's namespace", { name: 'x' }, { name: 'x', namespace: 'shop' }, true],
    ['another name', { name: 'x' }, { name: 'y' }, false],
    ['the core group', { name: 'x' }, { name: 'x', group: '' }, false],
    ['another kind', { name: 'x' }, { name: 'x', kind: 'Service' }, false],
    ['another namespace', { name: 'x' }, { name: 'x', namespace: 'infra' }, false],
    ['a section', { name: 'x' }, { name: 'x', sectionName: 'http' }, false],
    ['a port', { name: 'x' }, { name: 'x', port: 80 }, false],
  ])('distinguishes ancestors by reference, with defaults filled in: %s (S-09)', (_, before, ancestorRef, isSame) => {
    const existing = [{ ...entry('x'), ancestorRef: before }];
    const { ancestors } = setAncestorStatuses(existing, [{ ...says('x'), ancestorRef }], options);
    expect(ancestors).toHaveLength(1);
    expect(ancestors[0]?.ancestorRef).toBe(isSame ? before : ancestorRef);
  });

  it('sorts new entries by group, kind, namespace, name, section and port (S-23)', () => {
    const refs: ParentReference[] = [
      { group: '', kind: 'Service', name: 'a' },
      { kind: 'Gateway', namespace: 'infra', name: 'z' },
      { name: 'a' },
      { name: 'a', port: 80 },
      { name: 'a', port: 443 },
      { name: 'a', sectionName: 'http' },
      { name: 'b' },
      { kind: 'ListenerSet', name: 'a' },
    ];
    const shuffled = fc.shuffledSubarray(refs, { minLength: refs.length });
    fc.assert(
      fc.property(shuffled, (order) => {
        const next = order.map((ancestorRef) => ({ ...says('x'), ancestorRef }));
        expect(setAncestorStatuses([], next, options).ancestors.map(({ ancestorRef }) => ancestorRef)).toEqual(refs);
      }),
    );
  });

  it('writes no entry without conditions, as of policies that are ignored (X-19)', () => {
    const { ancestors } = setAncestorStatuses(
      [entry('edge')],
      [{ ancestorRef: { name: 'edge' }, conditions: [] }],
      options,
    );
    expect(ancestors).toEqual([]);
  });

  it('removes own condition types that are not set, and no others in an own entry (S-14)', () => {
    const special = stored({ type: 'special.io/Field' });
    const existing = [
      entry('edge', controllerName, [stored({ type: 'Programmed' }), special, stored({ type: 'Accepted' })]),
    ];
    const { ancestors } = setAncestorStatuses(existing, [says('edge', 'False')], {
      ...options,
      owned: ['Accepted', 'Programmed'],
    });
    expect(ancestors[0]?.conditions.map(({ type }) => type)).toEqual(['special.io/Field', 'Accepted']);
    expect(ancestors[0]?.conditions[0]).toBe(special);
  });

  it("removes all conditions in own entries that are not set, if these are the controller's as a whole (X-31)", () => {
    const full = ['special.io/Field', 'Audited', ...many('T', 6)].map((type) => stored({ type }));
    const existing = [entry('edge', controllerName, full), entry('edge', 'other.io/controller', full)];
    const { ancestors, refused } = setAncestorStatuses(existing, [says('edge')], { ...options, owned: 'all' });
    expect(ancestors.map(({ conditions }) => conditions.map(({ type }) => type))).toEqual([
      ['Accepted'],
      full.map(({ type }) => type),
    ]);
    expect(refused).toEqual([]);
  });

  it('changes nothing if an own entry has observed a newer generation of the policy (S-15)', () => {
    const existing = [
      entry('gone', controllerName, [stored({ type: 'Accepted', observedGeneration: 3 })]),
      entry('edge'),
    ];
    expect(setAncestorStatuses(existing, [says('edge', 'False')], options).ancestors).toBe(existing);
    const others = [entry('a', 'other.io/controller', [stored({ type: 'Accepted', observedGeneration: 3 })])];
    expect(setAncestorStatuses(others, [says('edge')], options).ancestors).toHaveLength(2);
  });

  it('returns the conditions that do not fit in an entry', () => {
    const full = Array.from({ length: 7 }, (_, index) => stored({ type: `special.io/F${index}` }));
    const conditions = [update('Accepted'), update('Programmed')];
    const { refused } = setAncestorStatuses(
      [entry('edge', controllerName, full)],
      [{ ancestorRef: { name: 'edge' }, conditions }],
      options,
    );
    expect(refused).toEqual([
      { ancestorRef: { name: 'edge' }, conditions: [update('Programmed')], limit: 'conditions' },
    ]);
  });

  describe('with refuse-and-signal', () => {
    it('refuses entries beyond 16, including entries of others (S-10, X-15)', () => {
      const others = many('o', 14).map(theirs);
      const { ancestors, refused } = setAncestorStatuses(
        others,
        ['c', 'a', 'b', 'd'].map((name) => says(name)),
        options,
      );
      expect(namesOf(ancestors.slice(14))).toBe('a b');
      expect(ancestors).toHaveLength(16);
      expect(refused).toEqual(['c', 'd'].map((name) => ({ ...says(name), limit: 'ancestors' })));
    });

    it('replaces no existing entry by a new one (X-15)', () => {
      const existing = many('m', 16).map((name) => entry(name));
      const next = ['a', ...many('m', 16)].map((name) => says(name));
      const { ancestors, refused } = setAncestorStatuses(existing, next, options);
      expect(namesOf(ancestors)).toBe(many('m', 16).join(' '));
      expect(refused.map(({ ancestorRef }) => ancestorRef.name)).toEqual(['a']);
    });

    it('replaces stale entries by new ones', () => {
      const existing = many('m', 16).map((name) => entry(name));
      const { ancestors, refused } = setAncestorStatuses(
        existing,
        [says('z'), ...many('m', 15).map((name) => says(name))],
        options,
      );
      expect(namesOf(ancestors)).toBe([...many('m', 15), 'z'].join(' '));
      expect(refused).toEqual([]);
    });

    it('adds nothing if others have filled the list beyond the limit', () => {
      const others = many('o', 20).map(theirs);
      expect(setAncestorStatuses(others, [says('edge')], options).ancestors).toBe(others);
    });
  });

  describe('with truncate-aggregated', () => {
    const truncated: AncestorOptions = { ...options, overflow: 'truncate-aggregated' };

    it('refuses all entries if others fill the list', () => {
      const others = Array.from({ length: 16 }, (_, index) => ({
        ancestorRef: { name: `g${index}` },
        controllerName: 'other.example.com/controller',
        conditions: [],
      }));
      const result = setAncestorStatuses(
        others,
        [{ ancestorRef: { name: 'g' }, conditions: [update('A')] }],
        truncated,
      );
      expect(result.ancestors).toBe(others);
      expect(result.refused).toMatchObject([{ ancestorRef: { name: 'g' }, limit: 'ancestors' }]);
    });
    const aggregatedIn = (ancestors: readonly PolicyAncestorStatus[]): readonly string[] =>
      ancestors
        .filter(({ conditions }) => findStatusCondition(conditions, 'Aggregated'))
        .map(({ ancestorRef }) => ancestorRef.name);

    it('keeps the rejected first, then the overridden, then the rest, and reports omitted ones on the last (E-07)', () => {
      const next = [
        ...many('m', 16).map((name) => says(name)),
        {
          ancestorRef: { name: 'overridden' },
          conditions: [update('Accepted'), update('Overridden', 'True', 'Overridden')],
        },
        says('rejected', 'False', 'Invalid'),
      ];
      const { ancestors, refused } = setAncestorStatuses([], next, truncated);
      expect(namesOf(ancestors)).toBe(['rejected', 'overridden', ...many('m', 14)].join(' '));
      expect(aggregatedIn(ancestors)).toEqual(['m13']);
      expect(findStatusCondition(ancestors.at(-1)?.conditions, 'Aggregated')).toMatchObject({
        status: 'True',
        reason: 'Aggregated',
        observedGeneration: 2,
      });
      expect(refused).toEqual([]);
    });

    it('sorts by namespace and name before anything else (E-07)', () => {
      const refs: ParentReference[] = [
        { namespace: 'b', name: 'a' },
        { namespace: 'a', name: 'b', kind: 'Z' },
        { namespace: 'a', name: 'c', kind: 'A' },
      ];
      const { ancestors } = setAncestorStatuses(
        [],
        refs.map((ancestorRef) => ({ ...says('x'), ancestorRef })),
        { ...truncated, limit: 2 },
      );
      expect(ancestors.map(({ ancestorRef }) => `${ancestorRef.namespace}/${ancestorRef.name}`)).toEqual([
        'a/b',
        'a/c',
      ]);
    });

    it('counts entries of others, and neither moves nor removes them (X-15)', () => {
      const others = many('o', 13).map(theirs);
      const { ancestors } = setAncestorStatuses(
        [entry('z'), ...others],
        many('m', 9).map((name) => says(name)),
        truncated,
      );
      expect(namesOf(ancestors)).toBe([...many('*o', 13), 'm00', 'm01', 'm02'].join(' '));
      expect(aggregatedIn(ancestors)).toEqual(['m02']);
    });

    it('removes its condition when all entries fit again', () => {
      const { ancestors } = setAncestorStatuses(
        [],
        many('m', 20).map((name) => says(name)),
        truncated,
      );
      const fewer = many('m', 16).map((name) => says(name));
      expect(aggregatedIn(setAncestorStatuses(ancestors, fewer, truncated).ancestors)).toEqual([]);
      expect(aggregatedIn(setAncestorStatuses(ancestors, fewer, options).ancestors)).toEqual([]);
    });

    it('changes nothing if others fill the list', () => {
      const others = many('o', 16).map(theirs);
      expect(setAncestorStatuses(others, [says('edge')], truncated).ancestors).toBe(others);
    });
  });

  describe('for any content of the status', () => {
    const ref = fc.record(
      { name: fc.constantFrom('a', 'b', 'c', 'd'), namespace: fc.constantFrom('shop', 'infra') },
      { requiredKeys: ['name'] },
    );
    const anything = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          ancestorRef: ref,
          controllerName: fc.constantFrom(controllerName, 'other.io/x'),
          conditions: storedConditions,
        }),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom<unknown>(null, 'x', {}, { controllerName }, { ancestorRef: { name: 'a' } }),
      },
    );
    const given = fc.record({
      existing: fc.array(anything, { maxLength: 6 }),
      next: fc.array(fc.record({ ancestorRef: ref, conditions: updates }), { maxLength: 8 }),
      settings: fc.record({
        observedGeneration: fc.nat({ max: 4 }),
        limit: fc.nat({ max: 6 }),
        overflow: fc.constantFrom<'refuse-and-signal' | 'truncate-aggregated'>(
          'refuse-and-signal',
          'truncate-aggregated',
        ),
      }),
    });
    const apply = (existing: unknown, next: readonly AncestorUpdate[], settings: Partial<AncestorOptions>) =>
      setAncestorStatuses(existing, next, { ...options, owned: ['A', 'B', 'C'], ...settings });
    const foreign = (entries: readonly unknown[]): readonly unknown[] =>
      entries.filter((item) => (item as { controllerName?: string } | null)?.controllerName !== controllerName);

    it('changes nothing the second time', () => {
      fc.assert(
        fc.property(given, ({ existing, next, settings }) => {
          const once = apply(existing, next, settings);
          const twice = apply(once.ancestors, next, { ...settings, now: new Date('2027-01-01T00:00:00Z') });
          expect(twice.ancestors).toBe(once.ancestors);
          expect(twice.refused).toEqual(once.refused);
        }),
      );
    });

    it("keeps others' entries, in their order, and never mutates", () => {
      fc.assert(
        fc.property(given, ({ existing, next, settings }) => {
          const before = structuredClone(existing);
          const { ancestors } = apply(existing, next, settings);
          expect(foreign(ancestors)).toHaveLength(foreign(existing).length);
          for (const [index, item] of foreign(existing).entries()) expect(foreign(ancestors)[index]).toBe(item);
          expect(existing).toEqual(before);
        }),
      );
    });

    it('never exceeds the limit, unless others did before or the status is newer', () => {
      fc.assert(
        fc.property(given, ({ existing, next, settings }) => {
          const { ancestors } = apply(existing, next, settings);
          fc.pre(ancestors !== existing);
          expect(ancestors.length).toBeLessThanOrEqual(Math.max(settings.limit, foreign(existing).length));
        }),
      );
    });

    it('sets or refuses every ancestor if nothing in the status is newer', () => {
      fc.assert(
        fc.property(given, ({ existing, next, settings }) => {
          const { ancestors, refused } = apply(existing, next, {
            ...settings,
            observedGeneration: 9,
            overflow: 'refuse-and-signal',
          });
          const key = ({ ancestorRef }: { ancestorRef: ParentReference }) =>
            `${ancestorRef.namespace ?? 'shop'}/${ancestorRef.name}`;
          const last = new Map(next.filter(({ conditions }) => conditions.length > 0).map((item) => [key(item), item]));
          const own = ancestors.filter((item) => item?.controllerName === controllerName).map(key);
          const left = refused.filter(({ limit }) => limit === 'ancestors').map(key);
          expect([...own, ...left].sort()).toEqual([...last.keys()].sort());
        }),
      );
    });
  });
});
