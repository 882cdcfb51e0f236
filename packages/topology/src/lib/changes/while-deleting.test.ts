import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { withWhileDeleting } from '../model/define-target-kind.ts';
import type { Topology } from '../model/topology.ts';
import {
  exhibition,
  Museum,
  museum,
  names,
  TicketPolicy,
  target,
  targetKinds,
  ticketPolicy,
  world,
} from '../museum.fixture.ts';
import { createTopology } from '../topology.ts';

const id = {
  louvre: 'museum.culture.example.com:default/louvre',
  denon: 'museum.culture.example.com:default/louvre#denon',
  vinci: 'exhibition.culture.example.com:default/vinci',
  policy: 'ticketpolicy.policies.example.com:default/p',
};
const louvre = museum('louvre', { wings: [{ name: 'denon' }] });
const vinci = exhibition('vinci', { shownIn: [{ name: 'louvre', wing: 'denon' }] });
const policy = ticketPolicy('p', { name: 'louvre' });
const all = [louvre, vinci, policy];

/** Returns a resource as it is once its deletion has begun: only the metadata differ. */
const ending = (resource: KubernetesObject): KubernetesObject => ({
  ...resource,
  metadata: { ...resource.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
});

/** Kinds with resources that no longer count once their deletion has begun. */
const kinds = {
  targetKinds: targetKinds.map((kind) => withWhileDeleting(kind, 'is-gone')),
  policyKinds: [{ ...TicketPolicy, whileDeleting: 'is-gone' as const }],
};
const topologyOf = (resources: readonly KubernetesObject[]): Topology => {
  const topology = createTopology(kinds);
  topology.apply({ upsert: resources });
  return topology;
};
const seen = (topology: Topology) => ({
  targets: [...topology.targets].map(({ locator, linksTo }) => [locator, names(linksTo)]),
  policies: topology.policies().map(({ locator, attachments }) => [locator, attachments.map((it) => it.outcome)]),
  unresolved: topology.unresolved.map(({ missing }) => missing),
  issues: topology.issues,
});

describe('resources that are being deleted', () => {
  it('counts until it is gone, by default', () => {
    const topology = world(...all.map(ending));
    expect(names(target(topology, 'Museum louvre#denon').linksTo)).toEqual(['vinci']);
    expect(topology.policiesAt(id.louvre).map(({ locator }) => locator)).toEqual([id.policy]);
    expect(topology.issues).toEqual([]);
  });

  it('no longer counts if its kind says so, and is reported', () => {
    const topology = topologyOf([ending(louvre), vinci, policy]);
    const without = topologyOf([vinci, policy]);
    const { issues, ...rest } = seen(topology);
    const { issues: others, ...expected } = seen(without);
    expect(rest).toEqual(expected);
    expect(issues.filter(({ resource }) => resource === id.louvre)).toEqual([
      {
        code: 'being-deleted',
        severity: 'warning',
        message: expect.stringContaining('is ignored'),
        resource: id.louvre,
        pointer: '/metadata/deletionTimestamp',
      },
    ]);
    expect(issues.filter(({ resource }) => resource !== id.louvre)).toEqual(others);
  });

  it('is removed when its deletion begins, a change of metadata alone, and can be created again', () => {
    const topology = topologyOf(all);
    expect(topology.apply({ upsert: [ending(louvre)] })).toMatchObject({ removed: [id.louvre, id.denon], added: [] });
    expect(seen(topology)).toEqual(seen(topologyOf([ending(louvre), vinci, policy])));
    expect(topology.apply({ upsert: [ending(policy)] })).toMatchObject({ removed: [id.policy] });
    expect(topology.policy(id.policy)).toBeUndefined();
    expect(topology.apply({ remove: [louvre, policy] })).toMatchObject({ removed: [], changed: [] });
    expect(topology.issuesAbout(id.louvre)).toEqual([]);
    expect(topology.apply({ upsert: [louvre, policy] }).added).toEqual([id.louvre, id.denon, id.policy]);
    expect(seen(topology)).toEqual(seen(topologyOf(all)));
  });

  it('is left out of a topology with a change applied, too', () => {
    const topology = topologyOf([ending(louvre), vinci]);
    expect(seen(topology.with({ upsert: [ending(policy)] }).topology)).toEqual(
      seen(topologyOf([ending(louvre), vinci, ending(policy)])),
    );
  });

  it.each([undefined, null, ''])('is not a resource with the deletion time %s', (deletionTimestamp) => {
    const kept = { ...louvre, metadata: { ...louvre.metadata, deletionTimestamp } } as KubernetesObject;
    expect(names(topologyOf([kept]).targets)).toEqual(['louvre', 'louvre#denon']);
  });

  it('can be targeted by policies of a kind with another value of its kind', () => {
    const topology = topologyOf(all);
    expect(TicketPolicy.targets).toContain(Museum);
    expect(topology.policiesAt(id.louvre).map(({ locator }) => locator)).toEqual([id.policy]);
  });
});
