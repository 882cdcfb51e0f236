import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { GenericKind, type GroupVersionKind } from 'kubernetes-fluent-client';
import { Capability } from 'pepr';
import { validateWith } from './admission.ts';

/**
 * Returns a capability that validates policies of a kind, and the objects that they may target.
 *
 * @param views The effective policies, which follow the cluster.
 * @param isReady Whether all objects are known.
 */
export function policyCapability(views: EffectivePolicies<unknown>, isReady: () => boolean): Capability {
  const { kind, topology } = views;
  const capability = new Capability({
    name: `${kind.kind.toLowerCase()}-admission`,
    description: `Says what a change would do to ${kind.kind} resources, and refuses those in conflict.`,
  });
  const validate = validateWith(views, isReady);
  for (const { group, versions, kind: name, plural } of topology.requiredKinds) {
    for (const version of versions) {
      const reviewed: GroupVersionKind = { group, version, kind: name, plural };
      // A class for each kind: Pepr keeps bindings by class.
      capability
        .When(class extends GenericKind {}, reviewed)
        .IsCreatedOrUpdated()
        .Validate(validate);
      capability
        .When(class extends GenericKind {}, reviewed)
        .IsDeleted()
        .Validate(validate);
    }
  }
  return capability;
}
