import { isJsonObject, type KubernetesObject, objectsIn } from '@policy-machinery/resource';
import type { Expectation } from '../cluster/client.ts';
import { CheckFailure } from '../cluster/failure.ts';
import { gateway, route, service } from '../subject/manifests.ts';
import type { PolicyUnderTest } from '../subject/policy-under-test.ts';
import type { Check, CheckContext } from './check.ts';
import { all, conditionIn, entriesOf, everyEntry, says } from './conditions.ts';
import { anyOf, needsAncestors, needsStrategies, needsTargets, never } from './skips.ts';
import { createHierarchy, createWorld } from './world.ts';

const profile = 'POLICY-STATUS';
const accepted = ['Accepted', 'True'] as const;

/** Checks of the statuses of policies. */
export const statusChecks: readonly Check[] = [
  {
    id: 'partially-programmed',
    profile,
    level: 'SHOULD',
    line: 990,
    sentence:
      'PolicyReasonPartiallyProgrammed is used with the "Programmed" condition when … only parts of the scope under the associated target for the status are expected to be affected by the policy spec',
    skip: anyOf(needsTargets('Gateway', 'HTTPRoute'), needsStrategies('atomicDefaults')),
    async run(context) {
      const { client, subject, policy, policyName } = context;
      await createHierarchy(context, 'r1', 'r2');
      await policy('above', 'Gateway edge', { strategy: 'atomicDefaults' });
      await policy('below', 'HTTPRoute r1', { strategy: 'atomicDefaults', spec: subject.specs.two });
      await client.until(policyName('above'), says(subject, ['Programmed', 'True', 'PartiallyProgrammed']));
    },
  },
  {
    id: 'overridden-by',
    profile,
    level: 'SHOULD',
    line: 1003,
    sentence: 'The status message SHOULD include the references to the other related policies.',
    skip: anyOf(needsTargets('Gateway', 'HTTPRoute'), needsStrategies('atomicDefaults')),
    async run(context) {
      const { client, subject, policy, policyName } = context;
      await createHierarchy(context, 'r1');
      await policy('above', 'Gateway edge', { strategy: 'atomicDefaults' });
      await policy('below', 'HTTPRoute r1', { strategy: 'atomicDefaults', spec: subject.specs.two });
      const isOverridden = says(subject, ['Programmed', 'False', 'Overridden']);
      const namesOther = everyEntry(subject, (entry) =>
        String(conditionIn(entry, 'Programmed')?.message).includes('below')
          ? undefined
          : `the message does not name the policy "below": ${conditionIn(entry, 'Programmed')?.message}`,
      );
      await client.until(policyName('above'), all(isOverridden, namesOther));
    },
  },
  {
    id: 'an-entry-for-each-gateway',
    profile,
    level: 'SHOULD',
    line: 1029,
    sentence:
      'Each Gateway that has a Route that includes a backend with an attached `BackendTLSPolicy` SHOULD have a separate `PolicyAncestorStatus` section',
    skip: anyOf(needsAncestors, ({ targets }) =>
      targets.includes('HTTPRoute') || targets.includes('Service') ? undefined : 'no target has several Gateways',
    ),
    async run(context) {
      const { client, subject, policy, policyName } = context;
      const gateways = ['one', 'two'];
      await client.create(...gateways.map((name) => gateway(subject, name)), service('backend'));
      await client.create(route('route', gateways, 'backend'));
      await policy('below', subject.targets.includes('HTTPRoute') ? 'HTTPRoute route' : 'Service backend');
      const hasBoth: Expectation = (object) => {
        const ancestors = entriesOf(subject, object).map(({ ancestorRef }) => ancestorRef);
        const missing = gateways.filter((name) => !ancestors.some((it) => it?.kind === 'Gateway' && it.name === name));
        return missing.length === 0 ? undefined : `no entry for Gateway ${missing.join(' and ')}`;
      };
      await client.until(policyName('below'), all(says(subject, accepted), hasBoth));
    },
  },
  {
    id: 'entries-of-others-stay',
    profile,
    level: 'MUST',
    line: 1053,
    sentence:
      'Because an object can be affected by multiple implementations at once, any added status, to the policy objects or targets, MUST be namespaced by the implementation.',
    skip: needsAncestors,
    async run(context) {
      const { client, subject, policyName } = context;
      const before = await acceptedPolicy(context);
      await client.patch(policyName('plain'), { status: withForeignEntry(before) }, 'status');
      const changed = await changeSpec(context);
      const staysForeign: Expectation = (object) =>
        foreignEntryIn(object) ? undefined : `the entry of ${foreign} has gone`;
      await client.until(policyName('plain'), all(observes(subject, changed.metadata.generation), staysForeign));
    },
  },
  {
    id: 'no-war',
    profile,
    level: 'CONVENTION',
    sentence:
      'Controllers that share a status do not change the conditions of others, and do not answer each write with another.',
    skip: needsAncestors,
    async run(context) {
      const { client, policyName, quiet } = context;
      const before = await acceptedPolicy(context);
      const written = await client.patch(policyName('plain'), { status: withForeignEntry(before) }, 'status');
      const changes = await client.changesWithin(policyName('plain'), quiet);
      const answers = changes.filter(({ metadata }) => metadata.resourceVersion !== written.metadata.resourceVersion);
      // One answer may correct a list; more are a war.
      if (answers.length > 1)
        throw new CheckFailure(`${answers.length} writes answer one of another controller`, answers);
    },
  },
  {
    id: 'observed-generation',
    profile,
    level: 'CONVENTION',
    sentence: 'observedGeneration of a condition is the generation of the object that the condition was set for.',
    skip: never,
    async run(context) {
      const { client, subject, policyName } = context;
      const before = await acceptedPolicy(context);
      await client.until(policyName('plain'), observes(subject, before.metadata.generation));
      const changed = await changeSpec(context);
      await client.until(policyName('plain'), observes(subject, changed.metadata.generation));
    },
  },
  {
    id: 'transition-time',
    profile,
    level: 'CONVENTION',
    sentence: 'lastTransitionTime is the last time that the condition changed from one status to another.',
    skip: never,
    async run(context) {
      const { client, subject, policyName } = context;
      const before = await acceptedPolicy(context);
      await client.nextSecond();
      const changed = await changeSpec(context);
      const after = await client.until(policyName('plain'), observes(subject, changed.metadata.generation));
      const [was, is] = [before, after].map((object) => timesIn(subject, object));
      if (was === is) return;
      throw new CheckFailure(`lastTransitionTime of Accepted moves from ${was} to ${is} without another status`, [
        after,
      ]);
    },
  },
  {
    id: 'no-write-without-change',
    profile,
    level: 'CONVENTION',
    line: 1072,
    sentence:
      "it's an excellent way to create apiserver load problems, which can produce a large range of bad effects for cluster stability.",
    skip: never,
    async run(context) {
      const { client, policyName, quiet } = context;
      await acceptedPolicy(context);
      let changes: readonly KubernetesObject[] = [];
      for (let attempt = 0; attempt < 3; attempt += 1) {
        changes = await client.changesWithin(policyName('plain'), quiet);
        if (changes.length === 0) return;
      }
      throw new CheckFailure(
        `${changes.length} writes within ${quiet / 1000} s while nothing changes`,
        changes.slice(-1),
      );
    },
  },
];

