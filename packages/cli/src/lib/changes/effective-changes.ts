import type { ContextLayer, EffectivePolicy } from '@policy-machinery/effective-policy';
import type { EffectiveChange } from '@policy-machinery/policy-status';
import {
  formatPointer,
  groupKindKey,
  groupKindOf,
  type JsonValue,
  parsePointer,
  type SourcePosition,
} from '@policy-machinery/resource';
import { formatTarget, type TargetNode } from '@policy-machinery/topology';
import { pathsOf } from '../answers/fields.ts';
import type { PolicyView } from '../input/hierarchies.ts';
import type { World } from '../input/world.ts';
import type { Comparison } from './compare.ts';

/** A field of an effective policy that changes. */
export interface FieldChange {
  /** JSON Pointer into the spec. */
  readonly pointer: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  /** Names of the policies that set the field before, and after. */
  readonly wasSetBy: readonly string[];
  readonly setBy: readonly string[];
  /** Whether a policy that set the field is gone itself. */
  readonly isPolicyGone: boolean;
  /** Where the policy is written that sets the field, or that did so if nothing sets the field any more. */
  readonly position: SourcePosition | undefined;
}

/** An effective policy that changes. */
export interface TargetChange {
  readonly view: PolicyView;
  readonly target: TargetNode;
  /** The paths to the target, for people. */
  readonly through: readonly string[];
  readonly change: 'added' | 'removed' | 'changed';
  readonly fields: readonly FieldChange[];
}

/**
 * Returns what changes for targets.
 *
 * @param comparison What is compared.
 * @returns One for each effective policy that changes, in the order of targets.
 */
export function targetChanges(comparison: Comparison): readonly TargetChange[] {
  const views = new Map(comparison.before.views.map((view) => [groupKindKey(view.found.kind), view]));
  return comparison.impact.effective.flatMap((change): readonly TargetChange[] => {
    const policy = change.after ?? change.before;
    const view = policy && views.get(kindOf(policy));
    if (policy === undefined || view === undefined) return [];
    return [
      {
        view,
        target: policy.target,
        through: pathsOf(policy),
        change: change.before === undefined ? 'added' : change.after === undefined ? 'removed' : 'changed',
        fields: change.fields.map((field) => fieldChange(change, field, view, comparison)),
      },
    ];
  });
}

/** Returns the key of the kind of an effective policy: that of any policy in it. */
function kindOf({ levels }: EffectivePolicy<unknown>): string {
  const [policy] = levels.flatMap(({ policies }) => policies);
  return policy === undefined ? '' : groupKindKey(groupKindOf(policy.resource));
}

type Layers = readonly ContextLayer<unknown>[];

function fieldChange(
  { before, after }: EffectiveChange,
  field: EffectiveChange['fields'][number],
  { found: { merging } }: PolicyView,
  comparison: Comparison,
): FieldChange {
  const [was, is] = [before?.originsOf(field.pointer) ?? [], after?.originsOf(field.pointer) ?? []];
  return {
    // The specs of policies that are not merged are fields, by the names of the policies.
    pointer: merging === 'known' ? field.pointer : formatPointer(parsePointer(field.pointer).slice(1)),
    before: field.before,
    after: field.after,
    wasSetBy: namesOf(was),
    setBy: namesOf(is),
    isPolicyGone: was.some(({ policy }) => !isThere(comparison.after, policy.locator)),
    position:
      is.length > 0
        ? positionOf(is, field.pointer, comparison.after)
        : positionOf(was, field.pointer, comparison.before),
  };
}

function isThere({ topologies }: World, policy: string): boolean {
  return topologies.some((topology) => topology.policy(policy) !== undefined);
}

function namesOf(layers: Layers): readonly string[] {
  return [...new Set(layers.map(({ policy: { name } }) => name))];
}

function positionOf([layer]: Layers, pointer: string, { locate }: World): SourcePosition | undefined {
  if (layer === undefined) return undefined;
  const place = { code: '', message: '', severity: 'warning', resource: layer.policy.locator } as const;
  return locate({ ...place, pointer: layer.pointer + pointer }).position;
}

/** Returns the name of the target of a change, for headings. */
export function nameOf({ target }: TargetChange): string {
  return formatTarget(target);
}
