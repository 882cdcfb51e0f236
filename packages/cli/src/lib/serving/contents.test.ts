import type { KubernetesObject } from '@policy-machinery/resource';
import { expect, it } from 'vitest';
import { fillAll } from '../input/fill.ts';
import { findKinds } from '../input/kinds/kinds.ts';
import { noOwnKinds } from '../input/kinds/own-kinds.ts';
import { createWorld } from '../input/world.ts';
import type { ClusterSource } from '../model/world.ts';
import { now } from '../run.fixture.ts';
import { Contents } from './contents.ts';

const source: ClusterSource = { kinds: [], gaps: [], servedKinds: () => [], namespace: 'shop', files: [] };
const gatewayApi = 'gateway.networking.k8s.io';
const made = (apiVersion: string, kind: string, name: string, spec: object): KubernetesObject =>
  JSON.parse(
    JSON.stringify({
      apiVersion,
      kind,
      metadata: { name, namespace: 'shop', creationTimestamp: '2025-01-01T00:00:00Z' },
      spec,
    }),
  );
const patience = (index: number, requestTimeout: string): KubernetesObject =>
  made('gateway.envoyproxy.io/v1alpha1', 'BackendTrafficPolicy', `policy-${index}`, {
    targetRefs: [{ group: gatewayApi, kind: 'HTTPRoute', name: `route-${index}` }],
    timeout: { http: { requestTimeout } },
  });

/** A Gateway with routes, each with a policy of its own. */
const wide = (routes: number): readonly KubernetesObject[] => [
  made(`${gatewayApi}/v1`, 'Gateway', 'gw', {
    gatewayClassName: 'eg',
    listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
  }),
  ...Array.from({ length: routes }, (_, index) => [
    made(`${gatewayApi}/v1`, 'HTTPRoute', `route-${index}`, {
      parentRefs: [{ name: 'gw' }],
      hostnames: [`r${index}.example.com`],
      rules: [{ backendRefs: [{ name: `svc-${index}`, port: 80 }] }],
    }),
    made('v1', 'Service', `svc-${index}`, { ports: [{ port: 80 }] }),
    patience(index, `${(index % 60) + 1}s`),
  ]).flat(),
];

/** Returns the processor time that something takes, in milliseconds. */
function cost(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

it('makes the data of a large cluster once, and after an edit only the differences', () => {
  const objects = wide(1_000);
  const world = createWorld({
    objects,
    found: findKinds(objects, noOwnKinds, {}),
    scope: { namespace: undefined },
    source,
  });
  const contents: Contents[] = [];
  const watching = { isWatched: () => false, onData: () => {}, onFault: () => {} };
  const first = cost(() => contents.push(new Contents(world, {}, () => now, watching)));
  const updates = Array.from({ length: 9 }, (_, edit) => {
    fillAll(world.topologies, [patience(7, `${edit + 100}s`)]);
    return cost(() => {
      contents[0]?.take({ ...world });
      expect(contents[0]?.data().patch).toContain(`${edit + 100}s`);
    });
  });
  expect(Math.min(...updates)).toBeLessThan(first / 40);
});
