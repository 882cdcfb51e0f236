import type { Context } from '@policy-machinery/effective-policy';
import { reportPolicies } from '@policy-machinery/policy-status';
import { describe, expect, it } from 'vitest';
import { examples } from './examples.ts';

/** What GEP-713 lists: traffic by the route that it comes through, the backends that policies affect, what becomes of policies. */
const expected = [
  {
    traffic: { r1: { color: 'red' } },
    affected: { b1: ['p1'] },
    policies: { p1: 'enforced', p2: 'conflicted' },
  },
  {
    traffic: { r1: { color: 'blue' }, r2: { color: 'red' }, r3: { color: 'yellow' }, r4: { color: 'yellow' } },
    affected: { b1: ['p1', 'p2', 'p3'], b2: ['p3'] },
    policies: { p1: 'partly-enforced', p2: 'enforced', p3: 'enforced', p4: 'overridden' },
  },
  {
    traffic: {
      r1: { colors: { light: 'blue' } },
      r2: { colors: { dark: 'brown', light: 'red' } },
      r3: { colors: { light: 'yellow' } },
      r4: { colors: { dark: 'olive', light: 'yellow' } },
    },
    affected: { b1: ['p1', 'p2', 'p3'], b2: ['p3', 'p4'] },
    policies: { p1: 'partly-enforced', p2: 'enforced', p3: 'enforced', p4: 'partly-enforced' },
  },
];

const routesOf = (context: Context<unknown>): readonly string[] =>
  [...context.paths()].flatMap((path) => path.find(({ ref }) => ref.kind === 'HTTPRoute')?.ref.name ?? []);

describe('the outcomes', () => {
  it('are those of GEP-713', async () => {
    const outcomes = (await examples()).map(({ effective }) => ({
      traffic: Object.fromEntries(
        [...effective].flatMap((policy) => routesOf(policy).map((route) => [route, policy.spec])),
      ),
      affected: Object.fromEntries(
        [...effective.targets].flatMap((backend) => {
          const names = effective.explain(backend).policies.map(({ resource }) => resource.metadata.name);
          return names.length === 0 ? [] : [[backend.ref.name, names]];
        }),
      ),
      policies: Object.fromEntries(
        reportPolicies(effective).map(({ policy, outcome }) => [policy.resource.metadata.name, outcome]),
      ),
    }));
    expect(outcomes).toEqual(expected);
  });
});
