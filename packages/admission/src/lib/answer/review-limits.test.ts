import { createTrial } from '@policy-machinery/effective-policy';
import { describe, expect, it } from 'vitest';
import { cluster, gateway, route, TimeoutPolicy, timeouts } from '../../../../policy-status/src/lib/cluster.fixture.ts';
import { reviewAdmission } from './review-admission.ts';

const infra = { namespace: 'infra' };
const parentRefs = [{ name: 'edge', namespace: 'infra' }];
const routeBelowInfra = (name: string) => {
  const alone = route(name, []);
  return { ...alone, spec: { ...(alone.spec as object), parentRefs } };
};
const strict = timeouts('strict', ['Gateway edge'], { overrides: { request: 1 } }, infra);
const team = timeouts('team', ['HTTPRoute a'], { request: 5, idle: 5 });

describe('the names in a review', () => {
  const { effective } = cluster(TimeoutPolicy, gateway('edge', ['https'], infra), routeBelowInfra('a'), strict);

  it('are in the own namespace', () => {
    expect(reviewAdmission(effective, team).warnings).toEqual([
      'In force in part. A policy in another namespace prevails at /request (Patch overrides).',
    ]);
    expect(reviewAdmission(effective, routeBelowInfra('b')).warnings).toEqual([
      'A TimeoutPolicy in another namespace affects this HTTPRoute.',
    ]);
  });

  it('include all names with that option', () => {
    expect(reviewAdmission(effective, team, { names: 'all' }).warnings).toEqual([
      'In force in part. infra/strict prevails at /request (Patch overrides).',
    ]);
    expect(reviewAdmission(effective, routeBelowInfra('b'), { names: 'all' }).warnings).toEqual([
      'TimeoutPolicy infra/strict affects this HTTPRoute.',
    ]);
    const { effective: withTeam } = cluster(
      TimeoutPolicy,
      gateway('edge', ['https'], infra),
      routeBelowInfra('a'),
      team,
    );
    expect(reviewAdmission(withTeam, strict, { names: 'all' }).warnings).toEqual([
      'This change takes /request from TimeoutPolicy shop/team in 1 scope.',
    ]);
  });
});

describe('the targets that a change alters', () => {
  const routes = Array.from({ length: 47 }, (_, index) => route(`r${index + 1}`, ['edge']));
  const { effective } = cluster(TimeoutPolicy, gateway('edge'), ...routes);
  const house = timeouts('house', ['Gateway edge'], { request: 1 });
  const altered = 'This change alters the effective TimeoutPolicy of 47 targets, such as HTTPRoute shop/r1#pay.';

  it('are counted if there are many', () => {
    expect(reviewAdmission(effective, house).warnings).toEqual([altered]);
    expect(reviewAdmission(createTrial(effective), house).warnings).toEqual([altered]);
    expect(reviewAdmission(effective, house, { manyTargets: 48 }).warnings).toEqual([]);
  });

  it('exclude those with an unchanged effective policy', () => {
    const { effective: withHouse } = cluster(TimeoutPolicy, gateway('edge'), ...routes, house);
    const labelled = { ...house, metadata: { ...house.metadata, labels: { team: 'infra' } } };
    expect(reviewAdmission(withHouse, labelled).warnings).toEqual([]);
    expect(reviewAdmission(withHouse, { ...house, spec: { ...(house.spec as object), request: 2 } }).warnings).toEqual([
      altered,
    ]);
  });

  it('are not those that the change adds', () => {
    const { effective: withHouse } = cluster(TimeoutPolicy, gateway('edge'), house);
    const wide = { ...route('wide', ['edge']) };
    const rules = Array.from({ length: 12 }, (_, index) => ({ name: `rule-${index}` }));
    const warnings = reviewAdmission(withHouse, { ...wide, spec: { ...(wide.spec as object), rules } }).warnings;
    expect(warnings).toEqual(['TimeoutPolicy shop/house affects this HTTPRoute.']);
  });

  it('are named only in the own namespace', () => {
    const below = routes.map(({ metadata }) => routeBelowInfra(metadata.name));
    const { effective: apart } = cluster(TimeoutPolicy, gateway('edge', ['https'], infra), ...below);
    expect(reviewAdmission(apart, strict).warnings).toEqual([
      'This change alters the effective TimeoutPolicy of 47 targets.',
    ]);
  });
});

