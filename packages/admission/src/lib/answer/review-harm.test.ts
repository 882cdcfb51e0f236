import { none } from '@policy-machinery/merge';
import { bareSpec } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import {
  cluster,
  gateway,
  route,
  TimeoutPolicy,
  timeoutKind,
  timeouts,
} from '../../../../policy-status/src/lib/cluster.fixture.ts';
import { reviewAdmission } from './review-admission.ts';

const edge = gateway('edge');
const names = ['a', 'b', 'c', 'd'] as const;
const routes = names.map((name) => route(name, ['edge']));
const onRoute = (name: string, spec: object, namespace = 'shop') =>
  timeouts(`on-${name}`, [`HTTPRoute ${name}`], spec, { namespace });

describe('reviewAdmission of a policy that takes something from others', () => {
  const override = timeouts('strict', ['Gateway edge'], { overrides: { request: 1 } }, { seconds: 10_000 });
  const warningsOf = (...resources: readonly KubernetesObject[]) =>
    reviewAdmission(cluster(TimeoutPolicy, edge, ...routes, ...resources).effective, override).warnings;

  it('names a policy that loses a field, and in how many scopes', () => {
    const team = timeouts(
      'team',
      names.map((name) => `HTTPRoute ${name}`),
      { request: 5, idle: 5 },
    );
    expect(warningsOf(team)).toEqual(['This change takes /request from TimeoutPolicy shop/team in 4 scopes.']);
  });

  it('names a policy that loses all of its effect apart, first', () => {
    const team = timeouts('team', ['HTTPRoute a'], { request: 5, idle: 5 });
    expect(warningsOf(team, onRoute('b', { request: 2 }))).toEqual([
      'This change overrides all of TimeoutPolicy shop/on-b in 1 scope.',
      'This change takes /request from TimeoutPolicy shop/team in 1 scope.',
    ]);
  });

  it('lists several, those with most scopes first', () => {
    const team = timeouts('team', ['HTTPRoute a', 'HTTPRoute b'], { request: 5, idle: 5 });
    const other = timeouts('other', ['HTTPRoute c'], { request: 5, idle: 5 });
    expect(warningsOf(team, other)).toEqual([
      'This change takes /request from 2 policies of kind TimeoutPolicy in 3 scopes (shop/team in 2 and shop/other in 1).',
    ]);
  });

  it('does not report losses that existed before', () => {
    const earlier = timeouts('earlier', ['Gateway edge'], { overrides: { request: 1 } });
    expect(warningsOf(earlier, timeouts('team', ['HTTPRoute a'], { request: 5, idle: 5 })).join()).not.toContain(
      'team',
    );
  });

  it('counts policies of other namespaces without their names', () => {
    const infra = gateway('edge', ['https'], { namespace: 'infra' });
    const rule = timeouts('strict', ['Gateway edge'], { overrides: { request: 1 } }, { namespace: 'infra' });
    const inShop = route('a', ['edge']);
    const parentRefs = [{ name: 'edge', namespace: 'infra' }];
    const attached = { ...inShop, spec: { ...(inShop.spec as object), parentRefs } };
    const team = onRoute('a', { request: 5, idle: 5 });
    const { effective } = cluster(TimeoutPolicy, infra, attached, team);
    expect(reviewAdmission(effective, rule).warnings).toEqual([
      'This change takes fields from 1 policy of kind TimeoutPolicy in 1 scope (1 in another namespace).',
    ]);
  });

  it('names the policies that an update brings into conflict, even where no path leads', () => {
    const kind = timeoutKind('TimeoutPolicy', { stanzas: bareSpec({ strategies: { none } }) });
    const old = timeouts('old', ['HTTPRoute b'], { idle: 1 }, { seconds: 1 });
    const young = timeouts('young', ['HTTPRoute a'], { idle: 2 }, { seconds: 2 });
    const { effective } = cluster(kind, route('a', ['gone']), route('b', ['gone']), old, young);
    const moved = timeouts('old', ['HTTPRoute a'], { idle: 1 }, { seconds: 1 });
    expect(reviewAdmission(effective, moved).warnings).toContain(
      'This change causes a conflict for TimeoutPolicy shop/young.',
    );
  });

  it('names a policy on several targets that loses all of its effect', () => {
    const team = timeouts('team', ['HTTPRoute a', 'HTTPRoute b'], { request: 5 });
    expect(warningsOf(team)).toEqual(['This change overrides all of TimeoutPolicy shop/team in 2 scopes.']);
  });

  it('speaks of a conflict where a policy is in one on a target without a path, and overridden elsewhere', () => {
    const kind = timeoutKind('TimeoutPolicy', { sameLevel: 'reject-newer' });
    const old = timeouts('old', ['HTTPRoute b'], { idle: 1 }, { seconds: 1 });
    const young = timeouts('young', ['HTTPRoute a', 'HTTPRoute b'], { request: 2 }, { seconds: 2 });
    const { effective } = cluster(kind, edge, route('a', ['edge']), route('b', ['gone']), old, young);
    expect(reviewAdmission(effective, override).warnings).toEqual([
      'This change causes a conflict for TimeoutPolicy shop/young in 1 scope.',
    ]);
  });

  it('names the targets that an update leaves without a policy', () => {
    const team = timeouts('team', ['HTTPRoute a', 'HTTPRoute b'], { request: 5 });
    const { effective } = cluster(TimeoutPolicy, edge, ...routes, team);
    expect(reviewAdmission(effective, timeouts('team', ['HTTPRoute a'], { request: 5 })).warnings).toEqual([
      'This change leaves 1 target without any TimeoutPolicy: HTTPRoute shop/b#pay.',
    ]);
  });

  it('gives five warnings of 120 characters at most', () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      timeouts(`policy-${'x'.repeat(100)}-${index}`, ['Gateway edge'], { overrides: { idle: index } }),
    );
    const { warnings } = reviewAdmission(cluster(TimeoutPolicy, edge, ...routes, ...many).effective, routes[0] ?? edge);
    expect(warnings.length).toBeLessThanOrEqual(5);
    expect(Math.max(...warnings.map(({ length }) => length))).toBeLessThanOrEqual(120);
  });
});