/** Creates a policy, and waits until it is accepted. */
async function acceptedPolicy(context: CheckContext): Promise<KubernetesObject> {
  const { client, subject, policy, policyName } = context;
  await policy('plain', await createWorld(context));
  return client.until(policyName('plain'), says(subject, accepted));
}

async function changeSpec({ client, subject, policyName }: CheckContext): Promise<KubernetesObject> {
  const { stanza } = Object.values(subject.strategies)[0] ?? {};
  const { two } = subject.specs;
  return client.patch(policyName('plain'), { spec: stanza === undefined ? two : { [stanza]: two } });
}

/** Returns an expectation that conditions are about a generation. */
function observes(subject: PolicyUnderTest, generation: unknown): Expectation {
  return all(
    says(subject, accepted),
    everyEntry(subject, (entry) => {
      const observed = conditionIn(entry, 'Accepted')?.observedGeneration;
      return observed === generation ? undefined : `observedGeneration is ${observed} in place of ${generation}`;
    }),
  );
}

function timesIn(subject: PolicyUnderTest, object: KubernetesObject): string {
  return entriesOf(subject, object)
    .map((entry) => String(conditionIn(entry, 'Accepted')?.lastTransitionTime))
    .join(', ');
}

/** The name of a controller that there is not. */
const foreign = 'conformance.example.com/another-controller';

function withForeignEntry({ status }: KubernetesObject) {
  const { ancestors } = isJsonObject(status) ? status : { ancestors: [] };
  const entry = {
    ancestorRef: { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'edge' },
    controllerName: foreign,
    conditions: [
      {
        type: 'Accepted',
        status: 'True',
        reason: 'Accepted',
        message: 'By another controller.',
        lastTransitionTime: '2024-01-01T00:00:00Z',
      },
    ],
  };
  return { ancestors: [...objectsIn(ancestors), entry] };
}

function foreignEntryIn(object: KubernetesObject | undefined): boolean {
  const ancestors = isJsonObject(object?.status) ? objectsIn(object.status.ancestors) : [];
  return ancestors.some(({ controllerName }) => controllerName === foreign);
}
