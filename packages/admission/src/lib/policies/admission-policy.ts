import type { PolicyKind } from '@policy-machinery/policy-kind';
import { type KubernetesObject, PolicyMachineryError } from '@policy-machinery/resource';

/** A ValidatingAdmissionPolicy with its binding. Apply all of them. */
export interface AdmissionPolicyManifests {
  /** The ValidatingAdmissionPolicy, with the checks. */
  readonly policy: KubernetesObject;
  /** The ValidatingAdmissionPolicyBinding, with the scope and the action for failed checks. */
  readonly binding: KubernetesObject;
  /** The object with the parameters, if the policy has any. */
  readonly params?: KubernetesObject;
}

/** One rule of a ValidatingAdmissionPolicy. */
export interface Validation {
  /** A CEL expression that is true for accepted requests. */
  readonly expression: string;
  /** The problem and its remedy. */
  readonly message: string;
  /** CEL that returns the message. If it fails, `message` is shown. */
  readonly messageExpression?: string;
  readonly reason?: 'Forbidden' | 'Invalid';
}

/** The checks, without the objects that they match. */
export interface AdmissionRules {
  /** The last part of the names of the objects: `target-access`. */
  readonly name: string;
  readonly operations: readonly ('CREATE' | 'UPDATE')[];
  readonly variables?: readonly { readonly name: string; readonly expression: string }[];
  readonly validations: readonly Validation[];
  /** The action if a validation fails. Default: the request is denied. */
  readonly actions?: readonly ('Deny' | 'Warn' | 'Audit')[];
  /** The parameters, and the object that holds them. */
  readonly params?: KubernetesObject;
}

/** A condition that the spec changes: others, such as a new finalizer or label, must pass even if the user may not change the targets. */
const specChanges = { name: 'spec-changes', expression: 'oldObject == null || object.spec != oldObject.spec' };

const apiVersion = 'admissionregistration.k8s.io/v1';

export function manifestsFor(kind: PolicyKind<unknown>, rules: AdmissionRules): AdmissionPolicyManifests {
  const { group, version, plural, scope } = kind;
  const { operations, variables, validations, actions = ['Deny'], params } = rules;
  const name = `${plural}.${group}-${rules.name}`;
  const policy = {
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      failurePolicy: 'Fail',
      ...(params === undefined ? {} : { paramKind: { apiVersion: params.apiVersion, kind: params.kind } }),
      matchConstraints: {
        matchPolicy: 'Equivalent',
        resourceRules: [{ apiGroups: [group], apiVersions: [version], resources: [plural], operations, scope }],
      },
      matchConditions: [specChanges],
      ...(variables === undefined ? {} : { variables }),
      validations,
    },
  };
  const paramRef = params && { ...nameOf(params), parameterNotFoundAction: 'Deny' };
  const binding = {
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: actions, ...(paramRef === undefined ? {} : { paramRef }) },
  };
  return unshared({ policy, binding, ...(params === undefined ? {} : { params }) });
}

function nameOf({ metadata: { name, namespace } }: KubernetesObject) {
  return { name, ...(namespace === undefined ? {} : { namespace }) };
}

/** Returns a copy without shared parts, which would become anchors and aliases in YAML. */
function unshared<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

/** Returns the error for rules that a kind cannot have. */
export function cannotCheck({ kind }: PolicyKind<unknown>, why: string): PolicyMachineryError {
  return new PolicyMachineryError('invalid-admission-policy', `No admission policy for ${kind}: ${why}`);
}
