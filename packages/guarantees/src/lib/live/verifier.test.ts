import { effectivePolicies } from '@policy-machinery/effective-policy';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createFixtures } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import { createVerifier, type Guarantee, verifiedKind } from '../../index.ts';
import { LimitPolicy, topologyOf } from '../../properties/clusters.fixture.ts';

const { gateway, httpRoute, policy } = createFixtures({ namespace: 'shop' });
const limited: Guarantee = { name: 'limited', holds: 'policies.LimitPolicy.spec.limit <= 5' };
const effect: Guarantee = { name: 'effect', about: 'policies', holds: 'policy.requests > 0' };

/** Two Gateways, one with a thousand routes and one with ten, and a verifier that counts how often it asks what a request meets. */
function world() {
  const [big, small] = [gateway('big'), gateway('small')];
  const routesOf = (parent: KubernetesObject, count: number) =>
    Array.from({ length: count }, (_, index) =>
      httpRoute(`${parent.metadata.name}-${index}`, { parents: [parent], hostnames: [`h${index}.test`] }),
    );
  const [many, few] = [routesOf(big, 1000), routesOf(small, 10)];
  const house = [big, small].map((on) => policy(LimitPolicy, `on-${on.metadata.name}`, { on, spec: { limit: 1 } }));
  const topology = topologyOf([big, small, ...many, ...few, ...house]);
  const kind = verifiedKind(effectivePolicies(topology, LimitPolicy));
  let looks = 0;
  const counted = {
    ...kind,
    along: (path: Parameters<typeof kind.along>[0]) => {
      looks += 1;
      return kind.along(path);
    },
    get policies() {
      return kind.policies;
    },
  };
  const verifier = createVerifier({ topology, kinds: [counted] });
  const asked = (guarantees: readonly Guarantee[]) => {
    looks = 0;
    const verdicts = verifier.verdicts(guarantees);
    return { verdicts, looks, answers: verdicts.map(({ answer }) => answer) };
  };
  return { topology, asked, many, few };
}

describe('the work of a verifier after a change', () => {
  it('is nothing after none, and after one of a status, and the verdict is the same', () => {
    const { topology, asked, many } = world();
    const first = asked([limited]);
    expect(first).toMatchObject({ looks: 1010, answers: ['holds'] });
    expect(asked([limited]).looks).toBe(0);
    topology.apply({ upsert: [{ ...(many[0] as KubernetesObject), status: { parents: [] } }] });
    const second = asked([limited]);
    expect(second.looks).toBe(0);
    expect(second.verdicts[0]).toBe(first.verdicts[0]);
  });

  it('is the routes of a policy that comes, changes and goes', () => {
    const { topology, asked, many } = world();
    asked([limited]);
    const own = (limit: number) => policy(LimitPolicy, 'own', { on: many[7] as KubernetesObject, spec: { limit } });
    topology.apply({ upsert: [own(9)] });
    expect(asked([limited])).toMatchObject({ looks: 1, answers: ['broken'] });
    topology.apply({ upsert: [own(3)] });
    expect(asked([limited])).toMatchObject({ looks: 1, answers: ['holds'] });
    topology.apply({ remove: [own(3)] });
    expect(asked([limited])).toMatchObject({ looks: 1, answers: ['holds'] });
  });

  it('is the Gateway of a route that changes, and no other one', () => {
    const { topology, asked, few } = world();
    asked([limited, effect]);
    topology.apply({ remove: [few[0] as KubernetesObject] });
    const { verdicts, looks } = asked([limited, effect]);
    expect(looks).toBe(2 * 9);
    expect(verdicts.map(({ classes }) => classes)).toEqual([1009, 2]);
  });

  it('is everything for a guarantee that is new, and nothing for the others', () => {
    const { asked } = world();
    asked([limited]);
    const other = { ...limited, name: 'other' };
    expect(asked([limited, other]).looks).toBe(1010);
    expect(asked([other]).looks).toBe(0);
  });
});
