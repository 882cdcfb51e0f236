import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology, type TopologyChange } from '@policy-machinery/topology';
import { statusesTouched } from '@policy-machinery/topology/inner';
import { describe, expect, it } from 'vitest';
import { gateway, listenerSet, route } from '../gateway-api.fixture.ts';
import { gatewayApi } from '../gateway-api.ts';

const controller = 'example.com/gateways';
const ourClass: KubernetesObject = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'GatewayClass',
  metadata: { name: 'ours' },
  spec: { controllerName: controller },
};
const listeners = [{ name: 'http', port: 80, protocol: 'HTTP' }];
const allowedListeners = { namespaces: { from: 'All' } };
const edge = gateway('edge', { gatewayClassName: 'ours', allowedListeners, listeners });
const more = listenerSet('more', { parentRef: { name: 'edge' }, listeners });
const belowEdge = route('HTTPRoute', 'direct', { parentRefs: [{ name: 'edge' }] });
const belowMore = route('HTTPRoute', 'deep', { parentRefs: [{ kind: 'ListenerSet', name: 'more' }] });
const elsewhere = route('HTTPRoute', 'elsewhere', { parentRefs: [{ name: 'other' }] });

/** Applies a change to a cluster, and returns the names of the resources whose statuses must be planned again. */
function touchedBy(change: TopologyChange, ...resources: readonly KubernetesObject[]): readonly string[] {
  const topology = createTopology({ targetKinds: gatewayApi({ statuses: true }) });
  topology.apply({ upsert: resources });
  const { version } = topology;
  topology.apply(change);
  return Array.from(statusesTouched(topology, topology.changesSince(version)), ({ ref }) => ref.name).sort();
}

describe('the statuses of Gateway API that a change touches', () => {
  it('are all those at and below a Gateway when its class comes or goes, which decides who manages them', () => {
    const below = [edge, more, belowEdge, belowMore, elsewhere];
    const expected = ['deep', 'direct', 'edge', 'more'];
    expect(touchedBy({ upsert: [ourClass] }, ...below)).toEqual(expected);
    expect(touchedBy({ remove: [ourClass] }, ourClass, ...below)).toEqual(expected);
  });

  it('are for a new route and the Gateway that counts it, and for no other route', () => {
    const there = [ourClass, edge, more, belowEdge, belowMore];
    const another = route('HTTPRoute', 'another', { parentRefs: [{ name: 'edge' }] });
    expect(touchedBy({ upsert: [another] }, ...there)).toEqual(['another', 'edge']);
  });
});
