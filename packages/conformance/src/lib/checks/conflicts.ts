import { StatusError } from '@policy-machinery/cluster';
import type { KubernetesObject } from '@policy-machinery/resource';
import { CheckFailure } from '../cluster/failure.ts';
import { policyWith } from '../subject/manifests.ts';
import type { PolicyUnderTest, StrategyName } from '../subject/policy-under-test.ts';
import type { Check, CheckContext } from './check.ts';
import { says } from './conditions.ts';
import { anyOf, needsStrategies, needsTargets } from './skips.ts';
import { createHierarchy, createWorld } from './world.ts';

const conflicted = ['Accepted', 'False', 'Conflicted'] as const;
const accepted = ['Accepted', 'True'] as const;
const enforced = ['Programmed', 'True', 'Programmed'] as const;
const partly = ['Programmed', 'True', 'PartiallyProgrammed'] as const;
const overridden = ['Programmed', 'False', 'Overridden'] as const;

/** Checks of conflicts between policies on one target, and of the merge strategies. */
export const conflictChecks: readonly Check[] = [
  {
    id: 'none-oldest-stays',
    profile: 'POLICY-NONE',
    level: 'MUST',
    line: 666,
    sentence:
      'the spec (policy resource) with the oldest creation timestamp MUST be considered the established spec and that spec beats all challenger specs',
    skip: needsStrategies('none'),
    async run(context) {
      const { client, subject, policyName } = context;
      await twoByAge(context, await createWorld(context), 'none');
      await client.until(policyName('z-older'), says(subject, accepted));
      await client.until(policyName('a-newer'), says(subject, conflicted));
    },
  },
  {
    id: 'none-first-name-stays',
    profile: 'POLICY-NONE',
    level: 'MUST',
    line: 668,
    sentence:
      'In case the conflicting policy resources have identical creation timestamps, the one appearing first in alphabetical order by `{namespace}/{name}` MUST be considered as the established one and that spec beats all others',
    skip: needsStrategies('none'),
    async run(context) {
      const { client, subject, policyName } = context;
      await twoOfOneAge(context, await createWorld(context), 'none');
      await client.until(policyName('a'), says(subject, accepted));
      await client.until(policyName('b'), says(subject, conflicted));
    },
  },
  {
    id: 'none-next-follows',
    profile: 'POLICY-NONE',
    level: 'MUST',
    line: 670,
    sentence:
      'the established spec (policy resource) always wins. All challenger specs (policy resources) MUST be rejected.',
    skip: needsStrategies('none'),
    async run(context) {
      const { client, subject, policyName } = context;
      await twoByAge(context, await createWorld(context), 'none');
      await client.until(policyName('a-newer'), says(subject, conflicted));
      await client.remove(policyName('z-older'));
      await client.until(policyName('a-newer'), says(subject, accepted));
    },
  },
  {
    id: 'atomic-defaults',
    profile: 'POLICY-ATOMIC',
    level: 'MUST',
    line: 682,
    sentence:
      "the challenger spec beats the established one. The conflicting specs MUST be treated as atomic units (indivisible), therefore the effective policy's spec proper MUST be set to equal to the winning spec in its entirety",
    skip: overLevels('atomicDefaults'),
    async run(context) {
      const { specs } = context.subject;
      const [above, below] = [{ ...specs.one, ...specs.other }, specs.two];
      await meet(context, ['atomicDefaults', above, overridden], ['atomicDefaults', below, enforced]);
    },
  },
  {
    id: 'atomic-overrides',
    profile: 'POLICY-ATOMIC',
    level: 'MUST',
    line: 692,
    sentence:
      'the established spec beats the challenger one. The conflicting specs MUST be treated as atomic units (indivisible)',
    skip: overLevels('atomicOverrides'),
    async run(context) {
      const { specs, strategies } = context.subject;
      const [above, below] = [specs.one, { ...specs.two, ...specs.other }];
      await meet(context, ['atomicOverrides', above, enforced], [plainest(strategies), below, overridden]);
    },
  },
  {
    id: 'atomic-overrides-by-age',
    profile: 'POLICY-ATOMIC',
    level: 'MUST',
    line: 531,
    sentence:
      'Between two policies targeting at the same level of the hierarchy, the older policy based on creation timestamp MUST be assigned as the established one.',
    skip: overLevels('atomicOverrides'),
    async run(context) {
      const { client, subject, policyName } = context;
      await createHierarchy(context, 'r1');
      await twoByAge(context, 'Gateway edge', 'atomicOverrides');
      await client.until(policyName('z-older'), says(subject, enforced));
      await client.until(policyName('a-newer'), says(subject, overridden));
    },
  },
  {
    id: 'atomic-overrides-by-name',
    profile: 'POLICY-ATOMIC',
    level: 'MUST',
    line: 532,
    sentence:
      'Between two policies targeting at the same level of the hierarchy and identical creation timestamps, the policy appearing first in alphabetical order by `{namespace}/{name}` MUST be assigned as the established one.',
    skip: overLevels('atomicOverrides'),
    async run(context) {
      const { client, subject, policyName } = context;
      await createHierarchy(context, 'r1');
      await twoOfOneAge(context, 'Gateway edge', 'atomicOverrides');
      await client.until(policyName('a'), says(subject, enforced));
      await client.until(policyName('b'), says(subject, overridden));
    },
  },
  {
    id: 'patch-defaults',
    profile: 'POLICY-PATCH',
    level: 'MUST',
    line: 700,
    sentence:
      'the challenger spec beats the established one only for all conflicting fields, at the scalar level, with non-conflicting fields from both specs',
    skip: overLevels('patchDefaults'),
    async run(context) {
      const { specs } = context.subject;
      const above = { ...specs.one, ...specs.other };
      await meet(context, ['patchDefaults', above, partly], ['patchDefaults', specs.two, enforced]);
    },
  },
  {
    id: 'patch-overrides',
    profile: 'POLICY-PATCH',
    level: 'MUST',
    line: 708,
    sentence:
      'the established spec beats the challenger one only for all conflicting fields, at the scalar level, with non-conflicting fields from both specs',
    skip: overLevels('patchOverrides'),
    async run(context) {
      const { specs, strategies } = context.subject;
      const below = { ...specs.two, ...specs.other };
      await meet(context, ['patchOverrides', specs.one, enforced], [plainest(strategies), below, partly]);
    },
  },
  {
    id: 'one-strategy-at-a-time',
    profile: 'POLICY-CORE',
    level: 'MUST',
    line: 729,
    sentence: 'User MUST NOT be allowed to specify at any individual Policy CR more than one merge strategy at a time.',
    skip: (subject) =>
      stanzasOf(subject).length > 1
        ? undefined
        : 'policies of the kind do not have two stanzas with their own strategies',
    async run(context) {
      const { client, subject, policyName } = context;
      const target = await createWorld(context);
      const both = stanzasOf(subject).slice(0, 2);
      const [first, second] = both.map((strategy) =>
        policyWith(subject, { name: 'both', on: target, strategy, spec: subject.specs.one }),
      );
      if (first === undefined || second === undefined) throw new Error('there are two stanzas');
      try {
        await client.create({ ...first, spec: { ...(second.spec as object), ...(first.spec as object) } });
      } catch (error) {
        if (error instanceof StatusError && error.code < 500) return; // The API server does not allow it.
        throw error;
      }
      await client.until(policyName('both'), says(subject, ['Accepted', 'False']));
    },
  },
];

