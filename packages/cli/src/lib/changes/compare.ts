import { Gateway } from '@policy-machinery/gateway-api';
import type { Impact } from '@policy-machinery/policy-status/impact';
import { impactBetween } from '@policy-machinery/policy-status/inner';
import { type Issue, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { releasedDefinitions } from '@policy-machinery/schemas';
import { assumedGateways } from '../input/assumed-gateways.ts';
import { completeForBoth, nothing } from '../input/completeness.ts';
import { asStored } from '../input/files/as-stored.ts';
import { placed } from '../input/files/in-namespace.ts';
import { requiredKindsOf } from '../input/kinds/hierarchies.ts';
import { findKinds } from '../input/kinds/kinds.ts';
import { readOwnKinds } from '../input/kinds/own-kinds.ts';
import { createWorld, isDefinition } from '../input/world.ts';
import type { Finding } from '../model/answer.ts';
import type { Options } from '../model/flags.ts';
import type { Unrendered } from '../model/unrendered.ts';
import type { World } from '../model/world.ts';

/** The objects before or after a change. */
export interface Side {
  readonly objects: readonly KubernetesObject[];
  /** Returns an issue about one of the objects, with its position in a file. */
  readonly locate: (issue: Issue) => Issue;
  /** The findings about the texts of the objects. */
  readonly issues: readonly Finding[];
  /** The input that must be rendered before it is applied. */
  readonly unrendered: Unrendered;
}

export type Sides = readonly [before: Side, after: Side];

/** Two worlds with the same kinds. */
export interface Worlds {
  readonly before: World;
  readonly after: World;
  /** Notes about the comparison itself. */
  readonly notes: readonly string[];
}

/** Two worlds, and the differences between them. */
export interface Comparison extends Worlds {
  readonly impact: Pick<Impact, 'effective' | 'outcomes'>;
}

/**
 * Compares two sets of objects by their content: statuses do not count. The kinds come from both sets; if both define a kind, the
 * later definition counts.
 *
 * @param options The kinds and dialects of the command, and the namespace of objects that have none.
 * @param isGiven The kinds and namespaces with complete objects. Default: nothing; a Gateway that neither side has is then assumed.
 * @returns The comparison. Rejects if a file of `--kinds` cannot be read.
 */
export async function compareSides(written: Sides, options: Options, isGiven = nothing): Promise<Comparison> {
  const { changed, ...worlds } = await worldsOf(written, options, isGiven);
  return { ...worlds, impact: impactOf(worlds, changed) };
}

/**
 * Returns the worlds of two sets of objects, as {@link compareSides} does, with the locators of the objects that differ.
 *
 * @param options The kinds and dialects of the command, and the namespace of objects without one.
 * @param isGiven The kinds and namespaces with complete objects. Default: nothing.
 */
export async function worldsOf(
  written: Sides,
  options: Options,
  isGiven = nothing,
): Promise<Worlds & { readonly changed: readonly string[] }> {
  const own = await readOwnKinds(options.kinds);
  const defining = definingObjects(written);
  const definitions = [...own.definitions, ...defining];
  const released = await releasedDefinitions(definitions);
  const sides = written.map((side) => asStored(side, definitions, released));
  const found = findKinds(defining, own, { ...options, ignoreStatus: true }, released);
  const { namespace, showSecrets = false } = options;
  const [before, placedAfter] = sides.map((side) => placed(side, requiredKindsOf(found), namespace)) as [Side, Side];
  const earlier = new Map(before.objects.map((object) => [locatorOf(object), object]));
  const after = { ...placedAfter, objects: placedAfter.objects.map((object) => sameOf(object, earlier)) };
  const isComplete = completeForBoth(isGiven, [...before.objects, ...after.objects]);
  const all = isGiven(Gateway, undefined) ? [] : [...before.objects, ...after.objects];
  const worldOf = (side: Side, earlierWorld?: World): World => {
    const assumed = assumedGateways(all, side.objects);
    const scope = { namespace: undefined };
    const parts = { assumed, found, released, namespace, scope, isComplete, showSecrets };
    return createWorld({ ...side, ...parts, ignoreStatus: true, earlier: earlierWorld });
  };
  const old = worldOf(before);
  const [changed, gone] = [without(after.objects, before.objects), without(before.objects, after.objects)];
  return {
    before: old,
    after: worldOf(after, old),
    changed: [...changed, ...gone].map((object) => locatorOf(object)),
    notes: changed
      .filter((object) => isDefinition(object) && earlier.has(locatorOf(object)))
      .map(({ metadata: { name } }) => `The definition ${name} changes; both sides are read by the new version.`),
  };
}

function without<Item>(items: readonly Item[], others: readonly Item[]): readonly Item[] {
  const left = new Set(others);
  return items.filter((item) => !left.has(item));
}

/** Returns the objects of both sides; of those that are on both, the later ones. */
function definingObjects([before, after]: Sides): readonly KubernetesObject[] {
  const later = new Set(after.objects.map((object) => locatorOf(object)));
  return [...after.objects, ...before.objects.filter((object) => !later.has(locatorOf(object)))];
}

/** Returns the differences, kind by kind. The kinds of both worlds are the same objects. */
function impactOf(worlds: Worlds, changed: readonly string[]): Comparison['impact'] {
  const views = new Map(worlds.after.views.map((view) => [view.found, view.effective]));
  const compared = worlds.before.views.map((view) => {
    const young = views.get(view.found);
    if (young === undefined) throw new TypeError(`only one world has ${view.found.kind.kind}`);
    return { before: view.effective, after: young };
  });
  return impactBetween(compared, changed);
}

/** Returns an earlier object if it is the same, so that its results are shared. Comments and formatting do not count. */
function sameOf(object: KubernetesObject, earlier: ReadonlyMap<string, KubernetesObject>): KubernetesObject {
  const other = earlier.get(locatorOf(object));
  return other !== undefined && JSON.stringify(object) === JSON.stringify(other) ? other : object;
}
