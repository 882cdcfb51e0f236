import { type Reading, re2Languages } from '@policy-machinery/cel/languages';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { isJsonObject, type JsonValue, type KubernetesObject } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Guarantee, replay, type Verdict, verifiedKind, verify } from '../index.ts';
import { httpRequestOf } from '../inner.ts';
import { enumerate, type Naive } from './brute-force.fixture.ts';
import { clusters, LimitPolicy, topologyOf } from './clusters.fixture.ts';

/** `npm test` tries some clusters, `.ci/run` and `npm run check` try more. */
const runs = Math.max(10, Math.ceil(Number(process.env.GUARANTEE_CLUSTERS ?? 40) / 8)); // The search of each takes seconds.

const all = (): boolean => true;
const none = (): boolean => false;

/** Guarantees, each beside what it means. */
const guarantees: readonly (readonly [Guarantee, Naive])[] = [
  [
    { name: 'limited', holds: 'has(policies.LimitPolicy)' },
    { isMeant: all, isExcepted: none, holds: ({ limit }) => limit !== undefined },
  ],
  [
    {
      name: 'below',
      requests: { paths: [{ value: '/a' }] },
      except: [{ paths: [{ type: 'Exact', value: '/a/b' }] }, { headers: [{ name: 'h', value: '1' }] }],
      holds: '!has(policies.LimitPolicy) || policies.LimitPolicy.spec.limit <= 5',
    },
    {
      isMeant: ({ path }) => path === '/a' || path.startsWith('/a/'),
      isExcepted: ({ path, headers }) => path === '/a/b' || headers.get('h') === '1',
      holds: ({ limit }) => limit === undefined || limit <= 5,
    },
  ],
  [
    {
      name: 'distinguished',
      holds: 'request.path == "/b" || request.header("h") == "2" || has(policies.LimitPolicy)',
    },
    {
      isMeant: all,
      isExcepted: none,
      holds: ({ path, headers, limit }) => path === '/b' || headers.get('h') === '2' || limit !== undefined,
    },
  ],
];

const pathPatterns = [
  '/a.*',
  '/[ab]',
  '/(a|b)(/.*)?',
  '/a+',
  '/.*',
  '.*b',
  '/a/[^a]',
  '[^a]*',
  'b',
  '^/b$',
  '/b?',
  'a\\b',
];
const valuePatterns = ['.*', '1', '[12]', '1|12', '[^1]+', '1?2', '(?i)Z', '^$', '.'];
const callPatterns = ['a|s', '.*', '[^a]', 'bm?', 's+'];

/** Returns objects whose regular expressions are patterns of these lists, chosen by numbers. */
function withPatterns(objects: readonly KubernetesObject[], choices: readonly number[]): readonly KubernetesObject[] {
  let count = 0;
  const chosen = (patterns: readonly string[]): string => {
    count += 1;
    return patterns[(choices[count % choices.length] ?? 0) % patterns.length] ?? '';
  };
  const visit = (value: JsonValue, key: string): JsonValue => {
    if (Array.isArray(value)) return value.map((item) => visit(item as JsonValue, key));
    if (!isJsonObject(value)) return value;
    if (value.type !== 'RegularExpression') {
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, visit(inner, name)]));
    }
    if (key !== 'method') return { ...value, value: chosen(key === 'path' ? pathPatterns : valuePatterns) };
    const parts = ['service', 'method'].flatMap((part) =>
      value[part] === undefined ? [] : [[part, chosen(callPatterns)]],
    );
    return { ...value, ...Object.fromEntries(parts) };
  };
  return objects.map(
    (object) => ({ ...object, spec: visit(JSON.parse(JSON.stringify(object.spec)), '') }) as KubernetesObject,
  );
}

const worlds = fc
  .tuple(clusters, fc.array(fc.nat(60), { minLength: 1, maxLength: 8 }))
  .filter(([objects]) => JSON.stringify(objects).includes('RegularExpression'))
  .map(([objects, choices]) => withPatterns(objects, choices));

/** Texts over a tiny alphabet that the patterns distinguish, for the fields that have patterns. */
function textsFor(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const hasPatterns = (field: string): boolean =>
    new RegExp(`"${field}":\\[[^\\]]*RegularExpression`).test(JSON.stringify(objects));
  const values = ['', '1', '2', '12', 'z', 'Z', '11'].map((value) => ({ name: 'h', value }));
  const paths = ['/', '/a', '/b', '/ab', '/aa', '/ba', '/a/', '/a/a', '/a/b', '/b/b', '/s/b', '/ss/bm', '/a/bm'];
  const spec = {
    matches: paths.map((value) => ({ path: { value } })),
    ...(hasPatterns('headers') && { headers: [...values, { name: 'g', value: '1' }, { name: 'g', value: '12' }] }),
    ...(hasPatterns('queryParams') && { queryParams: [...values.slice(0, 4), { name: 'g', value: '12' }] }),
  };
  return [{ apiVersion: 'v1', kind: 'Words', metadata: { name: 'texts' }, spec }];
}