/** Skips a check of a hierarchy unless the kind has Gateways and routes as targets, and a strategy. */
function overLevels(strategy: StrategyName) {
  return anyOf(needsTargets('Gateway', 'HTTPRoute'), needsStrategies(strategy));
}

/** Returns the strategies of a kind that are written in stanzas of different names, one for each stanza. */
function stanzasOf({ strategies }: PolicyUnderTest): readonly StrategyName[] {
  const byStanza = new Map<string, StrategyName>();
  for (const [name, { stanza }] of Object.entries(strategies) as [StrategyName, { stanza?: string }][]) {
    if (stanza !== undefined && !byStanza.has(stanza)) byStanza.set(stanza, name);
  }
  return [...byStanza.values()];
}

/** Returns the strategy of a policy at the bottom of a hierarchy, where it makes no difference. */
function plainest(strategies: PolicyUnderTest['strategies']): StrategyName {
  return (Object.keys(strategies) as StrategyName[])[0] ?? 'none';
}

type Side = readonly [
  strategy: StrategyName,
  spec: PolicyUnderTest['specs']['one'],
  expected: readonly [string, string, string],
];

/** Creates a policy on a Gateway and one on its route, and waits until both have their outcome. */
async function meet(context: CheckContext, above: Side, below: Side): Promise<void> {
  const { client, subject, policy, policyName } = context;
  await createHierarchy(context, 'r1');
  await policy('above', 'Gateway edge', { strategy: above[0], spec: above[1] });
  await policy('below', 'HTTPRoute r1', { strategy: below[0], spec: below[1] });
  await client.until(policyName('above'), says(subject, accepted, above[2]));
  await client.until(policyName('below'), says(subject, accepted, below[2]));
}

/** Creates two policies on a target in different seconds. The newer one comes first by name. */
async function twoByAge({ client, subject, policy }: CheckContext, on: string, strategy: StrategyName): Promise<void> {
  await policy('z-older', on, { strategy, spec: subject.specs.one });
  await client.nextSecond();
  await policy('a-newer', on, { strategy, spec: subject.specs.two });
}

/** How often to try to create two policies within one second. */
const attempts = 20;

/** Creates two policies on a target within one second, the later one first by name. */
async function twoOfOneAge(context: CheckContext, on: string, strategy: StrategyName): Promise<void> {
  const { client, subject, policy, policyName } = context;
  let created: readonly KubernetesObject[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const second = await policy('b', on, { strategy, spec: subject.specs.two });
    const first = await policy('a', on, { strategy, spec: subject.specs.one });
    created = [first, second];
    if (first.metadata.creationTimestamp === second.metadata.creationTimestamp) return;
    for (const name of ['a', 'b']) await client.remove(policyName(name));
  }
  throw new CheckFailure(`no two policies could be created within one second in ${attempts} attempts`, created);
}
