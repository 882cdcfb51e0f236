import { findStatusCondition } from '@policy-machinery/conditions';
import { reportPolicies } from '@policy-machinery/policy-status';
import { impact } from '@policy-machinery/policy-status/impact';
import { isJsonObject } from '@policy-machinery/resource';
import { formatTarget, type Topology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { carryOut } from './carry-out.ts';
import { cluster, retriesIn } from './cluster.fixture.ts';
import { affectedType } from './statuses.ts';
import { planFor, policy, route } from './story.ts';

const removal = { remove: [policy] };

/** All Services, and what applies to each, in each context. */
function specsIn(topology: Topology): ReadonlyMap<string, readonly unknown[]> {
  const effective = retriesIn(topology);
  return new Map([...effective.targets].map(({ locator }) => [locator, effective.of(locator).map(({ spec }) => spec)]));
}

/** What the status of an object says of the policies that affect it. */
function affectedBy(topology: Topology, locator: string): string | undefined {
  const status = topology.get(locator)?.resource.status;
  return isJsonObject(status) ? findStatusCondition(status.conditions, affectedType)?.message : undefined;
}

/** The Services whose status says that policies affect them. */
function markedIn(topology: Topology): readonly string[] {
  return [...specsIn(topology).keys()].filter((locator) => affectedBy(topology, locator) !== undefined);
}

describe('a policy for a namespace of 47 Services', () => {
  it('is in a cluster without faults', async () => {
    const topology = await cluster();
    expect([...topology.issues, ...topology.unresolved, ...retriesIn(topology).issues]).toEqual([]);
    const services = [...specsIn(topology).keys()];
    expect(services.filter((locator) => locator.startsWith('service:parcels/'))).toHaveLength(47);
    expect(services.filter((locator) => !locator.startsWith('service:parcels/'))).toEqual(['service:insurance/claims']);
  });
});

describe("the application's owner", () => {
  it('learns by one question which policy affects the route, its fields, and the losers', async () => {
    const { policies, effective } = retriesIn(await cluster()).explain(route);
    expect(policies.map(({ name }) => name)).toEqual(['parcels/steady']);
    const answers = effective.map(({ policy: { target }, fields }) => [
      target.locator,
      fields.map(({ pointer, value, by, over }) => [
        pointer,
        value,
        by.map((layer) => `${layer.policy.name} on ${formatTarget(layer.level.target)}`),
        over.map((loss) => `${loss.layer.policy.name} lost ${JSON.stringify(loss.value)}`),
      ]),
    ]);
    const fields = [
      ['/attempts', 3, ['parcels/steady on Namespace parcels'], ['infra/edge-once lost 1']],
      ['/codes', [502, 503, 504], ['parcels/steady on Namespace parcels'], ['infra/edge-once lost [503]']],
      ['/perTry', '2s', ['parcels/steady on Namespace parcels'], []],
    ];
    expect(answers).toEqual([
      ['service:parcels/tracking', fields],
      ['service:parcels/tracking-events', fields],
      ['service:parcels/tracking-map', fields],
    ]);
  });

  it('is told without asking, by the status of each Service', async () => {
    const topology = await cluster();
    carryOut(topology, planFor(topology));
    expect(affectedBy(topology, 'service:parcels/tracking')).toBe('Affected by parcels/steady.');
    expect(affectedBy(topology, 'service:parcels/receipts')).toBe(
      'Affected by parcels/receipts-twice, parcels/steady.',
    );
    expect(affectedBy(topology, 'service:parcels/ledger')).toBe('Affected by parcels/ledger-never.');
    expect(markedIn(topology)).toHaveLength(47);
    expect(affectedBy(topology, 'service:insurance/claims')).toBeUndefined();
  });
});

describe("the cluster's operator", () => {
  it('sees every Service that changes, and only those', async () => {
    const topology = await cluster();
    const changes = impact(retriesIn(topology), removal).effective.map(({ target }) => target);
    const withoutOwn = [...specsIn(topology).keys()].filter(
      (locator) =>
        !['service:insurance/claims', 'service:parcels/ledger', 'service:parcels/payments'].includes(locator),
    );
    expect(changes).toEqual(withoutOwn);
    expect(changes).toHaveLength(45);
  });

  it('sees the present and the future effective policy of each of them', async () => {
    const { effective } = impact(retriesIn(await cluster()), removal);
    const changes = new Map(effective.map(({ target, before, after }) => [target, [before?.spec, after?.spec]]));
    const everywhere = { attempts: 3, codes: [502, 503, 504], perTry: '2s' };
    expect(changes.get('service:parcels/audit')).toEqual([everywhere, undefined]);
    expect(changes.get('service:parcels/tracking')).toEqual([everywhere, { attempts: 1, codes: [503] }]);
    expect(changes.get('service:parcels/receipts')).toEqual([{ ...everywhere, attempts: 2 }, { attempts: 2 }]);
  });

  it('sees which policies would come into force', async () => {
    const { outcomes } = impact(retriesIn(await cluster()), removal);
    expect(outcomes.map(({ policy: it, before, after }) => [it, before?.outcome, after?.outcome])).toEqual([
      ['retrypolicy.retries.example.com:infra/edge-once', 'overridden', 'enforced'],
      [policy, 'partly-enforced', undefined],
    ]);
  });

  it('changes nothing by asking', async () => {
    const topology = await cluster();
    const [specs, plan] = [specsIn(topology), planFor(topology)];
    impact(retriesIn(topology), removal);
    expect(specsIn(topology)).toEqual(specs);
    expect(planFor(topology)).toEqual(plan);
  });
});

describe('removing the policy', () => {
  it('makes exactly the announced changes', async () => {
    const topology = await cluster();
    const announced = impact(retriesIn(topology), removal);
    const expected = new Map(specsIn(topology));
    for (const { target, after } of announced.effective) expected.set(target, after === undefined ? [] : [after.spec]);
    const outcomes = new Map(reportPolicies(retriesIn(topology)).map((it) => [it.policy.locator, it.outcome]));
    for (const { policy: it, after } of announced.outcomes) {
      if (after === undefined) outcomes.delete(it);
      else outcomes.set(it, after.outcome);
    }

    expect(topology.apply(removal)).toEqual(announced.delta);
    expect(specsIn(topology)).toEqual(expected);
    expect(new Map(reportPolicies(retriesIn(topology)).map((it) => [it.policy.locator, it.outcome]))).toEqual(outcomes);
  });

  it('leaves the policy without reach, and gives its fields to others', async () => {
    const topology = await cluster();
    topology.apply(removal);
    const effective = retriesIn(topology);
    expect(effective.reach(policy)).toEqual([]);
    expect(effective.explain(route).policies.map(({ name }) => name)).toEqual(['infra/edge-once']);
  });
});

describe('the statuses', () => {
  it('are not written again once they are right', async () => {
    const topology = await cluster();
    carryOut(topology, planFor(topology));
    expect(planFor(topology)).toEqual({ writes: [], refused: [] });
  });

  it('lose the conditions of a policy that is gone, and those only', async () => {
    const topology = await cluster();
    carryOut(topology, planFor(topology));
    topology.apply(removal);
    carryOut(topology, planFor(topology));
    const stillAffected = impact(retriesIn(await cluster()), removal).effective.flatMap(({ target, after }) =>
      after === undefined ? [] : [target],
    );
    expect(markedIn(topology)).toEqual([...stillAffected, 'service:parcels/ledger', 'service:parcels/payments'].sort());
    expect(affectedBy(topology, 'service:parcels/tracking')).toBe('Affected by infra/edge-once.');
    expect(topology.get('namespace:parcels')?.resource.metadata.annotations).toEqual({});
    expect(planFor(topology).writes).toEqual([]);
  });

  it('keep the fields of others', async () => {
    const topology = await cluster();
    topology.apply(removal);
    carryOut(topology, planFor(topology));
    const { status } = topology.get('gateway.gateway.networking.k8s.io:infra/edge')?.resource ?? {};
    const types = isJsonObject(status) && Array.isArray(status.conditions) ? status.conditions : [];
    expect(types.map(({ type }) => type)).toEqual(['Programmed', affectedType]);
    expect(topology.get('service:parcels/tracking')?.resource.status).toMatchObject({ loadBalancer: {} });
  });

  it('are not written over changes that the plan has not seen', async () => {
    const topology = await cluster();
    const plan = planFor(topology);
    carryOut(topology, plan);
    expect(() => carryOut(topology, plan)).toThrow('has changed since the plan was made');
  });
});
