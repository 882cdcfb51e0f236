import type { ResourceRef } from '@policy-machinery/resource';
import type { DeclaredTarget } from '@policy-machinery/target-ref';
import { referenceGrantKind } from '@policy-machinery/target-ref/inner';
import { formatRef } from '../model/format.ts';
import { none } from '../support/nothing.ts';
import {
  type AttachContext,
  isTargetOf,
  mayMean,
  meantBy,
  type Selection,
  targetableSections,
} from './attach-context.ts';
import { type Failure, unattached } from './attachment-issue.ts';
import { outOfReach } from './reach.ts';

/** Finds the target that a policy names: one, or one for each section with the port of the reference. */
export function targetsNamed(declared: DeclaredTarget, policy: AttachContext): Selection {
  const { kind, lookup, untargetable } = policy;
  const targetedKind = lookup.kind(declared);
  const isNamespaced = targetedKind?.scope !== 'Cluster';
  const ref = soughtRef(declared, isNamespaced, policy.ref);
  const { port } = declared;
  const isSection = ref.section !== undefined || port !== undefined;
  const object = targetedKind && lookup.target(targetedKind, ref.namespace, ref.name);
  const declaration = { declared, via: 'targetRef' } as const;
  const lacksNamespace = isNamespaced && ref.namespace === undefined;
  const fail = (outcome: Failure): Selection => {
    const creator = outcome === 'TargetNotFound' ? lookup.creatorOf(ref, ref.namespace, ref.name) : undefined;
    const isGiven =
      outcome === 'ReferenceNotPermitted'
        ? lookup.isComplete(referenceGrantKind, ref.namespace)
        : lookup.isComplete(ref, ref.namespace, ref.name);
    const sought = {
      asked: `targets ${formatRef(ref)}${port === undefined ? '' : ` on port ${port}`}`,
      ref,
      lacksNamespace,
      isUndecided: isBeyond(outcome)
        ? !isGiven && mayBeBeside(policy, ref)
        : outcome !== 'UnsupportedTarget' && (creator !== undefined || (!lacksNamespace && !isGiven)),
      creator,
      sections: object === undefined ? none : targetableSections(policy, object),
    };
    return { ...declaration, targets: none, failed: [unattached(declaration, outcome, sought, kind)] };
  };

  if (!kind.targets.some((supported) => mayMean(supported, declared, isSection))) {
    return fail('UnsupportedTarget');
  }
  // This comes first: other namespaces must not learn whether the target exists.
  const refusal = outOfReach(policy.ref, ref, kind, lookup);
  if (refusal !== undefined) return fail(refusal);
  const targets = object === undefined ? none : meantBy(declared, object);
  if (targets.length === 0 || targets.some((target) => untargetable.has(target))) {
    return fail(isSection && object !== undefined ? 'SectionNotFound' : 'TargetNotFound');
  }
  // The target may be a section of a sort that the policies cannot target.
  if (!targets.every((target) => isTargetOf(kind, target))) return fail('UnsupportedTarget');
  return { ...declaration, targets, failed: none };
}

/** Returns whether a target is refused because it is not in the namespace of the policy. */
function isBeyond(outcome: Failure): boolean {
  return outcome === 'CrossNamespaceRefused' || outcome === 'ClusterScopeRefused';
}

/** Returns whether a policy without a namespace may be in the namespace of a target, or in the Namespace that is the target. */
function mayBeBeside({ resource }: AttachContext, { group, kind, namespace }: ResourceRef): boolean {
  const isNamespace = group === '' && kind === 'Namespace';
  return resource.metadata.namespace === undefined && (isNamespace || namespace !== undefined);
}

function soughtRef(declared: DeclaredTarget, isNamespaced: boolean, policy: ResourceRef): ResourceRef {
  const { group, kind, name, sectionName: section } = declared;
  const namespace = isNamespaced ? (declared.namespace ?? policy.namespace) : undefined;
  if (namespace === undefined) return section === undefined ? { group, kind, name } : { group, kind, name, section };
  return section === undefined ? { group, kind, namespace, name } : { group, kind, namespace, name, section };
}
