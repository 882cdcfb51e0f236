import { isJsonObject, objectsIn } from '@policy-machinery/resource';
import type { Expectation } from '../cluster/client.ts';
import type { Check } from './check.ts';
import { says } from './conditions.ts';
import { anyOf, needsTargets, type Skip } from './skips.ts';
import { createHierarchy } from './world.ts';

const needsMarks: Skip = ({ affectedConditions }) =>
  affectedConditions ? undefined : 'the implementation does not mark affected objects';

/** Checks of the marks on objects that policies affect. */
export const discoverabilityChecks: readonly Check[] = [
  {
    id: 'affected-condition',
    profile: 'POLICY-DISCOVERABILITY',
    level: 'SHOULD',
    line: 1037,
    sentence:
      'implementations of Policies kinds SHOULD put a condition into `status.Conditions` of any objects affected by the policy.',
    skip: anyOf(needsMarks, needsTargets('Gateway')),
    async run(context) {
      const { client, subject, policy, policyName } = context;
      await createHierarchy(context, 'r1');
      await policy('marks', 'Gateway edge');
      await client.until(policyName('marks'), says(subject, ['Accepted', 'True']));
      const [domain = ''] = subject.controllerName.split('/');
      const type = `${domain}/${subject.policy.kind}Affected`;
      const edge = { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'Gateway', name: 'edge' };
      await client.until(edge, isMarked(type, true));
      await client.remove(policyName('marks'));
      await client.until(edge, isMarked(type, false));
    },
  },
];

function isMarked(type: string, expected: boolean): Expectation {
  return (object) => {
    const conditions = isJsonObject(object?.status) ? objectsIn(object.status.conditions) : [];
    const isTrue = conditions.some((condition) => condition.type === type && condition.status === 'True');
    if (isTrue === expected) return undefined;
    return `its status ${expected ? 'has no' : 'still has the'} condition ${type}=True`;
  };
}
