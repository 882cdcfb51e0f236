import { effectivePolicies } from '@policy-machinery/effective-policy';
import { traceRequest } from '@policy-machinery/gateway-api';
import { requestPaths } from '@policy-machinery/gateway-api/inner';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addedVerdicts, createVerifier, type Guarantee, verifiedKind, verify } from '../index.ts';
import { httpRequestOf } from '../inner.ts';
import { requestsAbout } from './brute-force.fixture.ts';
import { clusters, LimitPolicy, topologyOf } from './clusters.fixture.ts';

const runs = Number(process.env.PROPERTY_RUNS ?? 40);

type Asked = Parameters<typeof traceRequest>[1];
type Limit = number | undefined;

/** Guarantees, each beside what it means. */
const meanings: readonly (readonly [holds: string, isKept: (request: Asked, limit: Limit) => boolean])[] = [
  ['has(policies.LimitPolicy)', (_request, limit) => limit !== undefined],
  [
    '!has(policies.LimitPolicy) || policies.LimitPolicy.spec.limit <= 5',
    (_request, limit) => limit === undefined || limit <= 5,
  ],
  [
    'request.method == "GET" || has(policies.LimitPolicy)',
    ({ method }, limit) => method === 'GET' || limit !== undefined,
  ],
  [
    'request.path.under("/a") ? has(policies.LimitPolicy) : !has(policies.LimitPolicy)',
    ({ path = '' }, limit) => (path === '/a' || path.startsWith('/a/')) === (limit !== undefined),
  ],
];

/** The words of the guarantees, so that these are enumerated, too. */
const words: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'Words',
  metadata: { name: 'words' },
  spec: { matches: [{ path: { value: '/a' } }, { method: 'GET' }] },
};

/** Returns whether a request breaks a guarantee, by the Gateway and port that takes it; `hidden` if that is not known. */
function outcomesOf(topology: Topology, request: Asked, isKept: (typeof meanings)[number][1]) {
  const effective = effectivePolicies(topology, LimitPolicy);
  const outcomes = new Map<string, 'broken' | 'kept' | 'hidden'>();
  for (const { entry, port, winner, undecided } of traceRequest(topology, request)) {
    const takers = [
      ...undecided.filter(({ lostBy }) => lostBy === undefined),
      ...(winner === undefined ? [] : [winner]),
    ];
    const kept = takers.map(({ listener, via, route, rule }) => {
      const paths = [...requestPaths(topology, { listener, via, route, ...(rule && { rule }) })];
      return paths.every((path) => isKept(request, effective.along(path).at(-1)?.spec.limit));
    });
    if (takers.length === 0) continue;
    const isKnown = winner !== undefined && new Set(kept).size === 1;
    outcomes.set(`${entry.locator} ${port}`, isKnown ? (kept[0] ? 'kept' : 'broken') : 'hidden');
  }
  return outcomes;
}

/** A cluster, and another with some of its objects and some more. */
const changes = fc
  .tuple(clusters, clusters, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }))
  .map(([one, other, kept]) => {
    const known = new Set(one.map(({ kind, metadata: { name } }) => `${kind} ${name}`));
    const stays = one.filter(({ kind }, index) => kind === 'Gateway' || kept[index % 8]);
    const fresh = other.filter(
      ({ kind, metadata: { name } }, index) => !known.has(`${kind} ${name}`) && kept[(index + 3) % 8],
    );
    const edited = other.filter(
      ({ kind, metadata: { name } }, index) => kind !== 'Gateway' && known.has(`${kind} ${name}`) && !kept[index % 8],
    );
    const names = new Set(edited.map(({ kind, metadata: { name } }) => `${kind} ${name}`));
    return [
      one,
      [...stays.filter(({ kind, metadata: { name } }) => !names.has(`${kind} ${name}`)), ...edited, ...fresh],
    ] as const;
  });

describe('addedVerdicts', () => {
  it('finds a request that breaks a guarantee after a change alone if an enumeration of all requests does, and no other', () => {
    let [found, none] = [0, 0];
    const property = fc.property(changes, fc.constantFrom(...meanings), ([one, other], [holds, isKept]) => {
      const guarantee: Guarantee = { name: 'g', holds };
      const topologies = [topologyOf(one), topologyOf(other)] as const;
      const verdicts = topologies.map((topology) =>
        verify({ topology, kinds: [verifiedKind(effectivePolicies(topology, LimitPolicy))] }, [guarantee]),
      );
      const [added] = addedVerdicts(verdicts[0] ?? [], verdicts[1] ?? []);
      if (added === undefined) throw new Error('there is a verdict');
      for (const {
        request,
        contender: { entry },
      } of added.counterexamples) {
        const asked = httpRequestOf(request, entry);
        const [was, is] = topologies.map((topology) => outcomesOf(topology, asked, isKept));
        const key = `${entry.node.locator} ${entry.port}`;
        expect([is?.get(key), was?.get(key) === 'broken']).toEqual(['broken', false]);
        found += 1;
      }
      const isDecided = verdicts.every(([verdict]) => verdict?.hiddenBy.length === 0);
      let [isExpected, isOpen] = [false, false];
      for (const request of requestsAbout([...one, ...other, words])) {
        const [was, is] = topologies.map((topology) => outcomesOf(topology, request, isKept));
        for (const [key, outcome] of is ?? []) {
          const before = was?.get(key) ?? 'kept';
          isExpected ||= outcome === 'broken' && before === 'kept';
          isOpen ||= outcome === 'broken' && before === 'hidden';
        }
        if (isExpected) break;
      }
      if (isExpected) expect(added.answer).toBe('broken');
      else if (isDecided && !isOpen) expect(added.answer).toBe('holds');
      if (added.answer === 'holds') none += 1;
    });
    fc.assert(property, { numRuns: runs, seed: Number(process.env.PROPERTY_SEED ?? 55) });
    expect(Math.min(found, none)).toBeGreaterThan(runs / 10);
  }, 7_200_000);

  it('returns the same for a verifier that follows a change as for verdicts about both clusters', () => {
    const property = fc.property(changes, fc.constantFrom(...meanings), ([one, other], [holds]) => {
      const guarantees: readonly Guarantee[] = [{ name: 'g', holds }];
      const [before, after] = [topologyOf(one), topologyOf(other)];
      const inputOf = (topology: Topology) => ({
        topology,
        kinds: [verifiedKind(effectivePolicies(topology, LimitPolicy))],
      });
      const expected = addedVerdicts(verify(inputOf(before), guarantees), verify(inputOf(after), guarantees));
      const verifier = createVerifier(inputOf(before));
      const old = verifier.verdicts(guarantees);
      before.apply({ remove: one, upsert: other });
      expect(shownIn(addedVerdicts(old, verifier.verdicts(guarantees)))).toEqual(shownIn(expected));
    });
    fc.assert(property, { numRuns: runs, seed: Number(process.env.PROPERTY_SEED ?? 56) });
  }, 7_200_000);
});

function shownIn(verdicts: ReturnType<typeof addedVerdicts>) {
  return verdicts.map(({ answer, counterexamples }) => [
    answer,
    counterexamples.map(({ cause, classes }) => `${cause.locator} ${classes}`).sort(),
  ]);
}
