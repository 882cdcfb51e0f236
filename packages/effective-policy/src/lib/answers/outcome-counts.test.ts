import { atomic } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import { lineage } from '@policy-machinery/topology/testing';
import { expect, it, vi } from 'vitest';
import { anySpec, colorPolicy, compute } from '../../conformance/policies.fixture.ts';
import { statusQueries } from '../status-queries-of.ts';
import { Hierarchies } from './hierarchy.ts';

const above = 'colorpolicy.colors.example.com:default/above';

/** Returns a Gateway's policy with many routes below, each with a policy of its own, and functions that change one of these. */
function gatewayWith(routes: number) {
  const lines = Array.from({ length: routes }, (_, index) => `g1 > r${index}`);
  const { kinds, kind, resources } = lineage(...lines);
  const Colors = definePolicyKind({
    group: 'colors.example.com',
    version: 'v1',
    kind: 'ColorPolicy',
    spec: anySpec,
    targets: [kind('g'), kind('r')],
    effectiveTargets: [kind('r')],
    stanzas: defaultsAndOverrides({ strategies: { atomic } }),
  });
  const onRoutes = lines.map((_, index) => colorPolicy(`route-${index}`, `r${index}`, { red: 2 }, 1));
  const { topology, effective } = compute(Colors, kinds, [
    ...resources,
    colorPolicy('above', 'g1', { red: 1 }),
    ...onRoutes,
  ]);
  const edited = colorPolicy('route-0', 'r0', { red: 3 }, 1);
  return {
    effective,
    edit: () => topology.apply({ upsert: [edited] }),
    remove: () => topology.apply({ remove: [edited] }),
  };
}

it('names the outcomes of a policy after each change, of one scope among many', () => {
  const { effective, edit, remove } = gatewayWith(3);
  expect([...statusQueries(effective).outcomesOf(above)]).toEqual(['overridden']);
  remove();
  expect([...statusQueries(effective).outcomesOf(above)].sort()).toEqual(['enforced', 'overridden']);
  edit();
  expect([...statusQueries(effective).outcomesOf(above)]).toEqual(['overridden']);
});

it('looks only at the scopes that a change has touched, however many a policy has', () => {
  const lookedAt = (routes: number): number => {
    const { effective, edit } = gatewayWith(routes);
    statusQueries(effective).outcomesOf(above);
    const looks = vi.spyOn(Hierarchies.prototype, 'of');
    edit();
    statusQueries(effective).outcomesOf(above);
    const { length } = looks.mock.calls;
    looks.mockRestore();
    return length;
  };
  expect(lookedAt(60)).toBe(lookedAt(6));
});
