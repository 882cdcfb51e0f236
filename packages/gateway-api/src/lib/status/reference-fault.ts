import { formatGroupKind, type GroupKind, type KubernetesObject } from '@policy-machinery/resource';
import type { NamedTarget, TargetNode, Topology } from '@policy-machinery/topology';
import { isSameKind } from '../fields/hierarchy.ts';
import { targetOf } from '../fields/object-reference.ts';
import type { ObjectReference } from '../listeners/certificates.ts';
import type { ConditionFault } from './condition.ts';

/** The objects that a reference must lead to, and the reasons of Gateway API if it does not. */
export interface ReferenceRules {
  /** The kind that Gateway API names; `undefined` if it names none, so that the implementation decides. */
  readonly kind: GroupKind | undefined;
  /** The reason for objects that do not exist or are malformed. */
  readonly invalid: string;
  /** The reason for objects of kinds that are not supported. */
  readonly unsupported: string;
  /** Further kinds that the implementation supports. Default none. */
  readonly also?: readonly GroupKind[];
  /** Further kinds of the core group that an implementation may support: `Secret` for CA certificates. Default none. */
  readonly choices?: readonly GroupKind[];
  /** The contents of the objects: `certificates`. */
  readonly content: string;
  /** Returns why an object of the kind is malformed. */
  readonly malformed?: (object: KubernetesObject) => string | undefined;
}

/** Facts about a reference: that it resolves, that it does not, or nothing, because the topology is not given its target. */
export type ReferenceFinding = 'resolved' | ConditionFault | { readonly unknown: string };

/** Returns facts about references that a target holds, by the rules of their field. O(references of the target). */
export function referenceFindings(
  topology: Topology,
  holder: TargetNode,
  references: readonly ObjectReference[],
  rules: ReferenceRules,
): readonly ReferenceFinding[] {
  if (references.length === 0) return [];
  const resolutions = new Map(topology.referencesOf(holder).map((it) => [it.reference.pointer, it]));
  const isKnown = (kind: GroupKind) => [...topology.targetKinds].some((it) => isSameKind(it, kind));
  return references.map(({ ref, pointer }): ReferenceFinding => {
    const fault = (reason: string, message: string): ConditionFault => ({ reason, message: `${pointer}: ${message}` });
    const to = targetOf(ref, rules.kind ?? { group: '', kind: '' });
    const resolution = resolutions.get(pointer);
    if (to === undefined || resolution === undefined)
      return fault(rules.invalid, `it names no object with ${rules.content}`);
    const [refusal] = resolution.refusals;
    if (refusal?.isUndecided === true) return { unknown: `${pointer}: ${refusal.message} in this input` };
    if (refusal !== undefined) return fault(refusal.reason, refusal.message);
    const support = supportOf(to, rules);
    if (support === 'no' || (support === 'choice' && !isKnown(to) && !isAmong(rules.choices, to))) {
      return fault(rules.unsupported, `${rules.content} of kind ${formatGroupKind(to)} are not supported`);
    }
    if (!isKnown(to)) {
      return {
        unknown: `whether ${pointer} resolves is not known, because the topology does not have ${formatGroupKind(to)}`,
      };
    }
    const [object] = resolution.ends;
    if (resolution.isUndecided) {
      return { unknown: `${pointer}: ${formatGroupKind(to)} ${nameOf(to)} is not in this input` };
    }
    if (object === undefined) return fault(rules.invalid, `${formatGroupKind(to)} ${nameOf(to)} does not exist`);
    if (support === 'choice') {
      return { unknown: `${pointer}: whether ${formatGroupKind(to)} is supported depends on the implementation` };
    }
    const malformed = support === 'yes' ? rules.malformed?.(object.resource) : undefined;
    return malformed === undefined
      ? 'resolved'
      : fault(rules.invalid, `${formatGroupKind(to)} ${nameOf(to)} ${malformed}`);
  });
}

/**
 * Returns whether objects of a kind are supported. Kinds of the core group are, if Gateway API names them; an implementation may support any other
 * kind that exists, and decides alone about fields without a kind in Gateway API.
 */
function supportOf(to: GroupKind, { kind, also, choices }: ReferenceRules): 'yes' | 'no' | 'choice' {
  if (isAmong(also, to)) return 'yes';
  if (isAmong(choices, to)) return 'choice';
  if (kind === undefined || isSameKind(to, kind)) return 'yes';
  return to.group === '' ? 'no' : 'choice';
}

function isAmong(kinds: readonly GroupKind[] = [], kind: GroupKind): boolean {
  return kinds.some((it) => isSameKind(it, kind));
}

/** Returns the first fault; if there is none, that something is unknown; `undefined` if all references resolve. */
export function firstFault(findings: readonly ReferenceFinding[]): Exclude<ReferenceFinding, 'resolved'> | undefined {
  const open = findings.filter((finding) => finding !== 'resolved');
  return open.find(isFault) ?? open[0];
}

export function isFault(finding: ReferenceFinding | undefined): finding is ConditionFault {
  return typeof finding === 'object' && 'reason' in finding;
}

function nameOf({ namespace, name }: NamedTarget): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
