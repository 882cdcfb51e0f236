/** What effective policies say about their fields, on random small worlds: who set them, and who lost them. */
import { isJsonObject, type JsonValue, valueAt } from '@policy-machinery/resource';
import { describe, expect } from 'vitest';
import type { ContextLayer } from '../lib/fold/context-layer.ts';
import { finalLosses, type Loss } from '../lib/reasons/loss.ts';
import { compute, holds, type Spec } from './compute.fixture.ts';
import { isSame } from './oracle/documents.fixture.ts';
import { anyRules, rulesWith } from './random-rules.fixture.ts';
import { takesAsIs } from './strategies.fixture.ts';
import { narrowWorldsBy } from './worlds.fixture.ts';

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
          const isKept = fields.some((field) => isThere(field.pointer) && field.by.some((by) => same(by, placed)));
          // Merged with one that says more, an empty object or list of items leaves no trace.
          const isTraceless = isEmpty(value) || (pointer.endsWith('/items') && isSame(value, []));
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
      fields.flatMap(({ pointer, by, over }) => {
        const losers = over.map(({ layer, pointer: lost }) => `${nameOf(layer)} ${lost}`);
        const missed = layers.filter((placed) => {
          const isIn = by.some((it) => same(it, placed)) || over.some(({ layer }) => same(layer, placed));
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
  const isMerged = ({ rule, strategy }: Loss<Spec>): boolean => rule !== 'condition-not-met' && strategy !== 'None';

  holds('go on to who has taken the same field from the winner', everything, (world) => {
    const wrong = [...compute(world)].flatMap(({ fields }) =>
      fields.flatMap(({ pointer, over }) => {
        // Items of lists that are merged by key change places; what one policy unsets, each of two may take from the other.
        const isUnset = over.some(({ winners }) => winners.some(({ unset }) => unset?.length));
        const isFixed = pointer !== '' && !pointer.includes('items') && !isUnset;
        const lost = over.filter((loss) => isFixed && loss.pointer === pointer && isMerged(loss));
        return lost.flatMap((loss, index) => {
          // What a policy loses to another of its layers it still holds.
          const toOthers = lost
            .slice(index + 1)
            .filter(({ layer, winners }) => winners.some((it) => it.policy !== layer.policy));
          const later = toOthers.map(({ layer }) => layer);
          const winners = finalLosses(loss).flatMap(({ winners }) => winners);
          const isPassedOn = winners.some((winner) => later.some((it) => same(it, winner)));
          return isPassedOn ? [[pointer, nameOf(loss.layer), winners.map(nameOf)]] : [];
        });
      }),
    );
    expect(wrong).toEqual([]);
  });

  holds('name in the end no policy that has itself lost all that it says', everything, (world) => {
    const wrong = [...compute(world)].flatMap(({ losses, origins }) => {
      const holders = origins.flatMap(({ by }) => by);
      const merged = losses.filter(isMerged);
      // Merged with one that says more, an empty object is lost without a trace.
      const isOut = (layer: ContextLayer<Spec>): boolean =>
        !leavesOf(layer.spec as JsonValue).some(({ value }) => isEmpty(value)) &&
        !holders.some((it) => same(it, layer)) &&
        merged.some((loss) => same(loss.layer, layer));
      return merged
        .flatMap((loss) => finalLosses(loss))
        .flatMap(({ layer, pointer, winners }) =>
          winners.filter(isOut).map((winner) => [pointer, nameOf(layer), nameOf(winner)]),
        );
    });
    expect(wrong).toEqual([]);
  });
});

/** A layer in a few words. */
function nameOf({ policy, pointer, depth }: ContextLayer<Spec>): string {
  return `${policy.name}${pointer} at ${depth}`;
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
