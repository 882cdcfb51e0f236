import type { JsonObject } from '@policy-machinery/resource';
import { createTopology, formatTarget } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { gateway, route, service } from '../gateway-api.fixture.ts';
import { gatewayApi } from '../gateway-api.ts';
import { requestPaths, requestPathsOf } from './request-paths.ts';
import { traceRequest } from './trace-request.ts';

const edge = gateway('edge', { listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] });
const ports = [80, 81].map((port) => ({ name: `port-${port}`, port }));
const services = ['a', 'b', 'c'].map((name) => service(name, ports));
const mirror = (name: string) => ({ type: 'RequestMirror', requestMirror: { backendRef: { name, port: 80 } } });

/** The backends on the paths of requests to a rule with these references, by each function that returns paths. */
function backendsOn(rule: JsonObject) {
  const cart = route('HTTPRoute', 'cart', { parentRefs: [{ name: 'edge' }], rules: [rule] });
  const topology = createTopology({ targetKinds: gatewayApi() });
  topology.apply({ upsert: [edge, cart, ...services] });
  const winner = traceRequest(topology, { host: 'a' })[0]?.winner;
  if (winner?.rule === undefined) throw new Error('a rule takes the request');
  const place = { ...winner, rule: winner.rule };
  const [one, other] = [requestPaths(topology, place), requestPathsOf(topology)(place)].map((paths) =>
    [...paths].flatMap((path) => path.at(-1) ?? []).map(formatTarget),
  );
  expect(one).toEqual(other);
  return one?.map((name) => name.replace(/^Service \w+\//, ''));
}

describe('the paths of requests', () => {
  it.each<[string, JsonObject, readonly string[]]>([
    [
      'each backend with a weight',
      {
        backendRefs: [
          { name: 'a', port: 80 },
          { name: 'b', port: 80, weight: 9 },
        ],
      },
      ['a#port-80', 'b#port-80'],
    ],
    [
      'no backend of the weight 0',
      {
        backendRefs: [
          { name: 'a', port: 80 },
          { name: 'b', port: 80, weight: 0 },
        ],
      },
      ['a#port-80'],
    ],
    [
      'a backend that is named twice, once with a weight',
      {
        backendRefs: [
          { name: 'a', port: 80, weight: 0 },
          { name: 'a', port: 80 },
        ],
      },
      ['a#port-80'],
    ],
    [
      'another port of a Service',
      {
        backendRefs: [
          { name: 'a', port: 80, weight: 0 },
          { name: 'a', port: 81 },
        ],
      },
      ['a#port-81'],
    ],
    [
      'another namespace than that of a backend of the weight 0',
      {
        backendRefs: [
          { name: 'a', namespace: 'other', port: 80, weight: 0 },
          { name: 'a', port: 80 },
        ],
      },
      ['a#port-80'],
    ],
    [
      'the mirror of a rule',
      { filters: [mirror('c')], backendRefs: [{ name: 'a', port: 80, weight: 0 }] },
      ['c#port-80'],
    ],
    [
      'no mirror of requests to a backend of the weight 0',
      {
        backendRefs: [
          { name: 'a', port: 80, weight: 0, filters: [mirror('c')] },
          { name: 'b', port: 80 },
        ],
      },
      ['b#port-80'],
    ],
    [
      'the rule, if all backends have the weight 0',
      { backendRefs: [{ name: 'a', port: 80, weight: 0 }] },
      ['HTTPRoute default/cart#rule-1'],
    ],
  ])('end at %s', (_, rule, ends) => {
    expect(backendsOn(rule)).toEqual(ends);
  });
});
