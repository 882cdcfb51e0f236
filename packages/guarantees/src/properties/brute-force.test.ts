import { effectivePolicies } from '@policy-machinery/effective-policy';
import type { DataPlane } from '@policy-machinery/gateway-api';
import { type KubernetesObject, objectsIn, specOf } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Guarantee, replay, type Verdict, verifiedKind, verify } from '../index.ts';
import { httpRequestOf } from '../inner.ts';
import { enumerate, type Naive } from './brute-force.fixture.ts';
import { clusters, LimitPolicy, meshes, topologyOf } from './clusters.fixture.ts';
import { expressions, expressionsWithTaken, wordsOfExpressions } from './expressions.fixture.ts';
import { receivers, withBackends, withStatuses } from './worlds.fixture.ts';

/** `npm test` tries some clusters, `.ci/run` and `npm run check` try more. */
const runs = Number(process.env.GUARANTEE_CLUSTERS ?? 40);

const all = (): boolean => true;
const none = (): boolean => false;

/** Guarantees, each beside what it means. */
const guarantees: readonly Meaning[] = [
  [
    { holds: 'has(policies.LimitPolicy)' },
    { isMeant: all, isExcepted: none, holds: ({ limit }) => limit !== undefined },
  ],
  [
    { holds: '!has(policies.LimitPolicy) || policies.LimitPolicy.spec.limit <= 5' },
    { isMeant: all, isExcepted: none, holds: ({ limit }) => limit === undefined || limit <= 5 },
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
      holds: ({ limit }) => limit !== undefined,
    },
  ],
  [
    {
      requests: { headers: [{ name: 'h', value: '1' }] },
      except: [{ paths: [{ type: 'Exact', value: '/a' }, { value: '/b' }] }, { hostnames: ['*.a.x'] }],
      holds: 'has(policies.LimitPolicy)',
    },
    {
      isMeant: ({ headers }) => headers.get('h') === '1',
      isExcepted: ({ path, host }) => path === '/a' || path === '/b' || path.startsWith('/b/') || host.endsWith('.a.x'),
      holds: ({ limit }) => limit !== undefined,
    },
  ],
];

/** A guarantee about backends, which one with the weight 0 neither breaks nor keeps. */
const aboutBackends: Meaning = [
  { requests: { backends: { names: ['s'] } }, except: [{ where: 'backend.port == 81' }], holds: 'backend.name != "s"' },
  {
    isMeant: ({ backend }) => backend?.name === 's',
    isExcepted: ({ backend }) => backend?.port === 81,
    holds: () => false,
  },
];

/** A guarantee about the listener where requests arrive, which their server name decides. */
const aboutListeners: Meaning = [
  { requests: { hostnames: ['b.a.x'] }, holds: 'listener.name != "l1"' },
  { isMeant: ({ host }) => host === 'b.a.x', isExcepted: none, holds: ({ listener }) => listener !== 'l1' },
];

/** Objects with the words of the guarantees, so that these are enumerated, too. */
const words = [...guarantees, aboutListeners].map(([{ requests = {}, except = [] }]): KubernetesObject => {
  const rules = [requests, ...except].map(({ hostnames = [], paths = [], methods = [], headers = [] }) => ({
    hostnames: [...hostnames],
    methods: methods.map((method) => ({ method })),
    matches: paths.map((path) => ({ path: { ...path } })),
    headers: headers.map((header) => ({ ...header })),
  }));
  return { apiVersion: 'v1', kind: 'Words', metadata: { name: 'words' }, spec: { rules } };
});

const dataPlanes: fc.Arbitrary<DataPlane> = fc.record({
  sharedHostnames: fc.constantFrom('refused', 'refused', 'allowed', 'both'),
  hostnamePrecedence: fc.constantFrom('route', 'intersection', 'both'),
  listenerIsolation: fc.constantFrom('supported', 'both'),
  claimsWithoutCertificate: fc.constantFrom('kept', 'kept', 'dropped', 'both'),
  listenersWithoutTls: fc.constantFrom('accepted', 'refused', 'both'),
  misdirectedRequests: fc.constantFrom('refused', 'served', 'both'),
});

type Meaning = readonly [Omit<Guarantee, 'name'>, Naive];

/** Random guarantees whose expressions test requests, each beside what it means. */
const randomOf = (parts: typeof expressions): fc.Arbitrary<Meaning> =>
  fc.record({ where: fc.option(parts), except: fc.option(parts), holds: parts }).map(({ where, except, holds }) => [
    {
      ...(where && { requests: { where: where.text } }),
      ...(except && {
        except: [{ where: except.text }, { paths: [{ value: '/b' }], where: 'request.method == "GET"' }],
      }),
      holds: holds.text,
    },
    {
      isMeant: where?.value ?? all,
      isExcepted: (asked) =>
        except !== null && (except.value(asked) || (asked.method === 'GET' && /^\/b(\/|$)/.test(asked.path))),
      holds: holds.value,
      isAboutUntaken: [where, except, holds].some((it) => /\btaken\b/.test(it?.text ?? '')),
    },
  ]);

