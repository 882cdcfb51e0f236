import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LevelLayer, mergeOrder, type SameLevel, sameLevelOrder } from './same-level.ts';

/** `old.d` are the defaults of the policy `old`, `old.o` its overrides; `bare` are defaults too. */
const layers = {
  'old.d': { name: 'ns/old', createdAt: 1, stanza: 'defaults' },
  'old.bare': { name: 'ns/old', createdAt: 1, stanza: 'defaults' },
  'old.o': { name: 'ns/old', createdAt: 1, stanza: 'overrides' },
  'mid.d': { name: 'ns/mid', createdAt: 2, stanza: 'defaults' },
  'mid.o': { name: 'ns/mid', createdAt: 2, stanza: 'overrides' },
  'new.d': { name: 'ns/new', createdAt: 3, stanza: 'defaults' },
  'new.o': { name: 'ns/new', createdAt: 3, stanza: 'overrides' },
  'twin-a.d': { name: 'ns/a', createdAt: 1, stanza: 'defaults' },
  'twin-b.d': { name: 'ns/b', createdAt: 1, stanza: 'defaults' },
  'ageless.d': { name: 'ns/0', createdAt: undefined, stanza: 'defaults' },
} as const satisfies Record<string, LevelLayer>;

type LayerName = keyof typeof layers;

/** The turns in short: `layer` where it follows its own strategy, `layer<other` where it follows another's. */
function turnsOf(names: readonly LayerName[], sameLevel: SameLevel): string {
  const named = names.map((layer) => ({ ...layers[layer], layer }));
  return mergeOrder(named, sameLevel)
    .map(({ layer, strategyFrom }) => (layer === strategyFrom ? layer.layer : `${layer.layer}<${strategyFrom.layer}`))
    .join(' ');
}

describe('mergeOrder', () => {
  it.each<[LayerName[], string]>([
    [[], ''],
    [['old.d'], 'old.d'],
    [['new.d', 'old.d', 'mid.d'], 'old.d mid.d<old.d new.d<old.d'],
    [['new.o', 'old.o', 'mid.o'], 'new.o mid.o old.o'],
    [['old.o', 'new.d'], 'new.d old.o'],
    [['old.d', 'new.o'], 'old.d new.o'],
    [['old.d', 'old.o', 'new.d', 'new.o'], 'old.d new.d<old.d new.o old.o'],
    [['old.d', 'old.bare', 'new.d'], 'old.d old.bare new.d<old.d'],
    [['twin-b.d', 'twin-a.d'], 'twin-a.d twin-b.d<twin-a.d'],
    [['ageless.d', 'new.d'], 'new.d ageless.d<new.d'],
  ])('oldest-wins merges %j in the order "%s" (X-03, C-05)', (names, expected) => {
    expect(turnsOf(names, 'oldest-wins')).toBe(expected);
  });

  it.each<[LayerName[], string]>([
    [[], ''],
    [['old.d'], 'old.d'],
    [['old.d', 'new.d', 'mid.d'], 'new.d mid.d old.d'],
    [['old.o', 'new.o', 'mid.o'], 'new.o mid.o old.o'],
    [['new.d', 'old.o'], 'new.d old.o'],
    [['old.d', 'new.o'], 'new.o old.d'],
    [['old.d', 'old.o', 'new.d', 'new.o'], 'new.d new.o old.d old.o'],
    [['old.d', 'old.bare', 'new.d'], 'new.d old.d old.bare'],
    [['twin-a.d', 'twin-b.d'], 'twin-b.d twin-a.d'],
    [['new.d', 'ageless.d'], 'ageless.d new.d'],
  ])('established-challenger merges %j in the order "%s" (X-03, C-02)', (names, expected) => {
    expect(turnsOf(names, 'established-challenger')).toBe(expected);
  });

  it('does not depend on the order of the policies, and does not change the list (M-27)', () => {
    const names = ['old.d', 'old.o', 'mid.d', 'mid.o', 'new.d', 'new.o', 'ageless.d'] as const;
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...names]),
        fc.constantFrom<SameLevel>('oldest-wins', 'established-challenger'),
        (shuffled, sameLevel) => {
          // A policy's own layers keep their order.
          const byPolicy = (a: LayerName, b: LayerName): number =>
            layers[a].name === layers[b].name ? names.indexOf(a as never) - names.indexOf(b as never) : 0;
          const ordered = names.filter((name) => shuffled.includes(name));
          const policies = [...new Set(shuffled.map((name) => layers[name].name))];
          const mixed = policies.flatMap((policy) =>
            shuffled.filter((name) => layers[name].name === policy).sort(byPolicy),
          );
          const frozen = Object.freeze([...mixed]);
          expect(turnsOf(frozen, sameLevel)).toBe(turnsOf(ordered, sameLevel));
        },
      ),
    );
  });
});

describe('sameLevelOrder', () => {
  it('sorts by age, then by name, regardless of levels (C-02, C-03)', () => {
    expect(sameLevelOrder.rank(layers['new.d'], layers['old.d'])).toMatchObject({
      established: layers['old.d'],
      rule: 'age',
    });
    expect(sameLevelOrder.rank(layers['twin-b.d'], layers['twin-a.d'])).toMatchObject({
      established: layers['twin-a.d'],
      rule: 'name',
    });
  });
});
