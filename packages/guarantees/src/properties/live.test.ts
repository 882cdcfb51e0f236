import { effectivePolicies } from '@policy-machinery/effective-policy';
import { type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVerifier, formatRequest, type Guarantee, type Verdict, verifiedKind, verify } from '../index.ts';
import { formatOther } from '../inner.ts';
import { clusters, LimitPolicy, topologyOf } from './clusters.fixture.ts';

const runs = Number(process.env.PROPERTY_RUNS ?? 40);

const guarantees: readonly Guarantee[] = [
  { name: 'limited', holds: 'has(policies.LimitPolicy) && policies.LimitPolicy.spec.limit <= 5' },
  {
    name: 'selected',
    requests: { hostnames: ['*.x'], methods: ['GET'], routes: { namespaceLabels: { matchLabels: { team: 'a' } } } },
    except: [{ paths: [{ value: '/b' }] }],
    holds: 'has(policies.LimitPolicy)',
  },
  {
    name: 'canary',
    other: { withoutHeaders: ['h'] },
    holds: 'has(policies.LimitPolicy) == has(other.policies.LimitPolicy)',
  },
  {
    name: 'gateways',
    other: { gateways: { namespaceLabels: { matchLabels: { team: 'a' } } } },
    holds: 'other.taken && has(policies.LimitPolicy) == has(other.policies.LimitPolicy)',
  },
  { name: 'effect', about: 'policies', holds: 'policy.requests > 0' },
];

/** Returns what people see of a verdict. */
function shown(verdict: Verdict) {
  const { answer, classes, counterexamples, policies, hiddenBy, errors } = verdict;
  const examples = counterexamples.map((it) => [
    formatRequest(it),
    it.cause.locator,
    it.classes,
    it.policies.size,
    it.other && formatOther(verdict, it.other),
  ]);
  return {
    answer,
    classes,
    examples,
    policies,
    hiddenBy: hiddenBy.map(({ route, pointer }) => `${route.locator} ${pointer}`),
    errors,
  };
}

const namespace = (labels: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'n', labels: { ...labels } },
});

/** What happens to a cluster: it becomes more like another one, one object at a time, or only a status or a label changes. */
const steps = fc.array(
  fc.record({ from: fc.nat(3), at: fc.nat(30), what: fc.constantFrom('take', 'drop', 'touch', 'label') }),
  {
    minLength: 1,
    maxLength: 12,
  },
);

describe('a verifier', () => {
  it('agrees with a new verification after each change', () => {
    const property = fc.property(fc.array(clusters, { minLength: 4, maxLength: 4 }), steps, (worlds, changes) => {
      const topology = topologyOf(worlds[0] ?? []);
      const effective = effectivePolicies(topology, LimitPolicy);
      const input = { topology, kinds: [verifiedKind(effective)] };
      const verifier = createVerifier(input);
      expect(verifier.verdicts(guarantees).map(shown)).toEqual(verify(input, guarantees).map(shown));
      changes.forEach(({ from, at, what }, index) => {
        const objects = worlds[from] ?? [];
        const object = objects[at % objects.length] as KubernetesObject;
        if (what === 'drop') topology.apply({ remove: [locatorOf(object)] });
        else if (what === 'take') topology.apply({ upsert: [object] });
        else if (what === 'label') topology.apply({ upsert: [namespace(at % 2 === 0 ? { team: 'a' } : {})] });
        else topology.apply({ upsert: [{ ...object, status: { index } }] });
        expect(verifier.verdicts(guarantees).map(shown)).toEqual(verify(input, guarantees).map(shown));
      });
    });
    fc.assert(property, { numRuns: runs, seed: Number(process.env.PROPERTY_SEED ?? 44) });
  }, 600_000);
});
