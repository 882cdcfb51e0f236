// impact/: the effects of a change. Takes effective policies and a change of resources, and returns the effective policies and outcomes that
// would differ. Contexts before and after belong together where they share a path.

import type { EffectivePolicies, EffectivePolicy, Trial } from '@policy-machinery/effective-policy';
import type { JsonValue } from '@policy-machinery/resource';
import type { TopologyChange, TopologyDelta } from '@policy-machinery/topology';
import type { EffectivePoliciesInput } from '../effective-policies-input.ts';
import { type PatchOperation, patchBetween } from '../json-patch.ts';
import type { ChangedContext } from './changed-contexts.ts';
import { type ChangedField, changedFields } from './changed-fields.ts';
import { type Compared, compare } from './compared.ts';
import { changedIn, impactOnKind, type OutcomeChange, outcomeChanges } from './impact-on-kind.ts';

/** The impact of a change of resources. */
export interface Impact<Spec = unknown> {
  /** The targets and policies that would be added or removed, or get other links or attachments. */
  readonly delta: TopologyDelta;
  /** The effective policies that would be added, removed or changed, in the order of their targets. */
  readonly effective: readonly EffectiveChange<Spec>[];
  /** The policies with another outcome or message, in the order of their locators. */
  readonly outcomes: readonly OutcomeChange[];
}

/** An effective policy before and after a change. */
export interface EffectiveChange<Spec = unknown> {
  /** Locator of the target. */
  readonly target: string;
  /** The effective policy before; `undefined` if there is none. */
  readonly before: EffectivePolicy<Spec> | undefined;
  /** The effective policy after; `undefined` if there is none. */
  readonly after: EffectivePolicy<Spec> | undefined;
  /** The fields that differ, for display: objects field by field, other values as a whole. */
  readonly fields: readonly ChangedField[];
  /** The JSON Patch from the effective spec before to the one after; the whole spec is added or removed if one of them is absent. */
  readonly patch: readonly PatchOperation[];
}

/**
 * Returns the changes that applying or removing resources would cause. The topology stays unchanged.
 *
 * Results that `effective` has computed are reused, and contexts with the same resources are merged once for before and after.
 *
 * @param effective The effective policies of one kind, or of several of the same topology: O(resources) for each question. Or a trial of these:
 * Cost: O(affected targets). With a trial, the targets, ancestors and paths of an effective policy after the change are as without the
 * change when this has returned.
 * @param change The resources.
 * @returns The impact; its lists are empty if nothing would change.
 * @throws {PolicyMachineryError} The errors of `Topology.apply` for the change; `different-topologies`, if the effective
 * policies are of more than one topology, or there are none.
 * @example
 * ```ts
 * for (const { target, patch } of impact(effective, { remove: [policyRef] }).effective) console.log(target, patch);
 * ```
 */
export function impact<Spec>(
  effective: EffectivePolicies<Spec> | Trial<EffectivePolicies<Spec>>,
  change: TopologyChange,
): Impact<Spec>;
export function impact(effective: EffectivePoliciesInput | Trial, change: TopologyChange): Impact;
export function impact(effective: EffectivePoliciesInput | Trial, change: TopologyChange): Impact {
  return compare(effective, change, (compared, delta) => ({ delta, ...impactBetween(compared, changedIn(delta)) }));
}

/**
 * Returns the differences between effective policies before and after a change.
 *
 * @param compared The effective policies of each kind, after a change as `EffectivePolicies.in` returns them.
 * @param changed The locators of the objects that differ.
 */
export function impactBetween(compared: readonly Compared[], changed: readonly string[]): Omit<Impact, 'delta'> {
  const kinds = compared.map((it) => impactOnKind(it, changed));
  return {
    effective: kinds
      .flatMap(({ contexts }) => effectiveChanges(contexts))
      .sort((a, b) => compareText(a.target, b.target)),
    outcomes: kinds.flatMap(outcomeChanges).sort((a, b) => compareText(a.policy, b.policy)),
  };
}

/** Returns the contexts with a spec that differs. Thousands of contexts share theirs, so equal pairs share one difference. */
function effectiveChanges(contexts: readonly ChangedContext[]): readonly EffectiveChange[] {
  const last = new Map<unknown, Pick<EffectiveChange, 'fields' | 'patch'> & { readonly to: unknown }>();
  return contexts.flatMap((context) => {
    const [from, to] = [context.before?.key, context.after?.key];
    const same = last.get(from);
    const isSame = same !== undefined && same.to === to;
    const { fields, patch } = isSame ? same : differenceOf(context.before?.spec, context.after?.spec);
    last.set(from, { fields, patch, to });
    return patch.length === 0 ? [] : [{ ...context, fields, patch }];
  });
}

function differenceOf(old: unknown, young: unknown): Pick<EffectiveChange, 'fields' | 'patch'> {
  const patch = patchFrom(old, young);
  const fields = patch.length === 0 ? [] : changedFields(old as JsonValue | undefined, young as JsonValue | undefined);
  return { fields, patch };
}

function patchFrom(previousValue: unknown, currentValue: unknown): readonly PatchOperation[] {
  if (currentValue === undefined) return previousValue === undefined ? [] : [{ op: 'remove', path: '' }];
  if (previousValue === undefined) return [{ op: 'add', path: '', value: currentValue as JsonValue }];
  return patchBetween(previousValue as object, currentValue as object);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
