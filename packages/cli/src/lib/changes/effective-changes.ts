import type { ContextLayer, EffectivePolicy } from '@policy-machinery/effective-policy';
import { maskSecrets, secretMask } from '@policy-machinery/policy-kind';
import type { EffectiveChange } from '@policy-machinery/policy-status/impact';
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
import type { PolicyView, World } from '../model/world.ts';
import { brokenLink } from './broken-link.ts';
import type { Comparison } from './compare.ts';

/** A field of an effective policy that changes. */
export interface FieldChange {
  /** JSON Pointer into the spec. */
  readonly pointer: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  /** The names of the policies that set the field before and after the change. */
  readonly wasSetBy: readonly string[];
  readonly setBy: readonly string[];
  /** If nothing sets the field any more: the names of the policies that replace the setters, as a whole or in part. */
  readonly takenBy: readonly string[];
  /** Whether a policy that set the field was removed. */
  readonly isPolicyGone: boolean;
  /** If nothing sets the field any more: the cause that ended the way from a policy that still exists to the target, in a sentence. */
  readonly endedBy?: string;
  /**
   * The position of the policy that sets the field; if none does after the change, of the cause that ended the way, of the policy that takes it away,
   * or of the one that did before.
   */
  readonly position: SourcePosition | undefined;
}

/** An effective policy that changes. */
export interface TargetChange {
  readonly view: PolicyView;
  readonly target: TargetNode;
  /** The paths to the target, for people. */
  readonly through: readonly string[];
  readonly change: 'added' | 'removed' | 'changed';
  /** Whether the target itself is no longer there. */
  readonly isTargetGone: boolean;
  readonly fields: readonly FieldChange[];
}

/**
 * Returns the changes of effective policies.
 *
 * @returns One change for each effective policy that changes, in the order of targets.
 */
export function targetChanges(comparison: Comparison): readonly TargetChange[] {
  const views = new Map(comparison.before.views.map((view) => [groupKindKey(view.found.kind), view]));
  const alike = new Map<EffectiveChange['fields'], Explained>();
  return comparison.impact.effective.flatMap((change): readonly TargetChange[] => {
    const policy = change.after ?? change.before;
    const view = policy && views.get(kindOf(policy));
    if (policy === undefined || view === undefined) return [];
    const explained = alike.get(change.fields) ?? explain(change, view, comparison);
    alike.set(change.fields, explained);
    return [
      {
        view,
        target: policy.target,
        through: pathsOf(policy),
        change: change.before === undefined ? 'added' : change.after === undefined ? 'removed' : 'changed',
        isTargetGone: comparison.after.topologies.every(
          (topology) => topology.get(policy.target.locator) === undefined,
        ),
        fields: fieldsAt(change, explained, comparison),
      },
    ];
  });
}

/** Returns the key of the kind of an effective policy: the key of any policy in it. */
function kindOf({ levels }: EffectivePolicy<unknown>): string {
  const [policy] = levels.flatMap(({ policies }) => policies);
  return policy === undefined ? '' : groupKindKey(groupKindOf(policy.resource));
}

type Layers = readonly ContextLayer<unknown>[];

/** The fields that change in all contexts with the same policies. */
interface Explained {
  readonly fields: readonly FieldChange[];
  /** For each field that nothing sets any more although its policy exists, the layer that set it: why differs by the way to the target. */
  readonly kept: ReadonlyMap<FieldChange, ContextLayer<unknown>>;
}

/** Returns the fields of a context: one list for all contexts with the same policies, unless the way to them ended. */
function fieldsAt(change: EffectiveChange, { fields, kept }: Explained, comparison: Comparison): Explained['fields'] {
  if (kept.size === 0 || change.before === undefined) return fields;
  const effective = change.before;
  return fields.map((field) => {
    const layer = kept.get(field);
    const ended = layer && brokenLink(layer, effective, comparison);
    return ended === undefined ? field : { ...field, endedBy: ended.text, position: ended.position ?? field.position };
  });
}

function explain(change: EffectiveChange, view: PolicyView, comparison: Comparison): Explained {
  const kept = new Map<FieldChange, ContextLayer<unknown>>();
  const fields = change.fields.map((each) => {
    const [field, layer] = fieldChange(change, each, view, comparison);
    if (layer !== undefined) kept.set(field, layer);
    return field;
  });
  return { fields, kept };
}

function fieldChange(
  { before, after }: EffectiveChange,
  field: EffectiveChange['fields'][number],
  { found: { merging }, secrets }: PolicyView,
  comparison: Comparison,
): readonly [FieldChange, kept: ContextLayer<unknown> | undefined] {
  const [was, is] = [before?.originsOf(field.pointer) ?? [], after?.originsOf(field.pointer) ?? []];
  const takers = is.length > 0 || merging === 'unknown' ? [] : takersOf(was, field.pointer, after);
  const removed = was.filter(({ policy }) => !isThere(comparison.after, policy.locator));
  const [kept] = is.length + takers.length > 0 ? [] : was.filter((layer) => !removed.includes(layer));
  // If policies are not merged, the spec of each is a field with the name of the policy.
  const pointer = merging === 'known' ? field.pointer : formatPointer(parsePointer(field.pointer).slice(1));
  const { before: old, after: young } = withoutSecrets(field, pointer, secrets);
  const changed = {
    pointer,
    before: old,
    after: young,
    wasSetBy: namesOf(was),
    setBy: namesOf(is),
    takenBy: namesOf(takers),
    isPolicyGone: removed.length > 0,
    position:
      is.length > 0
        ? positionOf(is, field.pointer, comparison.after)
        : takers.length > 0
          ? positionOf(takers, '', comparison.after)
          : positionOf(was, field.pointer, comparison.before),
  };
  return [changed, kept];
}

/** Returns the values of a field with their secrets masked. If only secrets differ, the masks do. */
function withoutSecrets(
  { before, after }: EffectiveChange['fields'][number],
  pointer: string,
  secrets: PolicyView['secrets'],
): Pick<FieldChange, 'before' | 'after'> {
  const [old, young] = maskedBoth([before, after], pointer, secrets, [secretMask, secretMask]);
  const isSame = before !== undefined && after !== undefined && JSON.stringify(old) === JSON.stringify(young);
  if (!isSame) return { before: old, after: young };
  const [was, is] = maskedBoth([before, after], pointer, secrets, [`${secretMask} (before)`, `${secretMask} (after)`]);
  return { before: was, after: is };
}

function maskedBoth(
  values: readonly (JsonValue | undefined)[],
  pointer: string,
  secrets: PolicyView['secrets'],
  masks: readonly string[],
): readonly (JsonValue | undefined)[] {
  return values.map((value, index) =>
    value === undefined ? undefined : maskSecrets(value, pointer, secrets, masks[index]),
  );
}

/** Returns the layers that take a field, or a value around it, from the policies that set the field before. */
function takersOf(was: Layers, pointer: string, after: EffectiveChange['after']): Layers {
  const locators = new Set(was.map(({ policy }) => policy.locator));
  const taken = (after?.losses ?? []).filter(
    ({ layer, pointer: at }) => locators.has(layer.policy.locator) && (pointer === at || pointer.startsWith(`${at}/`)),
  );
  return [...new Set(taken.flatMap(({ winners, holders }) => (holders.length > 0 ? holders : winners)))];
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
