import { kgatewayVocabulary, kuadrantVocabulary } from '@policy-machinery/conditions';
import { isJsonObject, objectsIn } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { cluster, gateway, route, TimeoutPolicy, timeouts } from '../cluster.fixture.ts';
import type { PlanStatusOptions } from './plan-options.ts';
import { planStatus } from './plan-status.ts';
import { createStatusPlanner } from './status-planner.ts';

const now = new Date('2026-01-02T03:04:05Z');
const controllerName = 'example.com/gateways';
const resources = [
  gateway('edge'),
  route('cart', ['edge']),
  timeouts('held', ['Gateway edge'], { request: 1 }),
  timeouts('lost', ['Gateway nowhere'], { request: 1 }),
];

/** Returns the conditions in a status. */
function saidIn(status: unknown): readonly string[] {
  const ancestors = isJsonObject(status) ? objectsIn(status.ancestors) : [];
  return ancestors.flatMap((it) =>
    objectsIn(it.conditions).map(({ type, status, message }) => `${type}=${status} ${message}`),
  );
}

function saidOf(name: string, options: Partial<PlanStatusOptions>): readonly string[] {
  const { effective } = cluster(TimeoutPolicy, ...resources);
  const { writes } = planStatus(effective, { controllerName, now, ...options });
  return saidIn(writes.find(({ ref }) => ref.name === name)?.result.status);
}

describe('unprogrammed', () => {
  const unprogrammed = () => 'No port is free.';

  it('says that a policy in force is not programmed, and why', () => {
    expect(saidOf('held', { unprogrammed })).toEqual([
      'Accepted=True The policy is valid.',
      'Programmed=False No port is free.',
    ]);
    expect(saidOf('held', { unprogrammed: () => undefined })).toContain('Programmed=True In force in all scopes.');
  });

  it('is not asked about policies that are not in force anyway', () => {
    expect(saidOf('lost', { unprogrammed }).join()).not.toContain('port');
  });

  it.each([
    ['Kuadrant', kuadrantVocabulary, 'Enforced=False No port is free.'],
    ['kgateway', kgatewayVocabulary, 'Attached=False No port is free.'],
  ])('uses the words of %s', (_, vocabulary, expected) => {
    expect(saidOf('held', { unprogrammed, vocabulary })).toContain(expected);
    expect(saidOf('held', { unprogrammed, vocabulary }).filter((it) => it.startsWith('Accepted=False'))).toEqual([]);
  });

  it('leaves the status unchanged if it throws', () => {
    const { effective } = cluster(TimeoutPolicy, ...resources);
    const fails = () => {
      throw new Error('no answer');
    };
    const { writes, refused } = planStatus(effective, { controllerName, now, unprogrammed: fails });
    expect(writes.filter(({ ref }) => ref.name === 'held')).toEqual([]);
    expect(refused[0]?.message).toContain('no answer');
  });

  it('is asked again after lookAgain, for these policies alone', () => {
    const { effective, topology } = cluster(TimeoutPolicy, ...resources);
    let failure: string | undefined;
    const planner = createStatusPlanner(effective, { controllerName, now: () => now, unprogrammed: () => failure });
    for (const write of planner.plan().writes) {
      planner.done(write);
      topology.apply({ upsert: [write.result] });
    }
    expect(planner.plan().writes).toEqual([]);
    failure = 'No port is free.';
    expect(planner.plan().writes).toEqual([]);
    planner.lookAgain(effective.policies.map(({ node }) => node.locator));
    const [write, ...others] = planner.plan().writes;
    expect(saidIn(write?.result.status)).toContain('Programmed=False No port is free.');
    expect(others).toEqual([]);
  });
});
