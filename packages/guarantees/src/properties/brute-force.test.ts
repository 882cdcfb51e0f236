import { effectivePolicies } from '@policy-machinery/effective-policy';
import type { DataPlane } from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Guarantee, httpRequestOf, replay, verifiedKind, verify } from '../index.ts';
import { enumerate, type Naive } from './brute-force.fixture.ts';
import { clusters, LimitPolicy, meshes, topologyOf } from './clusters.fixture.ts';

/** `npm test` tries some clusters, `.ci/run` and `npm run check` try more. */
const runs = Number(process.env.GUARANTEE_CLUSTERS ?? 200);

const all = (): boolean => true;
const none = (): boolean => false;

/** Guarantees, each beside what it means. */
const guarantees: readonly (readonly [Omit<Guarantee, 'name'>, Naive])[] = [
  [{ holds: 'has(policies.LimitPolicy)' }, { isMeant: all, isExcepted: none, holds: (limit) => limit !== undefined }],
  [
    { holds: '!has(policies.LimitPolicy) || policies.LimitPolicy.spec.limit <= 5' },
    { isMeant: all, isExcepted: none, holds: (limit) => limit === undefined || limit <= 5 },
  ],
  [
    {
      requests: { hostnames: ['*.x'], paths: [{ value: '/a' }], methods: ['GET', 'POST'] },
      holds: 'has(policies.LimitPolicy)',
    },
    {
      isMeant: ({ host, path, method }) =>
        host.endsWith('.x') && (path === '/a' || path.startsWith('/a/')) && ['GET', 'POST'].includes(method),
      isExcepted: none,
      holds: (limit) => limit !== undefined,
    },
  ],
  [
    {
      requests: { headers: [{ name: 'h', value: '1' }] },
      except: [{ paths: [{ type: 'Exact', value: '/a' }, { value: '/b' }] }, { hostnames: ['*.a.x'] }],
      holds: 'has(policies.LimitPolicy)',
    },
    {
      isMeant: (_, headers) => headers.get('h') === '1',
      isExcepted: ({ path, host }) => path === '/a' || path === '/b' || path.startsWith('/b/') || host.endsWith('.a.x'),
      holds: (limit) => limit !== undefined,
    },
  ],
];

/** Objects with the words of the guarantees, so that these are enumerated, too. */
const words = guarantees.map(([{ requests = {}, except = [] }]): KubernetesObject => {
  const rules = [requests, ...except].map(({ hostnames = [], paths = [], methods = [], headers = [] }) => ({
    hostnames: [...hostnames],
    methods: methods.map((method) => ({ method })),
    matches: paths.map((path) => ({ path: { ...path } })),
    headers: headers.map((header) => ({ ...header })),
  }));
  return { apiVersion: 'v1', kind: 'Words', metadata: { name: 'words' }, spec: { rules } };
});

describe('verify', () => {
  it('says what an enumeration of all requests says, and each request that breaks a guarantee does', () => {
    const answers = { holds: 0, broken: 0, undecided: 0 };
    const dataPlanes: fc.Arbitrary<DataPlane> = fc.record({
      sharedHostnames: fc.constantFrom('refused', 'refused', 'allowed', 'both'),
      hostnamePrecedence: fc.constantFrom('route', 'intersection', 'both'),
    });
    const property = fc.property(fc.oneof(clusters, meshes), dataPlanes, (objects, dataPlane) => {
      const topology = topologyOf(objects, { mesh: true, dataPlane });
      const effective = effectivePolicies(topology, LimitPolicy);
      const kinds = [verifiedKind(effective)];
      const verdicts = verify(
        { topology, kinds },
        guarantees.map(([guarantee], index) => ({ name: `${index}`, ...guarantee })),
      );
      const naives = guarantees.map(([, naive]) => naive);
      const expected = enumerate(topology, { objects, words }, effective, naives);
      verdicts.forEach((verdict, index) => {
        const naive = naives[index] as Naive;
        const { answer, classes, counterexamples } = verdict;
        if (answer !== expected[index]?.answer || classes !== expected[index]?.classes) {
          expect({ answer, classes }).toEqual(expected[index]); // Comparing costs more than all else here.
        }
        answers[answer] += 1;
        for (const example of counterexamples) {
          const { contender, request } = example;
          const { path, method, headers } = request;
          const { host = '' } = httpRequestOf(request, contender.entry);
          expect(naive.isMeant({ host, path, method }, headers)).toBe(true);
          expect(naive.isExcepted({ host, path, method }, headers)).toBe(false);
          const winner = replay(topology, example)?.winner;
          expect([winner?.route, winner?.ruleIndex]).toEqual([contender.route, contender.match.match.ruleIndex]);
          const limits = [...(winner?.paths ?? [])].map((it) => effective.along(it).at(-1)?.spec.limit);
          expect(limits.every(naive.holds)).toBe(false);
        }
      });
    });
    fc.assert(property, { numRuns: runs, seed: Number(process.env.PROPERTY_SEED ?? 44) });
    for (const count of Object.values(answers)) expect(count).toBeGreaterThan(runs / 100);
  }, 7_200_000);
});
