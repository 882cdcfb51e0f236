import { admit, mergeOrder, type OrderedLayer } from '@policy-machinery/conflict';
import { listFields, type MergeStrategy, trace } from '@policy-machinery/merge';
import type { Layer, Policy, PolicyKind } from '@policy-machinery/policy-kind';
import {
  formatPointer,
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  parsePointer,
} from '@policy-machinery/resource';
import type { Attachment, TargetNode } from '@policy-machinery/topology';
import { emptySet } from '../support/nothing.ts';
import { prefixesOf } from '../support/pointers.ts';
import { isOneOfTargetables } from '../support/targetables.ts';
import type { PolicyCounter } from './counting-policies.ts';

/** A target and the policies attached to it: one step of the hierarchy of a context. */
export interface Level<Spec> {
  readonly target: TargetNode;
  /** The target's resource at that time. */
  readonly resource: KubernetesObject;
  /** Whether the policies name the target, or the target names the policies, which makes them one level more specific. */
  readonly via: Attachment['via'];
  /** The policies, established first. */
  readonly policies: readonly Policy<Spec>[];
  /** @internal The number of their fields that are merged one by one. */
  readonly fields: number;
  /** The layers that are merged, in the order of merging, each with the layer that chooses the strategy. */
  readonly layers: readonly OrderedLayer<Layer<Spec>>[];
  /** The layers that are not merged, because their policy is in conflict with another of this level. */
  readonly rejected: readonly RejectedLayer<Spec>[];
  /** @internal The level with the undecided fields of a target's own value; `undefined` if there are none. */
  readonly undecided?: Level<Spec>;
  /** @internal Whether only a part of the policies counts at the targets of the level's contexts. Default no. */
  readonly isPart?: boolean;
  /** @internal Locators of the policies that are barred from contexts with this level. A level that bars policies has none itself. */
  readonly barred: ReadonlySet<string>;
}

/**
 * The place of a level: a target, and one way of being attached. An edit of a policy replaces the level; the slot stays for as long as
 * policies of the same names are attached, in the same order.
 */
export class LevelSlot<Spec> {
  readonly target: TargetNode;
  level: Level<Spec>;

  constructor(level: Level<Spec>) {
    this.target = level.target;
    this.level = level;
  }
}

/** Returns whether a level is a target's own value. */
export function isOwnLevel({ policies: [policy], resource }: Level<unknown>): boolean {
  return policy?.resource === resource;
}

/** Returns the policies of a level, without the target's own value. */
export function policiesIn<Spec>(level: Level<Spec>): readonly Policy<Spec>[] {
  return isOwnLevel(level) ? [] : level.policies;
}

/** A layer in conflict, and a layer of the policy that stays. */
export interface RejectedLayer<Spec> {
  readonly layer: Layer<Spec>;
  readonly by: Layer<Spec>;
}

/** The rules of a policy kind for the policies of one target. */
export type LevelRules = Pick<
  PolicyKind<unknown>,
  'sameLevel' | 'singleAt' | 'order' | 'withinObject' | 'sharedFields'
>;

/**
 * Returns the level of one target's policies: orders them, and rejects those that the kind does not admit beside others.
 *
 * @param counting Selects the policies that count. Default: all.
 */
