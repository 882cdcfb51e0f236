import { HTTPRoute } from '@policy-machinery/gateway-api';
import { type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { clusterOf } from './cluster-of.ts';
import { medley } from './medley.ts';
import { commonEdits, editNames, type RandomChange, randomChanges } from './random-changes.ts';
import { scaled } from './size.ts';

const size = { ...scaled(0.01), gateways: 4, listenersPerGateway: 3, routes: 40, services: 20, namespaces: 3 };
const workload = clusterOf(size);

function take(count: number, changes: Iterator<RandomChange, never>): readonly RandomChange[] {
  return Array.from({ length: count }, () => changes.next().value);
}

const sorted = (resources: Iterable<KubernetesObject>): readonly KubernetesObject[] =>
  [...resources].sort((a, b) => (locatorOf(a) < locatorOf(b) ? -1 : 1));

describe('randomChanges', () => {
  it('makes the same changes of the same seed, and others of another', () => {
    const written = (seed: number) => JSON.stringify(take(50, randomChanges(workload.resources, { seed })));
    expect(written(7)).toBe(written(7));
    expect(written(7)).not.toBe(written(8));
  });

  it.each([
    ['common to all clusters', workload, commonEdits],
    ['of a medley', medley(), editNames],
  ] as const)('makes every kind of edit %s', (_, { resources }, edits) => {
    const made = new Set(take(2_000, randomChanges(resources, { edits })).flatMap((change) => change.edits));
    expect([...made].sort()).toEqual([...edits].sort());
  });

  it('makes only the edits that it is asked for, and no more in one change', () => {
    const changes = take(50, randomChanges(workload.resources, { edits: ['remove route', 'add route'], maxEdits: 1 }));
    expect(new Set(changes.map(({ edits }) => edits.join()))).toEqual(new Set(['remove route', 'add route']));
  });

  it('continues from the writes of others, except for deleted objects', () => {
    const changes = randomChanges(workload.resources, { edits: ['edit policy', 'remove policy'] });
    const status = { ancestors: [] };
    const gone = take(10, changes).flatMap(({ remove }) => remove);
    const before = changes.resources;
    const written = changes.write([...before, ...gone].map((resource) => ({ ...resource, status })));
    expect(changes.resources).toEqual(written);
    const withoutVersion = ({ status: _, ...rest }: KubernetesObject) => ({
      ...rest,
      metadata: { ...rest.metadata, resourceVersion: '' },
    });
    expect(written.map(withoutVersion)).toEqual(before.map(withoutVersion));
    expect(written.some((resource, index) => versionOf(resource) <= versionOf(before[index] ?? resource))).toBe(false);
    expect(take(50, changes).flatMap(({ upsert }) => upsert.filter((it) => it.status !== status))).toEqual([]);
  });

  it('makes changes of one edit and of several', () => {
    const counts = take(200, randomChanges(workload.resources)).map((change) => change.edits.length);
    expect([...new Set(counts)].sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it('makes changes that a topology can take, one after the other, and returns the resulting objects', () => {
    const topology = createTopology(workload);
    topology.apply({ upsert: workload.resources });
    const changes = randomChanges(workload.resources);
    for (const change of take(200, changes)) topology.apply(change);
    const afresh = createTopology(workload);
    afresh.apply({ upsert: changes.resources });
    const locators = ({ targets }: typeof topology) => [...targets].map(({ locator }) => locator);
    expect(locators(topology)).toEqual(locators(afresh));
    expect(topology.policies().map(({ resource }) => resource)).toEqual(
      afresh.policies().map(({ resource }) => resource),
    );
  });

  it('hands out the result of the changes', () => {
    const changes = randomChanges(workload.resources);
    const expected = new Map(workload.resources.map((resource) => [locatorOf(resource), resource]));
    for (const { upsert, remove } of take(500, changes)) {
      for (const resource of remove) expected.delete(locatorOf(resource));
      for (const resource of upsert) expected.set(locatorOf(resource), resource);
    }
    expect(sorted(changes.resources)).toEqual(sorted(expected.values()));
  });

  it('never changes an object that was handed out', () => {
    const given = structuredClone(workload.resources);
    const changes = randomChanges(workload.resources);
    const made = take(300, changes);
    const resources = changes.resources;
    const before = structuredClone({ made, resources });
    take(300, changes);
    expect({ made, resources }).toEqual(before);
    expect(workload.resources).toEqual(given);
  });

  it('gives changed objects a newer resource version, and another generation where the spec differs', () => {
    const now = new Map(workload.resources.map((resource) => [locatorOf(resource), resource]));
    let compared = 0;
    for (const { upsert, remove } of take(500, randomChanges(workload.resources))) {
      for (const resource of remove) now.delete(locatorOf(resource));
      for (const resource of upsert) {
        const was = now.get(locatorOf(resource));
        now.set(locatorOf(resource), resource);
        if (was === undefined || was.metadata.uid !== resource.metadata.uid || isSame(was, resource)) continue;
        compared += 1;
        expect(versionOf(resource)).toBeGreaterThan(versionOf(was));
        const isLater = (resource.metadata.generation ?? 0) > (was.metadata.generation ?? 0);
        if (!isSame(was.spec, resource.spec)) expect(isLater).toBe(true);
      }
    }
    expect(compared).toBeGreaterThan(100);
  });

  it('keeps about as many resources as there were', () => {
    const changes = randomChanges(workload.resources);
    take(5_000, changes);
    const count = (resources: readonly KubernetesObject[], wanted: string) =>
      resources.filter(({ kind }) => kind === wanted).length;
    for (const kind of ['Gateway', 'HTTPRoute', 'Service']) {
      const ratio = count(changes.resources, kind) / count(workload.resources, kind);
      expect([kind, ratio > 0.4 && ratio < 2.5]).toEqual([kind, true]);
    }
  });

  it('leaves a good part of the policies attached, of the routes below a Gateway, and of the rules with a backend', () => {
    const changes = randomChanges(workload.resources);
    const shares = Array.from({ length: 20 }, () => {
      take(500, changes);
      const topology = createTopology(workload);
      topology.apply({ upsert: changes.resources });
      const policies = workload.policyKinds.flatMap((kind) =>
        topology.policies(kind).map((policy) => ({ ...policy, read: kind.read(policy.resource).policy })),
      );
      const good = policies.filter(
        ({ read, attachments: [first] }) => read !== undefined && first?.target !== undefined,
      );
      const targets = [...topology.targets];
      const routes = targets.filter(({ kind }) => kind === HTTPRoute);
      const below = routes.filter(({ linksFrom }) => linksFrom.length > 0);
      const rules = targets.filter(({ kind }) => kind === HTTPRoute.sections.rule);
      const leading = rules.filter(({ linksTo }) => linksTo.length > 0);
      return {
        policies: good.length / policies.length,
        routes: below.length / routes.length,
        rules: leading.length / rules.length,
      };
    });
    const mean = (part: 'policies' | 'routes' | 'rules') =>
      shares.reduce((sum, it) => sum + it[part] / shares.length, 0);
    expect(mean('policies')).toBeGreaterThan(0.4);
    expect(mean('routes')).toBeGreaterThan(0.4);
    expect(mean('rules')).toBeGreaterThan(0.4);
  });

  it('goes on when there is nothing in the beginning', () => {
    const made = take(500, randomChanges([])).flatMap(({ upsert }) => upsert);
    expect(new Set(made.map(({ kind }) => kind))).toEqual(
      new Set(['BackendPolicy', 'Gateway', 'HTTPRoute', 'Namespace', 'ReferenceGrant', 'Service', 'TrafficPolicy']),
    );
  });
});

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function versionOf({ metadata }: KubernetesObject): number {
  return 'resourceVersion' in metadata ? Number(metadata.resourceVersion) : 0;
}