describe('reviewAdmission of a deletion', () => {
  const options = { operation: 'DELETE' } as const;
  const house = timeouts('house', ['Gateway edge'], { defaults: { request: 1 } });
  const team = timeouts('team', ['HTTPRoute a'], { request: 5, idle: 5 });

  it("names the replacements of a policy's fields", () => {
    const { effective } = cluster(TimeoutPolicy, edge, ...routes, house, team);
    expect(reviewAdmission(effective, team, options)).toEqual({
      warnings: [
        'Without this policy /request falls back to TimeoutPolicy shop/house in 1 scope.',
        'Without this policy /idle is unset in 1 scope.',
      ],
      conflicts: [],
    });
  });

  it('counts policies of other namespaces that replace fields', () => {
    const infra = gateway('edge', ['https'], { namespace: 'infra' });
    const inShop = route('a', ['edge']);
    const parentRefs = [{ name: 'edge', namespace: 'infra' }];
    const attached = { ...inShop, spec: { ...(inShop.spec as object), parentRefs } };
    const theirs = timeouts('house', ['Gateway edge'], { defaults: { request: 1 } }, { namespace: 'infra' });
    const { effective } = cluster(TimeoutPolicy, infra, attached, theirs, onRoute('a', { request: 5 }));
    expect(reviewAdmission(effective, onRoute('a', { request: 5 }), options).warnings).toEqual([
      'Without this policy /request falls back to 1 policy of kind TimeoutPolicy in 1 scope (1 in another namespace).',
    ]);
  });

  it('names the targets that are left without a policy', () => {
    const { effective } = cluster(TimeoutPolicy, edge, ...routes, house);
    expect(reviewAdmission(effective, house, options).warnings).toEqual([
      'This change leaves 4 targets without any TimeoutPolicy: HTTPRoute shop/a#pay, HTTPRoute shop/b#pay and 2 more.',
    ]);
  });

  it('names the policies that lose their target, and those that no longer have an effect', () => {
    const { effective } = cluster(TimeoutPolicy, edge, ...routes, house, team);
    expect(reviewAdmission(effective, edge, options).warnings).toEqual([
      'This change takes a target from TimeoutPolicy shop/house.',
      'This change ends the effect of TimeoutPolicy shop/team.',
    ]);
  });

  it('is empty for an object that no policy or route uses, and for one that does not exist', () => {
    const { effective } = cluster(TimeoutPolicy, edge, ...routes, house);
    const nothing = { warnings: [], conflicts: [] };
    expect(reviewAdmission(effective, gateway('unused'), options)).toEqual(nothing);
    expect(reviewAdmission(effective, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } }, options)).toEqual(
      nothing,
    );
  });
});
