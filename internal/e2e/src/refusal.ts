import type { KubernetesObject } from '@policy-machinery/resource';

/** What an admission policy refuses. */
export interface Refusal {
  readonly name: string;
  readonly group: string;
  /** The resource: `httproutes`, or `widgets/status`. */
  readonly resource: string;
  /** The names of the objects whose updates it refuses. */
  readonly objects: readonly string[];
  /** What else must be so for a refusal, in CEL. Default: nothing. */
  readonly if?: string;
  readonly message: string;
  /** The reason of the answer, which decides its code. Default: `Invalid`, 422. */
  readonly reason?: 'Forbidden';
}

/** Returns an admission policy with its binding, as an administrator may apply them. */
export function refusalOf({
  name,
  group,
  resource,
  objects,
  message,
  reason,
  ...other
}: Refusal): readonly KubernetesObject[] {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const meant = `object.metadata.name in ${JSON.stringify(objects)} && ${other.if ?? 'true'}`;
  const rule = { apiGroups: [group], apiVersions: ['*'], operations: ['UPDATE'], resources: [resource] };
  return [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: { resourceRules: [rule] },
        validations: [{ expression: `!(${meant})`, message, ...(reason === undefined ? {} : { reason }) }],
      },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ];
}