/** Replays the requests that break a guarantee. */
function replayAll(
  { counterexamples, guarantee }: Verdict,
  { isMeant, isExcepted, holds }: Naive,
  by: Pick<ReturnType<typeof inputOf>, 'topology' | 'effective' | 'regularLanguages'>,
): void {
  for (const example of counterexamples) {
    const { contender, request } = example;
    const winner = replay(by.topology, example, by)?.winner;
    expect([winner?.route, winner?.ruleIndex]).toEqual([contender.route, contender.match.match.ruleIndex]);
    const limits = [...(winner?.paths ?? [])].map((it) => by.effective.along(it).at(-1)?.spec.limit);
    const { host = '' } = httpRequestOf(request, contender.entry);
    const about = limits
      .map((limit) => ({
        ...request,
        host,
        port: contender.entry.port,
        listener: contender.listener.name,
        limit,
        isTaken: true,
        backend: undefined,
      }))
      .filter((it) => isMeant(it) && !isExcepted(it));
    expect(
      about.some((it) => !holds(it)),
      guarantee.name,
    ).toBe(true);
  }
}

function inputOf(objects: readonly KubernetesObject[], readings: readonly Reading[]) {
  const topology = topologyOf(objects, {
    dataPlane: {
      sharedHostnames: 'allowed',
      hostnamePrecedence: 'route',
      claimsWithoutCertificate: 'kept',
      listenerIsolation: 'supported',
      misdirectedRequests: 'refused',
    },
  });
  const effective = effectivePolicies(topology, LimitPolicy);
  return { topology, effective, kinds: [verifiedKind(effective)], regularLanguages: re2Languages({ readings }) };
}

describe('verify, with the languages of regular expressions', () => {
  const naives = guarantees.map(([, naive]) => naive);
  const asked = guarantees.map(([guarantee]) => guarantee);
  const expectedBy = (
    input: ReturnType<typeof inputOf>,
    objects: readonly KubernetesObject[],
    reading: Reading | 'every',
  ) => {
    const texts = textsFor(objects);
    const options = { regularExpression: input.regularLanguages.engine(reading) };
    return enumerate(
      input.topology,
      { objects, words: texts, texts, options, misdirectedRequests: 'refused' },
      input.effective,
      naives,
    );
  };

  it('finds each request that breaks a guarantee, and never names an expression, if it matches whole texts', () => {
    const answers = { holds: 0, broken: 0, undecided: 0 };
    const property = fc.property(worlds, (objects) => {
      const input = inputOf(objects, ['whole']);
      const expected = expectedBy(input, objects, 'whole');
      verify(input, asked).forEach((verdict, index) => {
        const { answer, hiddenBy, classes } = verdict;
        answers[answer] += 1;
        expect(hiddenBy.filter(({ dependsOn }) => dependsOn === 'regular expression')).toEqual([]);
        expect(classes).toBeGreaterThanOrEqual(expected[index]?.classes ?? 0);
        if (expected[index]?.answer === 'broken') expect(answer).toBe('broken');
        if (answer === 'holds') expect(expected[index]?.answer).toBe('holds');
        replayAll(verdict, naives[index] as Naive, input);
      });
    });
    fc.assert(property, { numRuns: runs, seed: Number(process.env.PROPERTY_SEED ?? 44) });
    expect(Math.min(answers.holds, answers.broken)).toBeGreaterThan(runs / 20);
  }, 7_200_000);

  it('is right about each way to read expressions if implementations differ', () => {
    const answers = { holds: 0, broken: 0, undecided: 0 };
    const property = fc.property(worlds, (objects) => {
      const input = inputOf(objects, ['whole', 'part']);
      const [agreed, ...each] = (['every', 'whole', 'part'] as const).map((it) => expectedBy(input, objects, it));
      verify(input, asked).forEach((verdict, index) => {
        const { answer } = verdict;
        answers[answer] += 1;
        if (agreed?.[index]?.answer === 'broken') expect(answer).toBe('broken');
        if (answer === 'holds') expect(each.map((it) => it[index]?.answer)).not.toContain('broken');
        replayAll(verdict, naives[index] as Naive, input);
      });
    });
    fc.assert(property, { numRuns: Math.ceil(runs / 2), seed: Number(process.env.PROPERTY_SEED ?? 45) });
    expect(Math.min(answers.holds, answers.broken)).toBeGreaterThan(runs / 40);
  }, 7_200_000);
});