/** Verifies guarantees about a cluster, and compares the verdicts with an enumeration. Returns the answers. */
function compared(
  objects: readonly KubernetesObject[],
  dataPlane: DataPlane,
  meanings: readonly Meaning[],
  words: readonly KubernetesObject[],
  plain = objects,
): readonly Verdict['answer'][] {
  const topology = topologyOf(objects, { mesh: true, dataPlane });
  const effective = effectivePolicies(topology, LimitPolicy);
  const simple = plain === objects ? topology : topologyOf(plain, { mesh: true, dataPlane });
  const named = meanings.map(([guarantee], index) => ({ name: `${index}`, ...guarantee }));
  const verdicts = verify({ topology, kinds: [verifiedKind(effective)] }, named);
  const naives = meanings.map(([, naive]) => naive);
  const limits = plain === objects ? effective : effectivePolicies(simple, LimitPolicy);
  const { misdirectedRequests } = dataPlane;
  const expected = enumerate(simple, { objects: plain, words, misdirectedRequests }, limits, naives);
  verdicts.forEach((verdict, index) => {
    const naive = naives[index] as Naive;
    const { answer, classes, counterexamples, guarantee } = verdict;
    if (answer !== expected[index]?.answer || classes !== expected[index]?.classes) {
      expect({ answer, classes, guarantee }).toEqual({ ...expected[index], guarantee }); // Comparing costs more than all else here.
    }
    for (const example of counterexamples) {
      const { contender, request } = example;
      const winner = replay(topology, example)?.winner;
      const { route, isTaken } = contender;
      const rule = isTaken ? [route, contender.match.match.ruleIndex] : [undefined, undefined];
      expect([winner?.route, winner?.ruleIndex]).toEqual(rule);
      const met = [...(winner?.paths ?? [])].map((it) => effective.along(it).at(-1)?.spec.limit);
      const { host = '' } = httpRequestOf(request, contender.entry);
      const backends = isTaken ? receivers(route.resource, contender.match.match.ruleIndex) : [undefined];
      const asked = (isTaken ? met : [undefined]).flatMap((limit) =>
        backends.map((backend) => ({
          ...request,
          host,
          port: contender.entry.port,
          listener: contender.listener.name,
          limit,
          isTaken,
          backend,
        })),
      );
      const about = asked.filter((it) => naive.isMeant(it) && !naive.isExcepted(it));
      expect(about.some((it) => !naive.holds(it))).toBe(true);
    }
  });
  return verdicts.map(({ answer }) => answer);
}

/** Checks a property, and that each answer is given often enough by hundreds of runs. */
function check(numRuns: number, arguments_: fc.Arbitrary<Parameters<typeof compared>>): void {
  const answers = { holds: 0, broken: 0, undecided: 0 };
  const property = fc.property(arguments_, (each) => {
    for (const answer of compared(...each)) answers[answer] += 1;
  });
  fc.assert(property, { numRuns, seed: Number(process.env.PROPERTY_SEED ?? 44) });
  for (const count of Object.values(answers)) expect(count).toBeGreaterThanOrEqual(Math.floor(numRuns / 100));
}

/** Returns objects of which no listener has tls. */
function withoutTls(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return JSON.parse(JSON.stringify(objects, (name, value) => (name === 'tls' ? undefined : value)));
}

/** Returns objects with HTTPS listeners at one port only, so that requests may have the server name of another listener. */
function withTls(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const tls = { certificateRefs: [{ name: 'certificate' }] };
  return objects.map((each) => {
    const { listeners, ...spec } = specOf(each);
    const secure = objectsIn(listeners).map((it) => ({ ...it, port: 443, protocol: 'HTTPS', tls }));
    return each.kind === 'Gateway' ? { ...each, spec: { ...spec, listeners: secure } } : each;
  });
}

const worlds = withBackends(fc.oneof(clusters, meshes, clusters.map(withoutTls), clusters.map(withTls)));

/** Of data planes that accept what a spec leaves open, statuses say no more than the specs, or refuse more. */
const accepting = dataPlanes.map(
  (it): DataPlane => ({
    ...it,
    sharedHostnames: 'allowed',
    claimsWithoutCertificate: 'kept',
    listenersWithoutTls: 'accepted',
  }),
);

describe('verify', () => {
  it('agrees with an enumeration of all requests, and each request that breaks a guarantee does', () => {
    check(
      runs,
      fc.tuple(worlds, dataPlanes, fc.constant([...guarantees, aboutBackends, aboutListeners]), fc.constant(words)),
    );
  }, 7_200_000);

  it('follows the statuses of routes and Gateways: parents and listeners that these refuse are as good as missing', () => {
    const about = [...guarantees, aboutBackends];
    const reported = fc.tuple(withStatuses(withBackends(clusters)), accepting);
    check(
      Math.ceil(runs / 4),
      reported.map(([{ objects, plain }, dataPlane]) => [objects, dataPlane, about, words, plain]),
    );
  }, 7_200_000);

  it('says so of random expressions, which mean the same in where and in holds', () => {
    const meanings = fc.array(randomOf(expressions), { minLength: 4, maxLength: 4 });
    check(Math.ceil(runs / 4), fc.tuple(worlds, dataPlanes, meanings, fc.constant([wordsOfExpressions])));
  }, 7_200_000);

  // These are also about requests that no rule takes, so that a cluster has ten times as many to enumerate.
  it('says so of expressions that ask whether a rule takes the request', () => {
    const meanings = fc.array(randomOf(expressionsWithTaken), { minLength: 4, maxLength: 4 });
    check(
      Math.ceil(runs / 10),
      fc.tuple(withBackends(clusters), dataPlanes, meanings, fc.constant([wordsOfExpressions])),
    );
  }, 7_200_000);
});