describe('the subjects of a review', () => {
  const house = timeouts('house', ['Gateway edge'], { overrides: { idle: 1 } });
  const { effective } = cluster(TimeoutPolicy, gateway('edge'), route('a', ['edge']), team, house);
  const change = timeouts('late', ['HTTPRoute a'], { overrides: { idle: 2, request: 3 } });
  const overridden = 'In force in part. shop/house prevails at /idle (Patch overrides).';
  const impact = 'This change overrides all of TimeoutPolicy shop/team in 1 scope.';

  it.each([
    [['overridden'], [overridden]],
    [['impact'], [impact]],
    [
      ['overridden', 'impact'],
      [impact, overridden],
    ],
    [['affected'], []],
  ] as const)('is %j alone', (warn, expected) => {
    expect(reviewAdmission(effective, change, { warn }).warnings).toEqual(expected);
  });

  it('is which policies affect the object', () => {
    const expected = ['TimeoutPolicy shop/house affects this HTTPRoute.'];
    expect(reviewAdmission(effective, route('b', ['edge']), { warn: ['affected'] }).warnings).toEqual(expected);
    expect(reviewAdmission(effective, route('b', ['edge']), { warn: ['overridden', 'impact'] }).warnings).toEqual([]);
  });
});

describe('the length of a warning', () => {
  const long = (name: string) => `${name}-${'0123456789'.repeat(9)}-${name}`;
  const edge = gateway('edge');
  const house = timeouts(long('house'), ['Gateway edge'], { overrides: { idle: 1 } });
  const young = { ...team, metadata: { ...team.metadata, name: long('young') } };
  const onRoute = timeouts('late', ['HTTPRoute a'], { overrides: { idle: 2, request: 3 } });
  const routes = ['one', 'two', 'three'].map((name) => route(long(name), ['edge']));
  const onRoutes = timeouts('r', ['HTTPRoute a', ...routes.map(({ metadata }) => `HTTPRoute ${metadata.name}`)], {});
  const { effective: crowded } = cluster(TimeoutPolicy, edge, route('a', ['edge']), ...routes, onRoutes);

  it.each([
    [
      'affects',
      route('a', ['edge']),
      ['TimeoutPolicy shop/house-0123456789012…34567890123456789-house affects this HTTPRoute.'],
    ],
    [
      'prevails',
      onRoute,
      ['In force in part. shop/house-0123456789012…34567890123456789-house prevails at /idle (Patch overrides).'],
    ],
  ])('is at most 120 characters where a policy with a long name %s', (_, change, expected) => {
    const { effective } = cluster(TimeoutPolicy, edge, route('a', ['edge']), house);
    expect(reviewAdmission(effective, change).warnings).toEqual(expected);
  });

  it('is at most 120 characters where a policy with a long name loses something', () => {
    const { effective } = cluster(TimeoutPolicy, edge, route('a', ['edge']), young);
    expect(reviewAdmission(effective, onRoute).warnings).toEqual([
      'This change overrides all of TimeoutPolicy shop/young-0123456789012…34567890123456789-young in 1 scope.',
    ]);
  });

  it('is at most 120 characters where targets have long names', () => {
    expect(reviewAdmission(crowded, timeouts('r', ['HTTPRoute a'], {})).warnings).toEqual([
      'This change leaves 3 targets without any TimeoutPolicy: HTTPRoute shop/o…#pay, HTTPRoute shop/t…e#pay and 1 more.',
    ]);
  });

  it('counts characters, not code units', () => {
    const { effective } = cluster(TimeoutPolicy, edge);
    const [warning] = reviewAdmission(effective, timeouts('r', [`HTTPRoute ${'🐛'.repeat(300)}`], {})).warnings;
    expect(Array.from(warning ?? '').length).toBeLessThanOrEqual(120);
    expect(warning?.length).toBeGreaterThan(120);
    expect(warning).toContain('expected the name of the target, at most 253 characters.');
  });
});
