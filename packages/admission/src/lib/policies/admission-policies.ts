// policies/: checks without a server. Takes a policy kind, and returns ValidatingAdmissionPolicies with their bindings: rules in CEL that the API
// server itself evaluates. These see the object, its former version and the rights of the user, but no other objects.

import type { PolicyKind } from '@policy-machinery/policy-kind';
import { type AdmissionPolicyManifests, type AdmissionRules, manifestsFor } from './admission-policy.ts';
import { type OverrideNamespaces, overrideNamespaces } from './override-namespaces.ts';
import { type TargetAccess, targetAccess } from './target-access.ts';
import { immutableTargets, transitionWarnings } from './target-changes.ts';

/** The checks of admission policies. Default: none. */
export interface AdmissionPolicyOptions {
  /**
   * Whether only those may attach a policy who may change its target themselves: who may not `update` a Gateway creates no policy for the Gateway
   * either. For targets that are selected by labels, the right to change all of the kind is necessary.
   */
  readonly targetAccess?: boolean | TargetAccess | undefined;
  /** The namespaces with policies that may have overrides. Default: all. */
  readonly overrides?: OverrideNamespaces | undefined;
  /** Whether the targets of a policy stay as they were when it was created. */
  readonly immutableTargets?: boolean | undefined;
  /** Whether an update that drops targets, or adds overrides to a policy without any, leads to a warning and a line in the audit log. */
  readonly transitionWarnings?: boolean | undefined;
}

/**
 * Returns ValidatingAdmissionPolicies for the policies of a kind, which the API server evaluates without a webhook. They apply when the spec of a
 * policy changes, not when its metadata or status does.
 *
 * @param kind The policy kind.
 * @param options The checks.
 * @returns For each check, a policy with its binding, and the ConfigMap with its parameters where there are any. Apply all of them. No part is
 * shared.
 * @throws {PolicyMachineryError} `invalid-admission-policy`, for a check that is not possible for this kind: of targets in its own fields, of more
 * targets than the API server can check, or of overrides that its policies cannot have.
 * @example
 * ```ts
 * const manifests = admissionPolicies(TimeoutPolicy, { targetAccess: true, immutableTargets: true });
 * console.log(manifests.flatMap((it) => Object.values(it)).map((it) => stringify(it)).join('---\n')); // of the package yaml
 * ```
 */
export function admissionPolicies(
  kind: PolicyKind<unknown>,
  options: AdmissionPolicyOptions,
): readonly AdmissionPolicyManifests[] {
  const { targetAccess: access = false, overrides } = options;
  const rules: readonly (AdmissionRules | false)[] = [
    access !== false && targetAccess(kind, access === true ? {} : access),
    overrides !== undefined && overrideNamespaces(kind, overrides),
    options.immutableTargets === true && immutableTargets(kind),
    options.transitionWarnings === true && transitionWarnings(kind),
  ];
  return rules.flatMap((it) => (it === false ? [] : [manifestsFor(kind, it)]));
}
