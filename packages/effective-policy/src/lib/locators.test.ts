import { definePolicyKind } from '@policy-machinery/policy-kind';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, compute } from '../conformance/policies.fixture.ts';

const { kinds, kind, resources } = lineage('g1 > r1');
const Colors = definePolicyKind({
  group: 'colors.example.com',
  version: 'v1',
  kind: 'ColorPolicy',
  spec: anySpec,
  targets: [kind('g')],
  effectiveTargets: [kind('r')],
});
const { topology, effective } = compute(Colors, kinds, [...resources, colorPolicy('red', 'g1', { red: 1 })]);

/** Everything that takes a locator, and what it gives for one that is not there. */
const takers: readonly [string, (locator: string) => unknown, unknown][] = [
  ['topology.get', (it) => topology.get(it), undefined],
  ['topology.parents', (it) => topology.parents(it), []],
  ['topology.children', (it) => topology.children(it), []],
  ['topology.ancestors', (it) => topology.ancestors(it), []],
  ['topology.descendants', (it) => topology.descendants(it), []],
  ['topology.paths', (it) => [...topology.paths(it, it)], []],
  ['topology.pathsTo', (it) => [...topology.pathsTo(it)], []],
  ['topology.policy', (it) => topology.policy(it), undefined],
  ['topology.policiesAt', (it) => topology.policiesAt(it), []],
  ['topology.issuesAbout', (it) => topology.issuesAbout(it), []],
  ['effective.of', (it) => effective.of(it), []],
  ['effective.policy', (it) => effective.policy(it), undefined],
  ['effective.uncovered', (it) => effective.uncovered(it), []],
  ['effective.explain', (it) => effective.explain(it).policies, []],
  ['effective.reach', (it) => effective.reach(it), []],
  ['effective.reachInGroups', (it) => effective.reachInGroups(it), []],
];

describe.each(takers)('%s', (_name, take, nothing) => {
  it.each([
    ['rubbish', 'kind.group:namespace/name#section'],
    ['HTTPRoute/ns/r', 'kind.group:namespace/name#section'],
    ['HTTPRoute.gateway.networking.k8s.io:ns/r', 'write "httproute.gateway.networking.k8s.io:ns/r"'],
  ])('refuses %s, and says how to write it', (text, form) => {
    expect(() => take(text)).toThrow(
      expect.objectContaining({ code: 'invalid-locator', message: expect.stringContaining(form) }),
    );
  });

  it('returns nothing for the locator of a missing target', () => {
    expect(take('httproute.gateway.networking.k8s.io:ns/r')).toEqual(nothing);
  });
});
