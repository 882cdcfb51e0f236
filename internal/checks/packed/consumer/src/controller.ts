import { celConditions } from '@policy-machinery/cel';
import { isStatusConditionTrue } from '@policy-machinery/conditions';
import { byAge, byName } from '@policy-machinery/conflict';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { Gateway, gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import { atomic, patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind, withConditions } from '@policy-machinery/policy-kind';
import { planStatus } from '@policy-machinery/policy-status';
import { formatIssue, type KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { z } from 'zod';

const TimeoutPolicy = definePolicyKind({
  group: 'policies.example.com',
  version: 'v1',
  kind: 'TimeoutPolicy',
  targets: [Gateway, HTTPRoute],
  effectiveTargets: [HTTPRoute.sections.rule],
  spec: z.object({ request: z.string(), retries: z.number() }).partial(),
  stanzas: withConditions(defaultsAndOverrides({ strategies: { atomic, patch } }), celConditions()),
  order: [byAge, byName],
});

/** What a controller does: takes a cluster in, says what applies, writes statuses, and follows a change. */
export function reconcile(cluster: Iterable<KubernetesObject>): readonly string[] {
  const said: string[] = [];
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
  topology.apply({ upsert: cluster });

  const sayWhatApplies = () => {
    const effective = effectivePolicies(topology, TimeoutPolicy);
    for (const issue of [...topology.issues, ...effective.issues]) said.push(formatIssue(issue));
    for (const policy of effective) {
      const retries: number | undefined = policy.spec.retries;
      said.push(
        `${policy.target.locator} ${policy.spec.request} ${retries} by ${policy.originOf('/retries')?.policy.name}`,
      );
    }
    return effective;
  };

  const { writes } = planStatus(sayWhatApplies(), {
    controllerName: 'example.com/timeouts',
    now: new Date('2026-01-02T03:04:05Z'),
    rendering: 'conditions',
  });
  for (const { locator, apply } of writes) {
    const { conditions } = (apply.status ?? {}) as { readonly conditions?: unknown };
    said.push(`${locator} ${isStatusConditionTrue(conditions, 'Accepted') ? 'is accepted' : 'is written to'}`);
  }
  topology.apply({ remove: ['timeoutpolicy.policies.example.com:shop/house-rules'] });
  sayWhatApplies();
  return said;
}
