/**
 * The engine against a naive second implementation, on random small worlds.
 *
 * `PROPERTY_RUNS` sets how many worlds each test tries (default 500): 100,000 in all take `PROPERTY_RUNS=12500`. A
 * failing world is printed, shrunk, with the seed that brings it back.
 */
import { isJsonObject, type JsonValue, valueAt } from '@policy-machinery/resource';
import { createTopology, type Path } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EffectivePolicies, effectivePolicies } from '../lib/effective-policies.ts';
import { type Context, EffectivePolicy } from '../lib/effective-policy.ts';
import type { PlacedLayer } from '../lib/layout.ts';
import { museumKinds } from './museum.fixture.ts';
import { type ExpectedPath, expectedPaths } from './oracle.fixture.ts';
import { policyKindOf, type World, worlds } from './worlds.fixture.ts';

type Spec = Record<string, unknown>;

const numRuns = Number(process.env.PROPERTY_RUNS ?? 500);
const timeout = 10_000 + numRuns * 50;

describe('effectivePolicies on random worlds', () => {
  const holds = (property: string, check: (world: World) => void): void => {
    it(property, () => fc.assert(fc.property(worlds, check), { numRuns }), timeout);
  };

  holds(
    'gives every path the spec that merging its policies one by one gives (M-09, C-01 to C-06, X-03, X-04)',
    (world) => {
      const specs = new Map(
        [...contextsIn(compute(world))].flatMap((context) => {
          const spec = context instanceof EffectivePolicy ? context.spec : undefined;
          return [...context.paths()].map((path) => [written(path), spec]);
        }),
      );
      expect(specs).toEqual(new Map(expectedPaths(world).map(({ path, spec }) => [path.join(' '), spec])));
    },
  );

  holds('lists exactly the paths of each context, and counts them (H-07)', (world) => {
    const contexts = [...contextsIn(compute(world))].map((context) => {
      const paths = [...context.paths()].map(written).sort();
      expect(context.pathCount).toBe(BigInt(paths.length));
      return [
        keyOf(
          context.target.locator,
          context.levels.map(({ target }) => target.locator),
        ),
        paths,
      ];
    });
    const expected = new Map<string, string[]>();
    for (const { target, levels, path } of expectedPaths(world)) {
      const key = keyOf(target, levels);
      expected.set(key, [...(expected.get(key) ?? []), path.join(' ')].sort());
    }
    expect(contexts.sort(byFirst)).toEqual([...expected].sort(byFirst));
  });

  holds('leaves uncovered exactly the contexts without a policy', (world) => {
    const uncovered = compute(world)
      .uncovered()
      .flatMap((context) => [...context.paths()].map(written));
    const expected = expectedPaths(world).filter(({ spec }) => spec === undefined);
    expect(uncovered.sort()).toEqual(expected.map(({ path }) => path.join(' ')).sort());
  });

  holds('names for each field a policy that says just that (M-24)', (world) => {
    const wrong = [...compute(world)].flatMap((policy) => {
      const listed = new Map(policy.fields.map((field) => [field.pointer, field]));
      return leavesOf(policy.spec as JsonValue).filter(({ pointer, value }) => {
        const origins = policy.originsOf(pointer);
        const [origin] = origins;
        const said = valueAt((origin?.spec ?? {}) as JsonValue, pointer);
        const field = listed.get(pointer);
        const isSaid = origins.length === 1 && JSON.stringify(said) === JSON.stringify(value);
        const isListed = field?.value === value && field.by.length === 1 && field.by[0] === origin;
        return !isSaid || !isListed || !policy.layers.some((placed) => same(placed, origin));
      });
    });
    expect(wrong).toEqual([]);
  });

  holds('accounts for every field of every policy: it is in the effective spec or among the losses (S-06)', (world) => {
    const wrong = [...compute(world)].flatMap(({ fields, layers, losses }) => {
      const unaccounted = layers.flatMap((placed) =>
        leavesOf(placed.spec as JsonValue).filter(({ pointer, value }) => {
          const isLost = losses.some((loss) => same(loss.layer, placed) && isWithin(pointer, loss.pointer));
          const isKept = fields.some((field) => field.pointer === pointer && field.by.some((by) => same(by, placed)));
          if (isEmpty(value) && !isKept) return false; // Merged with an object that says more, it leaves no trace.
          return isLost === isKept;
        }),
      );
      const senseless = losses.filter(({ layer, pointer, to }) => {
        const isSaid = valueAt(layer.spec as JsonValue, pointer) !== undefined;
        return !isSaid || to.length === 0 || to.some((winner) => same(winner, layer));
      });
      return [...unaccounted, ...senseless];
    });
    expect(wrong).toEqual([]);
  });

  holds('says of each field over whom it was set, and of each of them once', (world) => {
    const wrong = [...compute(world)].flatMap(({ fields, layers }) =>
      fields.filter(({ pointer, by, over }) => {
        const others = layers.filter((placed) => {
          return !by.some((it) => same(it, placed)) && isContested(placed.spec as JsonValue, pointer);
        });
        const losers = over.map(({ layer, pointer: lost }) => [layer.pointer, layer.policy.name, lost].join());
        const missesOne = by.length > 0 && others.some((other) => !over.some(({ layer }) => same(layer, other)));
        return missesOne || by.length + over.length === 0 || new Set(losers).size < losers.length;
      }),
    );
    expect(wrong).toEqual([]);
  });

  it(
    'does not depend on the order of the resources (M-27)',
    () => {
      const shuffled = worlds.chain((world) => {
        const { resources } = world;
        return fc
          .shuffledSubarray([...resources], { minLength: resources.length })
          .map((others) => [world, { ...world, resources: others }] as const);
      });
      const check = fc.property(shuffled, ([world, other]) => {
        expect(summaryOf(compute(other))).toEqual(summaryOf(compute(world)));
      });
      fc.assert(check, { numRuns });
    },
    timeout,
  );

  holds('neither changes nor freezes what it is given, and takes what is frozen', (world) => {
    const before = JSON.stringify(world.resources);
    const summary = summaryOf(compute(world));
    expect(JSON.stringify(world.resources)).toBe(before);
    expect(partsOf(world.resources).some((part) => Object.isFrozen(part))).toBe(false);

    const resources = structuredClone(world.resources);
    for (const part of partsOf(resources)) Object.freeze(part);
    expect(summaryOf(compute({ ...world, resources }))).toEqual(summary);
  });
});

