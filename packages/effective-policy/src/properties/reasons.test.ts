/** What effective policies say about their fields, on random small worlds: who set them, and who lost them. */
import { isJsonObject, type JsonValue, locatorOf, valueAt } from '@policy-machinery/resource';
import { describe, expect } from 'vitest';
import type { ContextLayer } from '../lib/fold/context-layer.ts';
import type { Loss } from '../lib/reasons/loss.ts';
import type { PolicyShare } from '../lib/reasons/policy-share.ts';
import { compute, computeWithIssues, holds, type Spec } from './compute.fixture.ts';
import { isSame } from './oracle/documents.fixture.ts';
import { anyRules, rulesWith } from './random-rules.fixture.ts';
import { takesAsIs } from './strategies.fixture.ts';
import { narrowWorldsBy, type World } from './worlds.fixture.ts';

const everything = narrowWorldsBy(anyRules);
/** Worlds in which nothing is combined: each value is as one policy says it. */
const asIs = narrowWorldsBy(rulesWith([...takesAsIs].filter((name) => name !== 'none')));

describe('the reasons of effective policies on random worlds', () => {
  holds('name for each field a policy that says just that (M-24)', asIs, (world) => {
    const wrong = [...compute(world)].flatMap(({ fields, layers, spec }) => {
      return fields.flatMap(({ pointer, value, by }) => {
        const [origin] = by;
        const said = valuesAt(origin?.spec as JsonValue, pointer, spec as JsonValue);
        const isSaid = by.length === 1 && said.some((it) => isSame(ordered(it), ordered(value)));
        const isPlaced = layers.some((placed) => same(placed, origin));
        return value === undefined || (isSaid && isPlaced) ? [] : [[pointer, value, by.map(nameOf)]];
      });
    });
    expect(wrong).toEqual([]);
  });

  holds('list each field of the spec, with its value', everything, (world) => {
    const wrong = [...compute(world)].flatMap(({ spec, fields }) => {
      const listed = fields.filter(({ value }) => value !== undefined);
      const misquoted = listed.filter(({ pointer, value }) => !isSame(valueAt(spec as JsonValue, pointer), value));
      const missed = leavesOf(spec as JsonValue).filter(({ pointer, value }) => {
        return !isEmpty(value) && !listed.some((field) => isWithin(pointer, field.pointer));
      });
      return [...misquoted, ...missed].map(({ pointer, value }) => [pointer, value]);
    });
    expect(wrong).toEqual([]);
  });

  holds('account for every field of every policy: it is in the spec, or among the losses (S-06)', asIs, (world) => {
    const wrong = [...compute(world)].flatMap(({ fields, layers, losses, spec }) =>
      layers.flatMap((placed) =>
        leavesOf(placed.spec as JsonValue).flatMap(({ pointer, value }) => {
          const places = placesOf(placed.spec as JsonValue, pointer, spec as JsonValue);
          const isThere = (whole: string): boolean => places.some((place) => isWithin(place, whole));
          const isLost = losses.some((loss) => same(loss.layer, placed) && isThere(loss.pointer));
          const isKept = fields.some(
            ({ pointer: at, by, agreeing }) => isThere(at) && [...by, ...agreeing].some((it) => same(it, placed)),
          );
          // Merged with one that says more, an empty object or list of items leaves no trace.
          const isTraceless = isEmpty(value) || (pointer.endsWith('/items') && isSame(value, [])) || isKey(pointer);
          return isLost || isKept || isTraceless ? [] : [[nameOf(placed), pointer, value]];
        }),
      ),
    );
    expect(wrong).toEqual([]);
  });

  // What a policy unsets it can lose besides what it sets.
  const withoutUnset = rulesWith(['atomic', 'patch', 'fields', 'shallow', 'rules']).map((rules) => {
    return { ...rules, unset: false };
  });
  holds('say of each field over whom it was set, and of each of them once', narrowWorldsBy(withoutUnset), (world) => {
    const wrong = [...compute(world)].flatMap(({ fields, layers }) =>
      fields.flatMap(({ pointer, by, over, agreeing }) => {
        const losers = over.map(({ layer, pointer: lost }) => `${nameOf(layer)} ${lost}`);
        const missed = layers.filter((placed) => {
          const isIn =
            [...by, ...agreeing].some((it) => same(it, placed)) ||
            isKey(pointer) ||
            over.some(({ layer }) => same(layer, placed));
          return by.length > 0 && !isIn && isContested(placed.spec as JsonValue, pointer);
        });
        const isTwice = new Set(losers).size < losers.length;
        return isTwice || missed.length > 0 ? [[pointer, by.map(nameOf), losers, missed.map(nameOf)]] : [];
      }),
    );
    expect(wrong).toEqual([]);
  });

  holds('tell of no loss that is none', everything, (world) => {
    const senseless = [...compute(world)].flatMap(({ losses }) =>
      losses.flatMap(({ layer, pointer, winners, rule }) => {
        const isToNobody = winners.length === 0 && rule !== 'condition-not-met';
        const isToItself = winners.some((winner) => same(winner, layer));
        return isToNobody || isToItself ? [[nameOf(layer), pointer, rule, winners.map(nameOf)]] : [];
      }),
    );
    expect(senseless).toEqual([]);
  });
});

