import { type EffectivePolicies, effectivePolicies } from '@policy-machinery/effective-policy';
import { type RequestTrace, type TraceOptions, traceRequest } from '@policy-machinery/gateway-api';
import { requestPaths } from '@policy-machinery/gateway-api/inner';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { Path, Topology } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Guarantee, replay, type Verdict, verifiedKind, verify } from '../index.ts';
import { requestsAbout } from './brute-force.fixture.ts';
import { clusters, LimitPolicy, topologyOf } from './clusters.fixture.ts';

/** What is known of the data plane: only regular expressions leave anything undecided. */
const dataPlane = {
  listenerIsolation: 'supported',
  misdirectedRequests: 'refused',
  sharedHostnames: 'refused',
  hostnamePrecedence: 'route',
  claimsWithoutCertificate: 'kept',
} as const;

const runs = Number(process.env.PROPERTY_RUNS ?? 25);

type Limit = number | undefined;
type Limits = EffectivePolicies<{ limit?: number | undefined }>;
type Request = Parameters<typeof traceRequest>[1] & { readonly headers: readonly (readonly [string, string])[] };

/** A guarantee that compares requests, and what it means. */
interface Case {
  readonly guarantee: Guarantee;
  /** The names of the Gateways that a request to one is compared at. */
  readonly others: (own: string) => readonly string[];
  readonly lacks: string | undefined;
  readonly isMeant: (request: Request) => boolean;
  readonly isTaken: boolean;
}

const met = 'policies.LimitPolicy';
const isSame = `has(${met}) == has(other.${met}) && (!has(${met}) || ${met}.spec == other.${met}.spec)`;
const all = { isMeant: () => true, isTaken: false };

const cases: readonly Case[] = [
  {
    guarantee: { name: 'canary', other: { withoutHeaders: ['H'] }, holds: `!other.taken || (${isSame})` },
    others: (own) => [own],
    lacks: 'h',
    ...all,
  },
  {
    guarantee: {
      name: 'canary-only',
      requests: { headers: [{ name: 'g' }], hostnames: ['*.x'] },
      except: [{ headers: [{ name: 'h', value: '1' }] }],
      other: { withoutHeaders: ['g'] },
      holds: `other.taken && ${isSame}`,
    },
    others: (own) => [own],
    lacks: 'g',
    isMeant: ({ headers, host = '' }) => {
      const values = new Map(headers);
      return values.has('g') && values.get('h') !== '1' && host.endsWith('.x');
    },
    isTaken: true,
  },
  {
    guarantee: { name: 'itself', other: {}, holds: `other.taken && ${isSame}` },
    others: (own) => [own],
    lacks: undefined,
    ...all,
    isTaken: true,
  },
  {
    guarantee: { name: 'gateways', other: { gateways: { names: ['one', 'two'] } }, holds: `other.taken && ${isSame}` },
    others: (own) => ['one', 'two'].filter((name) => name !== own),
    lacks: undefined,
    ...all,
    isTaken: true,
  },
];

/** Regular expressions as these objects use them: each is a word. */
const options: TraceOptions = { regularExpression: (pattern) => (text) => text === pattern };

/** Compares every request over the words that the objects use with its other requests. */
function enumerate(topology: Topology, objects: readonly KubernetesObject[], effective: Limits, each: Case) {
  for (const request of requestsAbout([...objects, gWord])) {
    if (!each.isMeant(request)) continue;
    const other = { ...request, headers: request.headers.filter(([name]) => name !== each.lacks) };
    const others = traceRequest(topology, other, options);
    for (const own of traceRequest(topology, request, options)) {
      if (own.winner === undefined) continue;
      for (const name of each.others(own.entry.ref.name)) {
        const opposite = others.find(({ entry, port }) => entry.ref.name === name && port === own.port);
        if (
          opposite?.winner === undefined
            ? each.isTaken
            : !areAlike(limitsOf(topology, own, effective), limitsOf(topology, opposite, effective))
        )
          return 'broken';
      }
    }
  }
  return 'holds';
}

/** An object with the header `g`, so that it is enumerated. */
const gWord: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'Words',
  metadata: { name: 'words' },
  spec: {
    rules: [
      {
        headers: [
          { name: 'g', value: '1' },
          { name: 'h', value: '1' },
        ],
      },
    ],
  },
};

function limitsOf(topology: Topology, { winner }: RequestTrace, effective: Limits): readonly Limit[] {
  if (winner === undefined) return [];
  const { listener, via, route, rule } = winner;
  const paths: readonly Path[] = [...requestPaths(topology, { listener, via, route, ...(rule && { rule }) })];
  return paths.map((path) => effective.along(path).at(-1)?.spec.limit);
}

function areAlike(some: readonly Limit[], others: readonly Limit[]): boolean {
  return some.every((limit) => others.every((other) => other === limit));
}

/** Replays both requests of each counterexample. */
function replayAll(
  topology: Topology,
  { counterexamples }: Verdict,
  effective: Limits,
  { lacks, isMeant, isTaken }: Case,
) {
  for (const example of counterexamples) {
    const { request, other, contender } = example;
    if (other === undefined) throw new Error('the requests are compared');
    expect(isMeant({ ...request, headers: [...request.headers] })).toBe(true);
    expect([...other.request.headers]).toEqual([...request.headers].filter(([name]) => name !== lacks));
    const [own, opposite] = [replay(topology, example, options), replay(topology, other, options)];
    expect(own?.winner?.route).toBe(contender.route);
    expect([opposite?.winner?.route, opposite?.winner?.ruleIndex]).toEqual([
      other.takenBy?.route,
      other.takenBy?.match.match.ruleIndex,
    ]);
    if (own === undefined) throw new Error('the request is taken');
    if (opposite?.winner === undefined) expect(isTaken).toBe(true);
    else expect(areAlike(limitsOf(topology, own, effective), limitsOf(topology, opposite, effective))).toBe(false);
  }
}

describe('verify, for guarantees that compare requests', () => {
  it('agrees with an enumeration of all pairs of requests, and each pair that breaks a guarantee does', () => {
    const answers = { holds: 0, broken: 0, undecided: 0 };
    const property = fc.property(clusters, (objects) => {
      const topology = topologyOf(objects, { dataPlane });
      const effective = effectivePolicies(topology, LimitPolicy);
      const input = { topology, kinds: [verifiedKind(effective)], ...options };
      const verdicts = verify(
        input,
        cases.map(({ guarantee }) => guarantee),
      );
      const hasExpressions = JSON.stringify(objects).includes('RegularExpression');
      verdicts.forEach((verdict, index) => {
        const each = cases[index] as Case;
        answers[verdict.answer] += 1;
        if (verdict.answer === 'undecided') expect(hasExpressions).toBe(true);
        else expect(verdict.answer).toBe(enumerate(topology, objects, effective, each));
        replayAll(topology, verdict, effective, each);
      });
    });
    fc.assert(property, { numRuns: runs, seed: Number(process.env.PROPERTY_SEED ?? 44) });
    for (const count of Object.values(answers)) expect(count).toBeGreaterThan(runs / 100);
  }, 7_200_000);
});
