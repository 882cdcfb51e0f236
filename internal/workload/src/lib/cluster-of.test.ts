import { Gateway, HTTPRoute, Namespace } from '@policy-machinery/gateway-api';
import { isJsonObject, type KubernetesObject, matchesSelector, specOf } from '@policy-machinery/resource';
import { objectFaults } from '@policy-machinery/resource/inner';
import { createTopology } from '@policy-machinery/topology';
import { describeTargetable, targetableKey } from '@policy-machinery/topology/inner';
import { describe, expect, it } from 'vitest';
import { clusterOf } from './cluster-of.ts';
import { referenceSize, scaled } from './size.ts';
import { workloadKinds } from './workload-kinds.ts';

const workload = clusterOf(scaled(0.1));
const topology = createTopology(workload);
topology.apply({ upsert: workload.resources });

const count = (resources: readonly KubernetesObject[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { kind } of resources) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

describe('clusterOf', () => {
  it('makes the same resources of the same seed, byte for byte, and others of another', () => {
    const written = (seed?: number) =>
      JSON.stringify(clusterOf(scaled(0.01), seed === undefined ? {} : { seed }).resources);
    expect(written(7)).toBe(written(7));
    expect(written(7)).not.toBe(written(8));
    expect(written()).toBe(written(1));
  });

  it('makes the requested reference size', () => {
    const { resources } = clusterOf(referenceSize);
    expect(count(resources)).toEqual({
      GatewayClass: 1,
      Namespace: 50,
      Gateway: 200,
      HTTPRoute: 20_000,
      Service: 10_000,
      TrafficPolicy: 2_500,
      BackendPolicy: 2_500,
    });
    const mebibytes = resources.reduce((sum, it) => sum + JSON.stringify(it).length, 0) / 2 ** 20;
    expect(mebibytes).toBeGreaterThan(20.5);
    expect(mebibytes).toBeLessThan(21.5);
  });

  it('makes objects that an API server may serve, each with an own uid and resource version', () => {
    expect(workload.resources.flatMap(objectFaults)).toEqual([]);
    const unique = (field: string) =>
      new Set(workload.resources.map(({ metadata }) => Object.entries(metadata).find(([key]) => key === field)?.[1]));
    expect(unique('uid').size).toBe(workload.resources.length);
    expect(unique('resourceVersion').size).toBe(workload.resources.length);
  });

  it('makes no reference to a missing object', () => {
    expect(topology.unresolved).toEqual([]);
    expect(topology.issues).toEqual([]);
  });

  it.each(workloadKinds.map((kind) => [kind.kind, kind] as const))(
    'makes valid %s resources on all levels',
    (_, kind) => {
      const policies = topology.policies(kind);
      expect(policies.flatMap(({ resource }) => kind.read(resource).issues)).toEqual([]);
      const attached = policies.flatMap(({ attachments }) => attachments.map(({ target }) => target));
      expect(attached).not.toContain(undefined);
      const keys = new Set(attached.flatMap((target) => (target === undefined ? [] : [targetableKey(target.kind)])));
      const missing = kind.targets.filter((level) => !keys.has(targetableKey(level)));
      expect(missing.map(describeTargetable)).toEqual([]);
    },
  );

  it('makes policies of every stanza and strategy', () => {
    const layers = workloadKinds.map((kind) =>
      topology.policies(kind).flatMap(({ resource }) => kind.read(resource).policy?.layers ?? []),
    );
    const kinds = layers.map((each) => [
      ...new Set(each.map(({ stanza, strategy }) => `${strategy.granularity} ${stanza}`)),
    ]);
    expect(kinds.map((each) => each.sort())).toEqual([
      ['Atomic defaults', 'Atomic overrides', 'Patch defaults', 'Patch overrides'],
      ['Atomic defaults', 'Custom defaults', 'Patch defaults'],
    ]);
  });

  it('gives some Gateways far more policies than most', () => {
    const counts = [...topology.targets]
      .filter(({ kind }) => kind === Gateway)
      .map((gateway) => topology.policiesAt(gateway).length)
      .sort((a, b) => a - b);
    const median = counts[counts.length / 2] ?? 0;
    expect(counts.at(-1)).toBeGreaterThan(4 * median);
  });

  it('hangs routes only below listeners that let in their namespace and one of their hostnames', () => {
    const links = [...topology.targets].flatMap((listener) =>
      listener.linksTo.filter(({ kind }) => kind === HTTPRoute).map((route) => ({ listener, route })),
    );
    const refused = links.filter(({ listener, route }) => {
      const namespace = topology.get({ ...Namespace, name: route.ref.namespace ?? '' });
      const { allowedRoutes, hostname } = listener.section?.value ?? {};
      const isSame = listener.ref.namespace === route.ref.namespace;
      const isOpen = letsIn(allowedRoutes, isSame, namespace?.resource.metadata.labels);
      return !isOpen || !shareHost(hostname, specOf(route.resource).hostnames);
    });
    expect(links.length).toBeGreaterThan(0);
    expect(refused.map(({ listener, route }) => [listener.locator, route.locator])).toEqual([]);
  });
});

/** What Gateway API says of `allowedRoutes`; the default is the listener's own namespace. */
function letsIn(allowedRoutes: unknown, isSame: boolean, labels: KubernetesObject['metadata']['labels']): boolean {
  const { namespaces } = isJsonObject(allowedRoutes) ? allowedRoutes : {};
  const { from = 'Same', selector = null } = isJsonObject(namespaces) ? namespaces : {};
  return (
    from === 'All' ||
    (from === 'Same' && isSame) ||
    (from === 'Selector' && isJsonObject(selector) && matchesSelector(selector, labels))
  );
}

/** Whether a listener and a route without wildcards share a hostname; without any, both take all. */
function shareHost(hostname: unknown, hostnames: unknown): boolean {
  if (typeof hostname !== 'string' || !Array.isArray(hostnames)) return true;
  return hostnames.some((it) => hostname.startsWith('*.') && String(it).endsWith(hostname.slice(1)));
}
