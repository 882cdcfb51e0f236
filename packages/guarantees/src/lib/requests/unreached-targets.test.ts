import type * as Inner from '@policy-machinery/gateway-api/inner';
import { createFixtures } from '@policy-machinery/testing';
import { expect, it, vi } from 'vitest';
import { topologyOf } from '../../properties/clusters.fixture.ts';
import { unreachedTargets } from './unreached-targets.ts';

const compared = vi.hoisted(() => vi.fn());

vi.mock('@policy-machinery/gateway-api/inner', async (original) => {
  const inner = await original<typeof Inner>();
  const listenerMatches: typeof inner.listenerMatches = (...of) => {
    const found = inner.listenerMatches(...of);
    const unknownBetween: typeof found.unknownBetween = (a, b) => {
      compared();
      return found.unknownBetween(a, b);
    };
    return { ...found, unknownBetween };
  };
  return { ...inner, listenerMatches };
});

const { gateway, httpRoute } = createFixtures({ namespace: 'shop' });
const edge = gateway('edge', { listeners: [{ name: 'http', protocol: 'HTTP', port: 80 }] });

/** The number of comparisons of matches for some routes with equal matches and without ages. */
function comparisonsFor(count: number): number {
  compared.mockClear();
  const rules = [{ matches: [{ path: { type: 'PathPrefix', value: '/x' } }] }];
  const routes = Array.from({ length: count }, (_, index) => {
    const { metadata, ...route } = httpRoute(`r${index}`, { parents: [edge], rules });
    return { ...route, metadata: { name: metadata.name, namespace: 'shop' } };
  });
  const unreached = unreachedTargets(topologyOf([edge, ...routes]));
  expect(unreached.map(({ takers, dependsOn }) => [takers.length, dependsOn])).toEqual(
    routes.map(() => [count - 1, 'age']),
  );
  return compared.mock.calls.length;
}

it('compares equal matches of unknown ages with each other once, and each with the others', () => {
  const [few, many] = [comparisonsFor(20), comparisonsFor(40)];
  expect(few).toBeGreaterThan(0);
  expect(many / few).toBeLessThan(5);
});
