import { isJsonObject, type JsonObject, type KubernetesObject, objectsIn } from '@policy-machinery/resource';
import type { Expectation } from '../cluster/client.ts';
import type { PolicyUnderTest } from '../subject/policy-under-test.ts';
import type { Check, CheckContext } from './check.ts';
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
      const { client, policyName } = context;
      await markedGateway(context);
      await client.remove(policyName('marks'));
      await client.until(edge, isMarked(context, false));
    },
  },
  {
    id: 'affected-generation',
    profile: 'POLICY-DISCOVERABILITY',
    level: 'SHOULD',
    line: 1039,
    sentence:
      'That condition, if added, … SHOULD include an `observedGeneration` field kept up to date when the spec of the target object changes.',
    skip: anyOf(needsMarks, needsTargets('Gateway')),
    async run(context) {
      const { client } = context;
      const before = await markedGateway(context);
      await client.until(edge, observes(context, before.metadata.generation));
      const listeners = isJsonObject(before.spec) ? objectsIn(before.spec.listeners) : [];
      const another = { ...listeners[0], name: 'another', port: 8080 };
      const { metadata } = await client.patch(edge, { spec: { listeners: [...listeners, another] } });
      await client.until(edge, observes(context, metadata.generation));
    },
  },
];

const edge = { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'Gateway', name: 'edge' };

/** Creates a Gateway with a policy. Returns the Gateway once its status has the mark. */
async function markedGateway(context: CheckContext): Promise<KubernetesObject> {
  const { client, subject, policy, policyName } = context;
  await createHierarchy(context, 'r1');
  await policy('marks', 'Gateway edge');
  await client.until(policyName('marks'), says(subject, ['Accepted', 'True']));
  return client.until(edge, isMarked(context, true));
}

/** Returns the condition that marks an object as affected by policies of the kind under test. */
function markOn({ subject }: CheckContext, object: KubernetesObject | undefined): JsonObject | undefined {
  const conditions = isJsonObject(object?.status) ? objectsIn(object.status.conditions) : [];
  return conditions.find(({ type }) => type === markTypeOf(subject));
}

/** Returns the type of that condition. */
function markTypeOf({ controllerName, policy }: PolicyUnderTest): string {
  const [domain = ''] = controllerName.split('/');
  return `${domain}/${policy.kind}Affected`;
}

function isMarked(context: CheckContext, expected: boolean): Expectation {
  return (object) => {
    if ((markOn(context, object)?.status === 'True') === expected) return undefined;
    return `its status ${expected ? 'has no' : 'still has the'} condition ${markTypeOf(context.subject)}=True`;
  };
}

function observes(context: CheckContext, generation: unknown): Expectation {
  return (object) => {
    const observed = markOn(context, object)?.observedGeneration;
    if (observed === generation) return undefined;
    return `observedGeneration of ${markTypeOf(context.subject)} is ${observed} in place of ${generation}`;
  };
}