function compute(world: World): EffectivePolicies<Spec> {
  const kind = policyKindOf(world);
  const topology = createTopology({ targetKinds: museumKinds, policyKinds: [kind] });
  topology.apply({ upsert: world.resources });
  const effective = effectivePolicies(topology, kind);
  const expectable = ['missing-target', 'missing-creation-timestamp']; // Not every namespace exists, not all are dated.
  expect([...topology.issues, ...effective.issues].filter(({ code }) => !expectable.includes(code))).toEqual([]);
  return effective;
}

function* contextsIn(effective: EffectivePolicies<Spec>): Iterable<Context<Spec>> {
  yield* effective;
  yield* effective.uncovered();
}

function written(path: Path): string {
  return path.map(({ locator }) => locator).join(' ');
}

function keyOf(target: string, levels: ExpectedPath['levels']): string {
  return `${target} through ${levels.join(' ')}`;
}

function byFirst([a]: readonly unknown[], [b]: readonly unknown[]): number {
  return String(a) < String(b) ? -1 : 1;
}

/** All that can be read from the effective policies, in their order. */
function summaryOf(effective: EffectivePolicies<Spec>): unknown {
  const layerOf = ({ policy, pointer, depth }: PlacedLayer<Spec>) => [policy.locator, pointer, depth];
  return [...contextsIn(effective)].map((context) => [
    context.target.locator,
    context.pathCount,
    context.levels.map(({ target, policies }) => [target.locator, policies.map(({ name }) => name)]),
    [...context.paths()].map(written),
    ...(context instanceof EffectivePolicy
      ? [
          context.spec,
          context.layers.map(layerOf),
          context.origins.map(({ pointer, by }) => [pointer, by.map(layerOf)]),
          context.losses.map(({ layer, to, ...loss }) => ({ ...loss, layer: layerOf(layer), to: to.map(layerOf) })),
        ]
      : []),
  ]);
}

/** The fields that hold no further fields. */
function leavesOf(value: JsonValue, pointer = ''): { pointer: string; value: JsonValue }[] {
  if (!isJsonObject(value) || isEmpty(value)) return [{ pointer, value }];
  return Object.entries(value).flatMap(([key, field]) => leavesOf(field, `${pointer}/${key.replaceAll('/', '~1')}`));
}

function isEmpty(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function isWithin(pointer: string, whole: string): boolean {
  return pointer === whole || pointer.startsWith(`${whole}/`);
}

/** Whether a spec sets a field, a part of it, or something instead of the object that holds it. */
function isContested(spec: JsonValue, pointer: string): boolean {
  return leavesOf(spec).some((leaf) => {
    return !isEmpty(leaf.value) && (isWithin(leaf.pointer, pointer) || isWithin(pointer, leaf.pointer));
  });
}

function same(a: PlacedLayer<Spec>, b: PlacedLayer<Spec> | undefined): boolean {
  return a.policy === b?.policy && a.pointer === b.pointer && a.depth === b.depth;
}

function partsOf(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(partsOf)];
}
