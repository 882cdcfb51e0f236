import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { carryOut, cluster, gateway, resourceIn, route, TimeoutPolicy, timeouts } from '../cluster.fixture.ts';
import { planStatus } from './plan-status.ts';

const options = {
  controllerName: 'example.com/timeouts',
  now: new Date('2026-01-02T03:04:05Z'),
  affected: 'off',
  rendering: 'targets',
} as const;
const locator = 'timeoutpolicy.example.com:shop/p';

interface Entry {
  readonly ancestorRef: { readonly kind: string; readonly name: string };
  readonly conditions: readonly { readonly type: string; readonly status: string; readonly reason: string }[];
  readonly targets?: readonly {
    readonly targetRef: { readonly name: string };
    readonly conditions: Entry['conditions'];
  }[];
}

const shown = (conditions: Entry['conditions']) =>
  conditions.map((it) => `${it.type}=${it.status}/${it.reason}`).join(' ');

/** The entries of a policy's status: `Gateway edge …`, each followed by its targets. */
function entriesIn(policy: KubernetesObject | undefined): readonly string[] {
  const { ancestors = [] } = (policy?.status ?? {}) as { readonly ancestors?: readonly Entry[] };
  return ancestors.flatMap(({ ancestorRef: { kind, name }, conditions, targets = [] }) => [
    `${kind} ${name} ${shown(conditions)}`,
    ...targets.map((it) => `- ${it.targetRef.name} ${shown(it.conditions)}`),
  ]);
}

const planned = (...others: readonly KubernetesObject[]) => {
  const { effective } = cluster(TimeoutPolicy, gateway('edge'), route('cart', ['edge']), ...others);
  return entriesIn(planStatus(effective, options).writes.find((it) => it.locator === locator)?.result);
};
const good = 'Accepted=True/Accepted Programmed=True/Programmed';

describe("planStatus with rendering: 'targets' (GEP-5058)", () => {
  it('has the conditions of each target of a policy under their ancestor, and a summary', () => {
    expect(planned(timeouts('p', ['HTTPRoute cart', 'HTTPRoute gone'], { request: 1 }))).toEqual([
      'Gateway edge Accepted=False/PartiallyAccepted Programmed=True/PartiallyProgrammed',
      `- cart ${good}`,
      '- gone Accepted=False/TargetNotFound',
    ]);
  });

  it('summarizes targets that are all accepted as accepted', () => {
    expect(planned(route('pay', ['edge']), timeouts('p', ['HTTPRoute cart', 'HTTPRoute pay'], { request: 1 }))).toEqual(
      [`Gateway edge ${good}`, `- cart ${good}`, `- pay ${good}`],
    );
  });

  it('omits the list of targets for a policy with one target', () => {
    expect(planned(timeouts('p', ['HTTPRoute cart'], { request: 1 }))).toEqual([`Gateway edge ${good}`]);
  });

  it('has an entry for each target that does not exist if no other one does', () => {
    expect(
      planned(timeouts('p', ['HTTPRoute gone', 'HTTPRoute lost'], { request: 1 })).map((it) =>
        it.split(' ').slice(0, 3).join(' '),
      ),
    ).toEqual(['HTTPRoute gone Accepted=False/TargetNotFound', 'HTTPRoute lost Accepted=False/TargetNotFound']);
  });

  it('plans nothing once the writes are carried out, and keeps the time of a condition that stays', () => {
    const policy = timeouts('p', ['HTTPRoute cart', 'HTTPRoute gone'], { request: 1 });
    const { topology, effective } = cluster(TimeoutPolicy, gateway('edge'), route('cart', ['edge']), policy);
    carryOut(topology, planStatus(effective, options).writes);
    const later = { ...options, now: new Date('2026-02-02T03:04:05Z') };
    expect(planStatus(effective, later).writes).toEqual([]);
    topology.apply({ upsert: [route('gone', ['edge'])] });
    carryOut(topology, planStatus(effective, later).writes);
    expect(entriesIn(resourceIn(topology, locator))).toEqual([
      `Gateway edge ${good}`,
      `- cart ${good}`,
      `- gone ${good}`,
    ]);
    expect(JSON.stringify(resourceIn(topology, locator).status)).toContain('2026-01-02T03:04:05Z');
    carryOut(topology, planStatus(effective, { ...later, rendering: 'ancestors' }).writes);
  });
});
