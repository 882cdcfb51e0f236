import { re2Languages } from '@policy-machinery/cel/languages';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { requestPathsOf } from '@policy-machinery/gateway-api/inner';
import { createFixtures } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import { verifiedKind } from '../../index.ts';
import { LimitPolicy, topologyOf } from '../../properties/clusters.fixture.ts';
import { Findings } from '../live/findings.ts';
import { RequestSpace } from '../live/request-space.ts';
import { compileGuarantees } from '../model/compile.ts';
import type { RankedMatch } from '../requests/contender.ts';
import { clientsIn, entriesAt } from '../requests/entries.ts';
import { Judge } from './judge.ts';

const { gateway, httpRoute, policy } = createFixtures({ namespace: 'shop' });
type Route = Parameters<typeof httpRoute>[1];
/** The most routes, each with its own match. */
const most = process.env.LARGE_INPUTS === '1' ? 1_000 : 300;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

interface Size {
  readonly listeners: number;
  readonly routes: number;
}

/** One Gateway whose listeners, at ports of their own, all have the same routes, each of which differs as `routeAt` says. */
function wide(size: Size, routeAt: (index: number) => Route) {
  const listeners = numbers(size.listeners).map((index) => ({
    name: `l${index}`,
    protocol: 'HTTP',
    port: 8000 + index,
  }));
  const edge = gateway('edge', { listeners });
  const routes = numbers(size.routes).map((index) => httpRoute(`r${index}`, { parents: [edge], ...routeAt(index) }));
  return { edge, routes };
}

/** How often a match is looked at, for each route: what could multiply out. */
function looksPerRoute(size: Size, routeAt: (index: number) => Route): number {
  const { edge, routes } = wide(size, routeAt);
  const topology = topologyOf([edge, ...routes]);
  const entries = [...topology.targets].flatMap((node) => entriesAt(topology, node, clientsIn(topology)));
  const space = new RequestSpace(entries, { regularLanguages: re2Languages() });
  let looks = 0;
  let reached = 0;
  const count = (it: RankedMatch): void => {
    const { match } = it;
    const get = () => {
      looks += 1;
      return match;
    };
    Object.defineProperty(it, 'match', { get });
  };
  for (const { matches } of new Set(space.contests.flatMap(({ floors }) => floors))) matches.forEach(count);
  for (const { contenders } of space.contests) contenders.forEach(count);
  for (const contest of space.contests) {
    for (const contender of contest.contenders) if (space.reach(contest, contender).by === 'request') reached += 1;
  }
  expect(reached).toBeGreaterThanOrEqual(size.listeners);
  return looks / size.routes;
}

/** How often the expression of a guarantee is evaluated for one Gateway, each tenth of whose routes has a policy. */
function evaluationsOf(holds: string, size: Size): number {
  const { edge, routes } = wide(size, shapes['in their paths'] as (index: number) => Route);
  const tenths = routes.filter((_, index) => index % 10 === 0);
  const policies = [edge, ...tenths].map((on, index) => policy(LimitPolicy, `p${index}`, { on, spec: { limit: 1 } }));
  const topology = topologyOf([edge, ...routes, ...policies]);
  const kinds = [verifiedKind(effectivePolicies(topology, LimitPolicy))];
  const [compiled] = compileGuarantees([{ name: 'counted', holds }], { kinds });
  if (compiled === undefined) throw new Error('it is not compiled');
  let evaluations = 0;
  const evaluate: typeof compiled.holds.evaluate = (facts) => {
    evaluations += 1;
    return compiled.holds.evaluate(facts);
  };
  const counted = { ...compiled, holds: { reads: compiled.holds.reads, evaluate } };
  const entries = [...topology.targets].flatMap((node) => entriesAt(topology, node, clientsIn(topology)));
  const judge = new Judge(requestPathsOf(topology), counted, kinds, { isOpen: () => false });
  const { summary } = new Findings(new RequestSpace(entries, {}), counted, judge);
  expect(summary).toMatchObject({ classes: size.listeners * size.routes, broken: [] });
  return evaluations;
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

const expression = (value: string) => ({ type: 'RegularExpression', value });

const digits = (index: number): readonly number[] => [...index.toString(2).padStart(12, '0')].map(Number);

/** Regular expressions that differ in a literal text, or have none. */
const expressions: Readonly<Record<string, (index: number) => Route>> = {
  'with a text at the beginning of paths': (index) => ({
    rules: [{ matches: [{ path: expression(`/t-${index}/[a-z]+`) }] }],
  }),
  'with a text at the end of paths': (index) => ({ rules: [{ matches: [{ path: expression(`/[a-z]+-${index}x`) }] }] }),
  'with a text in a header': (index) => ({
    rules: [{ matches: [{ headers: [{ name: 'tenant', ...expression(`t-${index}-.*`) }] }] }],
  }),
  'for any case': (index) => ({ rules: [{ matches: [{ path: expression(`(?i)/tenant-${index}/.*`) }] }] }),
  'of classes of characters': (index) => {
    const value = digits(index).map((digit) => (digit === 0 ? '[ab]' : '[cd]'));
    return { rules: [{ matches: [{ headers: [{ name: 'tenant', ...expression(value.join('')) }] }] }] };
  },
};

describe('the matches that verify looks at', () => {
  it.each(Object.entries(expressions))('are a few for each regular expression %s', (_, routeAt) => {
    const [few, many] = [most / 10, most].map((routes) => looksPerRoute({ listeners: 1, routes }, routeAt));
    expect(many).toBeLessThan(40);
    expect(many).toBeLessThan(1.5 * (few as number));
  });

  it.each(Object.entries(shapes))('are a few for each match, for many routes that differ %s', (_, routeAt) => {
    const [few, many] = [most / 10, most].map((routes) => looksPerRoute({ listeners: 1, routes }, routeAt));
    expect(many).toBeLessThan(12);
    expect(many).toBeLessThan(1.5 * (few as number));
  });

  it('are a few for each route, however many listeners have the same routes', () => {
    expect(looksPerRoute({ listeners: 64, routes: 100 }, shapes['in their paths'] as never)).toBeLessThan(12);
  });

  it('are no more for rules that take the same requests, with one reachable rule', () => {
    const perRule = looksPerRoute({ listeners: 1, routes: most }, (index) =>
      index === 0 ? {} : { rules: [{ matches: [path('/a')] }] },
    );
    expect(perRule).toBeLessThan(12);
  });
});

describe('the evaluations of an expression', () => {
  const limited = 'policies.LimitPolicy.spec.limit == 1';

  it.each([
    ['one for all requests that meet the same policies', limited, 11, 101],
    ['one for each rule, at all listeners', `${limited} && rule.index == 0`, 100, 1000],
    ['one for each route, at all listeners', `${limited} && route.name != ""`, 100, 1000],
  ])('are %s, for 10 times the routes 10 times as many', (_, holds, hundred, thousand) => {
    expect(evaluationsOf(holds, { listeners: 16, routes: 100 })).toBe(hundred);
    expect(evaluationsOf(holds, { listeners: 1, routes: 1000 })).toBe(thousand);
  });
});