describe('the losses of effective policies on random worlds', () => {
  holds(
    'name winners that beat the loser alone, or cannot be removed without a change for the loser',
    everything,
    (world) => {
      const without = memoized((locators) =>
        sharesIn({ ...world, resources: world.resources.filter((it) => !locators.includes(locatorOf(it))) }),
      );
      const policies = new Set([...compute(world)].flatMap(({ shares }) => shares.map(({ policy }) => policy.locator)));
      const now = sharesIn(world);
      const wrong = [...compute(world)].flatMap(({ target, shares }) =>
        shares.flatMap(({ policy: loser, losses }) =>
          losses.filter(isMerged).flatMap(({ winners, pointer }) =>
            winners.flatMap(({ policy: winner }) => {
              if (winner === loser || !policies.has(winner.locator)) return [];
              const alone = without([...policies].filter((it) => it !== winner.locator && it !== loser.locator));
              const at = `${target.locator} ${loser.locator}`;
              const beats = alone
                .get(at)
                ?.some(({ losses }) =>
                  losses.some((it) => it.winners.some(({ policy }) => policy.locator === winner.locator)),
                );
              const told = (shares: ReturnType<typeof sharesIn>) =>
                JSON.stringify(shares.get(at)?.map(lossesText).sort());
              const isChanged = told(without([winner.locator])) !== told(now);
              return beats || isChanged ? [] : [[at, pointer, winner.locator]];
            }),
          ),
        ),
      );
      expect(wrong).toEqual([]);
    },
  );

  holds('name the layers that set the field in the end', everything, (world) => {
    const wrong = [...compute(world)].flatMap((context) =>
      context.losses.flatMap(({ pointer, layer, holders }) => {
        const setters = context.originsOf(pointer);
        const strangers = holders.filter((it) => !setters.includes(it));
        return strangers.length === 0 ? [] : [[pointer, nameOf(layer), strangers.map(nameOf)]];
      }),
    );
    expect(wrong).toEqual([]);
  });

  holds('of one of two layers are not of values that the spec has at the same place', everything, (world) => {
    const wrong = [...compute(world)].flatMap(({ losses, layers, spec }) =>
      losses
        .filter((loss) => layers.length === 2 && isMerged(loss))
        .flatMap(({ layer, pointer }) => {
          const lost = valueAt(layer.spec as JsonValue, pointer);
          const isEqual = lost !== undefined && lost !== null && isSame(lost, valueAt(spec as JsonValue, pointer));
          return isEqual && !pointer.includes('items') ? [[nameOf(layer), pointer, lost]] : [];
        }),
    );
    expect(wrong).toEqual([]);
  });
});

/** Whether a loss was decided by a merge. */
function isMerged({ rule, strategy }: Loss<Spec>): boolean {
  return rule !== 'condition-not-met' && strategy !== 'None';
}

