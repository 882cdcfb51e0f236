import type { GroupKind, Issue, KubernetesObject, ResourceRef } from '@policy-machinery/resource';
import type { DeclaredTarget } from '@policy-machinery/target-ref';
import type { AttachableKind, Attachment, PolicyNode } from '../model/policy-node.ts';
import { isSameTargetable, isSectionKind, ownerOf, type Targetable } from '../model/target-kind.ts';
import type { TargetNode } from '../model/target-node.ts';
import type { Dependent } from '../references/dependents.ts';
import type { Lookup } from '../references/lookup.ts';
import { none } from '../support/nothing.ts';
import type { Target, WholeTarget } from '../targets/target.ts';

export interface AttachedPolicy extends Dependent {
  node: PolicyNode;
}

/** A policy that is being attached. */
export interface AttachContext {
  readonly locator: string;
  readonly ref: ResourceRef;
  readonly resource: KubernetesObject;
  readonly kind: AttachableKind;
  readonly lookup: Lookup;
  /** The sections with ambiguous names. */
  readonly untargetable: ReadonlySet<Target>;
  /** The targets so far: selectors do not find them again. */
  readonly met: Set<Target>;
  readonly issues: Issue[];
}

/** The targets and outcome of one declaration of a policy. */
export interface Selection extends Pick<Attachment, 'declared' | 'via'> {
  /** The targets that the policy may be attached to. */
  readonly targets: readonly Target[];
  readonly failed: readonly Attachment[];
  /** The failed attachment to targets that too many older policies select, if the declaration selects targets. */
  readonly crowdedOut?: Attachment;
}

/** Returns whether a kind of target has a group and name, as a whole or by section. A name in another case is another kind. */
export function mayMean(target: Targetable, { group, kind }: GroupKind, isSection: boolean): boolean {
  const of = ownerOf(target);
  return of.group === group && of.kind === kind && isSectionKind(target) === isSection;
}

/** Returns whether policies of a kind may target the sort of a target: they may be limited to other sorts of sections. */
export function isTargetOf({ targets }: AttachContext['kind'], { kind }: TargetNode): boolean {
  return targets.includes(kind) || targets.some((supported) => isSameTargetable(supported, kind));
}

/**
 * Returns the parts of an object that a declaration means: the object, its section of a name, or its sections with a
 * port, like listeners and Service ports.
 */
export function meantBy(
  { sectionName, port }: Pick<DeclaredTarget, 'sectionName' | 'port'>,
  object: WholeTarget,
): readonly Target[] {
  if (port !== undefined) return object.sections.filter(({ section }) => section.value.port === port);
  const whole = sectionName === undefined ? object : object.sectionNamed(sectionName);
  return whole === undefined ? [] : [whole];
}

/** Returns the names of a resource's sections that a policy can target. Those in other namespaces are not revealed to it. */
export function targetableSections({ ref, untargetable }: AttachContext, object: WholeTarget): readonly string[] {
  if (object.namespaceName !== ref.namespace) return none;
  return object.sections.filter((node) => !untargetable.has(node)).map((node) => node.section.name);
}
