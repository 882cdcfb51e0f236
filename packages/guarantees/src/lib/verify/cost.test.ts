import { createFixtures } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import { topologyOf } from '../../properties/clusters.fixture.ts';
import { RequestSpace } from '../live/request-space.ts';
import { clientsIn, entriesAt } from '../requests/entries.ts';

const { gateway, httpRoute } = createFixtures({ namespace: 'shop' });
type Route = Parameters<typeof httpRoute>[1];
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** How often a match is looked at, for each match of a listener: what could multiply out. For routes that differ as `routeAt` says. */
function looksPerMatch(size: { listeners: number; routes: number }, routeAt: (index: number) => Route): number {
  const listeners = numbers(size.listeners).map((index) => ({
    name: `l${index}`,
    protocol: 'HTTP',
    port: 8000 + index,
  }));
  const edge = gateway('edge', { listeners });
  const routes = numbers(size.routes).map((index) => httpRoute(`r${index}`, { parents: [edge], ...routeAt(index) }));
  const topology = topologyOf([edge, ...routes]);
  const entries = [...topology.targets].flatMap((node) => entriesAt(topology, node, clientsIn(topology)));
  const space = new RequestSpace(entries, {});
  let looks = 0;
  let reached = 0;
  for (const contest of space.contests) {
    for (const contender of contest.contenders) {
      const { match } = contender;
      const get = () => {
        looks += 1;
        return match;
      };
      Object.defineProperty(contender, 'match', { get });
    }
    for (const contender of contest.contenders) {
      if (space.reach(contest, contender).by === 'request') reached += 1;
    }
  }
  expect(reached).toBeGreaterThanOrEqual(size.listeners);
  return looks / (size.listeners * size.routes);
}

const path = (value: string, type = 'PathPrefix') => ({ path: { type, value } });
const shapes: Readonly<Record<string, (index: number) => Route>> = {
  'in their paths': (index) => ({ rules: [{ matches: [path(`/${index}`)] }] }),
  'in nested paths': (index) => ({ rules: [{ matches: [path(`/a/${'b/'.repeat(index % 30)}${index}`)] }] }),
  'in their hostnames': (index) => ({ hostnames: [`h${index}.example.com`] }),
  'in wildcards': (index) => ({ hostnames: [`*.h${index}.example.com`] }),
  'in a header': (index) => ({ rules: [{ matches: [{ headers: [{ name: 'tenant', value: `${index}` }] }] }] }),
  'in a header behind a common one': (index) => ({
    rules: [
      {
        matches: [
          {
            headers: [
              { name: 'a', value: '1' },
              { name: 'tenant', value: `${index}` },
            ],
          },
        ],
      },
    ],
  }),
  'in a query parameter': (index) => ({ rules: [{ matches: [{ queryParams: [{ name: 't', value: `${index}` }] }] }] }),
};

describe('the matches that verify looks at', () => {
  it.each(Object.entries(shapes))('are a few for each match, for 1,000 routes that differ %s', (_, routeAt) => {
    const [hundred, thousand] = [100, 1_000].map((routes) => looksPerMatch({ listeners: 1, routes }, routeAt));
    expect(thousand).toBeLessThan(12);
    expect(thousand).toBeLessThan(1.5 * (hundred as number));
  });

  it('are a few for each match at each of 64 listeners', () => {
    expect(looksPerMatch({ listeners: 64, routes: 100 }, shapes['in their paths'] as never)).toBeLessThan(12);
  });

  it('are no more for rules that take the same requests, of which one is reachable', () => {
    const perRule = looksPerMatch({ listeners: 1, routes: 1_000 }, (index) =>
      index === 0 ? {} : { rules: [{ matches: [path('/a')] }] },
    );
    expect(perRule).toBeLessThan(12);
  });
});
