import type { PolicyShare } from '@policy-machinery/effective-policy';
import type { TargetNode } from '@policy-machinery/topology';
import { byTopologyOrder } from '@policy-machinery/topology/inner';
import { isEquivalent } from '../equivalent.ts';
import type { ChangedContext } from './changed-contexts.ts';
import type { ImpactOnKind } from './impact-on-kind.ts';

/** The fields that a policy loses by a change, and the number of scopes. */
export interface LostFields {
  readonly fields: Set<string>;
  scopes: number;
}

/** Returns the fields that each policy loses in scopes that it has before and after a change, by locator. */
export function lostFields(contexts: readonly ChangedContext[]): ReadonlyMap<string, LostFields> {
  const lostByPolicy = new Map<string, LostFields>();
  for (const { before, after } of contexts) {
    if (before === undefined || after === undefined) continue;
    const was = new Map(before.shares.map((share) => [share.policy.locator, share]));
    for (const share of after.shares) {
      const { locator } = share.policy;
      const earlier = was.get(locator);
      const lost = earlier === undefined ? [] : newlyLost(earlier, share);
      if (lost.length === 0) continue;
      const lostFields = lostByPolicy.get(locator) ?? { fields: new Set(), scopes: 0 };
      lostByPolicy.set(locator, lostFields);
      lostFields.scopes += 1;
      for (const pointer of lost) lostFields.fields.add(pointer);
    }
  }
  return lostByPolicy;
}

/** Returns the fields that a policy newly loses in a scope. */
function newlyLost(shareBefore: PolicyShare<unknown>, share: PolicyShare<unknown>): readonly string[] {
  if (shareBefore.outcome === 'overridden' || shareBefore.outcome === 'conflicted') return [];
  const lostBefore = lostIn(shareBefore);
  return lostIn(share).filter((pointer) => !lostBefore.some((it) => pointer === it || pointer.startsWith(`${it}/`)));
}

/** Returns the fields that a policy has lost to others, or by its condition. */
function lostIn({ policy, losses, outcome }: PolicyShare<unknown>): readonly string[] {
  if (outcome === 'enforced') return [];
  const toOthers = losses.filter(
    ({ winners }) => winners.length === 0 || winners.some((winner) => winner.policy !== policy),
  );
  return toOthers.map(({ pointer }) => pointer);
}

/** Returns the targets that policies reached in all contexts before, and no longer do, although paths lead to them; in the order of the topology. */
export function uncoveredTargets({ before, after, contexts }: ImpactOnKind): readonly TargetNode[] {
  const targets = new Set(contexts.flatMap((it) => (it.before === undefined ? [] : [it.target])));
  const uncovered = [...targets].flatMap((locator) => {
    const target = after.topology.get(locator);
    if (target === undefined || before.uncovered(locator).length > 0) return [];
    return after.uncovered(target).length > 0 ? [target] : [];
  });
  return uncovered.sort(byTopologyOrder);
}

/** Returns the targets that exist before and after with different effective policies, in the order of the topology. */
export function alteredTargets({ before, after, contexts }: ImpactOnKind): readonly TargetNode[] {
  const altered = new Set<string>();
  for (const { target, before: old, after: young } of contexts) {
    if (!altered.has(target) && !isEquivalent(old?.spec, young?.spec)) altered.add(target);
  }
  const both = [...altered].flatMap((locator) =>
    before.topology.get(locator) === undefined ? [] : (after.topology.get(locator) ?? []),
  );
  return both.sort(byTopologyOrder);
}

/** The replacement of a policy. */
export interface Fallbacks {
  /** The number of scopes where others set its fields instead, by their locators; `''` for the targets themselves. */
  readonly heirs: ReadonlyMap<string, number>;
  /** The fields that others set. */
  readonly fields: ReadonlySet<string>;
  /** The fields that are no longer set where another policy still applies. */
  readonly unset: LostFields;
}

/** Returns the values that replace a deleted policy. */
export function fallbacks({ contexts, after: view }: ImpactOnKind, policy: string | undefined): Fallbacks {
  const heirs = new Map<string, number>();
  const fields = new Set<string>();
  const unset: LostFields = { fields: new Set(), scopes: 0 };
  for (const { before, after } of contexts) {
    if (before === undefined || after === undefined) continue;
    if (!before.shares.some((share) => share.contributes && share.policy.locator === policy)) continue;
    const locatorsHere = new Set<string>();
    let isUnset = false;
    for (const { pointer, by, value } of before.fields) {
      if (value === undefined || !by.some((it) => it.policy.locator === policy)) continue;
      const setters = after.originsOf(pointer);
      for (const setter of setters) locatorsHere.add(nameOfHeir(setter.policy.locator));
      if (setters.length > 0) fields.add(pointer);
      else unset.fields.add(pointer);
      isUnset ||= setters.length === 0;
    }
    for (const heir of locatorsHere) heirs.set(heir, (heirs.get(heir) ?? 0) + 1);
    if (isUnset) unset.scopes += 1;
  }
  return { heirs, fields, unset };

  function nameOfHeir(locator: string): string {
    return view.topology.policy(locator) === undefined ? '' : locator;
  }
}
