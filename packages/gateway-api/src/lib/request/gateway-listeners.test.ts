import { formatPath } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { clusterWith, gateway, route, service } from '../gateway-api.fixture.ts';
import { gatewayListeners } from './gateway-listeners.ts';
import { matchRequest } from './match-request.ts';
import { requestPaths } from './request-paths.ts';
import { traceRequest } from './trace-request.ts';

const prefix = (value: string) => [{ path: { type: 'PathPrefix', value } }];
const child = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'child' };
const topology = clusterWith(
  { delegation: true },
  gateway('edge', {
    gatewayClassName: 'public',
    listeners: [
      { name: 'any', port: 80, protocol: 'HTTP' },
      { name: 'shop', port: 80, protocol: 'HTTP', hostname: '*.example.com' },
    ],
  }),
  service('cart', [{ name: 'web', port: 80 }]),
  route('HTTPRoute', 'parent', {
    parentRefs: [{ name: 'edge' }],
    rules: [
      { name: 'delegating', matches: prefix('/cart'), backendRefs: [child] },
      { name: 'own', matches: prefix('/') },
    ],
  }),
  route('HTTPRoute', 'child', {
    rules: [{ name: 'pay', matches: prefix('/cart/pay'), backendRefs: [{ name: 'cart', port: 80 }] }],
  }),
);
const [edge] = [...topology.targets].filter(({ ref }) => ref.kind === 'Gateway');

describe('gatewayListeners', () => {
  it.each([
    ['shop.example.com', '/cart/pay'],
    ['shop.example.com', '/cart'],
    ['other.example.org', '/cart/pay/now'],
    ['other.example.org', '/'],
  ])('answers with matchRequest as traceRequest does: %s%s', (host, path) => {
    if (edge === undefined) throw new Error('no Gateway');
    const [answer] = matchRequest({ host, path }, gatewayListeners(edge));
    const [trace] = traceRequest(topology, { host, path });
    expect(answer?.listener?.node).toBe(trace?.listener);
    const place = answer?.winner?.listener.placeOf.get(answer.winner.route);
    expect([place?.node, place?.via]).toEqual([trace?.winner?.route, trace?.winner?.via]);
    if (answer?.winner === undefined || place === undefined) return;
    const { listener, ruleIndex } = answer.winner;
    const rule = place.node.sections[ruleIndex];
    if (rule === undefined) throw new Error('no rule');
    const paths = requestPaths(topology, { listener: listener.node, via: place.via, route: place.node, rule });
    expect([...paths].map(formatPath)).toEqual([...(trace?.winner?.paths ?? [])].map(formatPath));
  });
});