/** Returns the shares of each policy on each target. */
function sharesIn(world: World): ReadonlyMap<string, readonly PolicyShare<Spec>[]> {
  const byPolicy = new Map<string, PolicyShare<Spec>[]>();
  for (const { target, shares } of computeWithIssues(world).effective) {
    for (const share of shares) {
      const key = `${target.locator} ${share.policy.locator}`;
      byPolicy.set(key, [...(byPolicy.get(key) ?? []), share]);
    }
  }
  return byPolicy;
}

function lossesText({ outcome, losses }: PolicyShare<Spec>): unknown {
  return [
    outcome,
    losses.map(({ pointer, rule, winners }) => [pointer, rule, winners.map(({ policy }) => policy.locator)]),
  ];
}

function memoized<Result>(of: (locators: readonly string[]) => Result): (locators: readonly string[]) => Result {
  const known = new Map<string, Result>();
  return (locators) => {
    const key = locators.join();
    const result = known.get(key) ?? of(locators);
    known.set(key, result);
    return result;
  };
}

/** A layer in a few words. */
function nameOf({ policy, pointer, depth }: ContextLayer<Spec>): string {
  return `${policy.name}${pointer} at ${depth}`;
}

/** Whether a field is the key of an item: all that merge the item have it. */
function isKey(pointer: string): boolean {
  return /\/items\/\d+\/name$/.test(pointer);
}

/** The fields that hold no further fields; items of lists are fields. */
function leavesOf(value: JsonValue, pointer = ''): { pointer: string; value: JsonValue }[] {
  const isHolder = (isJsonObject(value) && !isEmpty(value)) || isListOfObjects(value);
  if (!isHolder) return [{ pointer, value }];
  return Object.entries(value as object).flatMap(([key, field]) => leavesOf(field, `${pointer}/${escaped(key)}`));
}

/** Whether a spec sets a field, a part of it, or something instead of the object that holds it. */
function isContested(spec: JsonValue, pointer: string): boolean {
  return leavesOf(spec).some((leaf) => {
    return !isEmpty(leaf.value) && (isWithin(leaf.pointer, pointer) || isWithin(pointer, leaf.pointer));
  });
}

/** Where a field of a layer may be in the effective spec: where it says, and where the item of its name is. */
function placesOf(layer: JsonValue, pointer: string, effective: JsonValue): readonly string[] {
  const [, list, index, rest] = /^(\/items|\/p\/items)\/(\d+)(.*)$/.exec(pointer) ?? [];
  const there = list === undefined ? undefined : valueAt(effective, list);
  if (list === undefined || !Array.isArray(there)) return [pointer];
  const item = valueAt(layer, `${list}/${index}`);
  const places = there.flatMap((other, place) => (keyOf(other) === keyOf(item) ? [`${list}/${place}${rest}`] : []));
  return [pointer, ...places];
}

/** What a layer says of a field of the effective spec, there or in the item of that name. */
function valuesAt(layer: JsonValue, pointer: string, effective: JsonValue): readonly (JsonValue | undefined)[] {
  return placesOf(effective, pointer, layer).map((place) => valueAt(layer, place));
}

function keyOf(item: JsonValue | undefined): unknown {
  return item !== undefined && isJsonObject(item) ? item.name : item;
}

/** Lists of objects in one order: merged by key they keep that of the yielding list. */
function ordered(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || !isListOfObjects(value)) return value;
  return [...(value as JsonValue[])].sort((a, b) => (String(keyOf(a)) < String(keyOf(b)) ? -1 : 1));
}

function isListOfObjects(value: JsonValue): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isJsonObject);
}

function isEmpty(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function isWithin(pointer: string, whole: string): boolean {
  return pointer === whole || pointer.startsWith(`${whole}/`);
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function same(a: ContextLayer<Spec>, b: ContextLayer<Spec> | undefined): boolean {
  return a.policy === b?.policy && a.pointer === b.pointer && a.depth === b.depth;
}