export function levelOf<Spec>(
  {
    target,
    via,
    resource = target.resource,
  }: Pick<Level<Spec>, 'target' | 'via'> & Partial<Pick<Level<Spec>, 'resource'>>,
  attached: readonly Policy<Spec>[],
  { sameLevel, singleAt, order, withinObject, sharedFields }: LevelRules,
  counting: PolicyCounter = (policies) => ({ policies, fields: 0 }),
): Level<Spec> {
  const { policies, fields } = counting([...attached].sort(order.compare));
  const isSingle = singleAt.length > 0 && isOneOfTargetables(singleAt)(target);
  const conflict = conflicts[isSingle ? 'reject-newer' : sameLevel];
  const { admitted, rejected } =
    conflict === undefined || policies.length < 2
      ? { admitted: policies, rejected: [] }
      : admit(policies, conflict(sharedFields));
  const unordered = admitted.flatMap((policy) => {
    const { createdAt, name, resource } = policy;
    return policy.layers.map((layer) => {
      return { layer, stanza: withinObject?.stanza ?? layer.stanza, createdAt, name, resource };
    });
  });
  const layers = mergeOrder(unordered, sameLevel, order).map(({ layer, strategyFrom }) => ({
    layer: layer.layer,
    strategyFrom: strategyFrom.layer,
  }));
  const losers = rejected.flatMap(({ item, by }) =>
    item.layers.map((layer) => ({ layer, by: by.layers[0] as Layer<Spec> })),
  );
  return { target, resource, via, policies, fields, layers, rejected: losers, barred: emptySet };
}

/** Returns the level of a target that bars policies, wherever these are attached. */
export function barringLevel<Spec>(target: TargetNode, barred: ReadonlySet<string>): Level<Spec> {
  const { resource } = target;
  return { target, resource, via: 'targetRef', policies: [], fields: 0, layers: [], rejected: [], barred };
}

type Conflict = (admitted: Policy<unknown>, newcomer: Policy<unknown>) => boolean;

/** The functions that find conflicts between two policies of one level, by rule of the kind; `undefined` without conflicts. */
const conflicts: Readonly<
  Record<PolicyKind<unknown>['sameLevel'], ((sharedFields: readonly string[]) => Conflict) | undefined>
> = {
  'oldest-wins': undefined,
  'established-challenger': undefined,
  'reject-newer': () => () => true,
  coexist: shareField,
};

/** Returns a function that returns whether two policies set the same field, or one a part of a field of the other. It reads each policy once. */
function shareField(sharedFields: readonly string[]): Conflict {
  const fieldsByPolicy = new Map<Policy<unknown>, PolicyFields>();
  const fieldsOf = (policy: Policy<unknown>): PolicyFields => {
    const fields = fieldsByPolicy.get(policy) ?? fieldsIn(policy, sharedFields);
    fieldsByPolicy.set(policy, fields);
    return fields;
  };
  return (admitted, newcomer) => {
    const [a, b] = [fieldsOf(admitted), fieldsOf(newcomer)];
    return (
      some(b.fields, (field) => a.fields.has(field) || a.holders.has(field)) ||
      some(a.fields, (field) => b.holders.has(field))
    );
  };
}

interface PolicyFields {
  /** JSON Pointers to the fields that a policy sets, each as its strategy takes it; an object without fields that are merged one by one sets none. */
  readonly fields: ReadonlySet<string>;
  /** JSON Pointers to the objects that contain these fields. */
  readonly holders: ReadonlySet<string>;
}

function fieldsIn({ layers }: Policy<unknown>, sharedFields: readonly string[]): PolicyFields {
  const pointers = layers
    .flatMap(({ spec, strategy }) =>
      listFields(trace(spec as JsonObject, undefined)).flatMap(({ pointer, value }) =>
        unitOf(parsePointer(pointer), isJsonObject(value), strategy),
      ),
    )
    .filter((pointer) => pointer !== '' && !sharedFields.includes(pointer));
  return { fields: new Set(pointers), holders: new Set(pointers.flatMap(prefixesOf)) };
}

/** Returns the part of a spec with a field that a strategy takes as a whole; none for an object without fields that it would merge one by one. */
function unitOf(path: readonly string[], isEmptyObject: boolean, { unitAt }: MergeStrategy): readonly string[] {
  const lengthOf = (it: readonly string[]): number => unitAt?.(it) ?? it.length;
  if (isEmptyObject && lengthOf([...path, '']) > path.length) return [];
  return [formatPointer(path.slice(0, lengthOf(path)))];
}

function some(pointers: ReadonlySet<string>, test: (pointer: string) => boolean): boolean {
  for (const pointer of pointers) if (test(pointer)) return true;
  return false;
}
