import { effectivePolicies } from '@policy-machinery/effective-policy';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createFixtures } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import {
  addedVerdicts,
  createVerifier,
  formatRequest,
  type Guarantee,
  type Verdict,
  verifiedKind,
  verify,
} from '../../index.ts';
import { LimitPolicy, topologyOf } from '../../properties/clusters.fixture.ts';

const { gateway, httpRoute, policy } = createFixtures({ namespace: 'shop' });
const edge = gateway('edge', { listeners: [{ name: 'http' }] });
const limited: Guarantee = { name: 'limited', holds: 'has(policies.LimitPolicy)' };

/** A route that takes requests by paths: `RegularExpression /a+` for a regular expression, `Exact /a`, or a prefix. */
function route(name: string, paths: readonly string[], more: Parameters<typeof httpRoute>[1] = {}) {
  const matches = paths.map((path) => {
    const [value = '', type = 'PathPrefix'] = path.split(' ').reverse();
    return { path: { type, value } };
  });
  return httpRoute(name, { parents: [edge], rules: [{ matches }], ...more });
}

const limit = (on: KubernetesObject) => policy(LimitPolicy, `limit-${on.metadata.name}`, { on, spec: { limit: 1 } });

function verdictsOf(objects: readonly KubernetesObject[], guarantee: Guarantee) {
  const topology = topologyOf([edge, ...objects]);
  return verify({ topology, kinds: [verifiedKind(effectivePolicies(topology, LimitPolicy))] }, [guarantee]);
}

/** Returns what a change from some objects to others adds: the requests that break a guarantee, and how many facts hide it. */
function addedBy(before: readonly KubernetesObject[], after: readonly KubernetesObject[], guarantee = limited) {
  const [verdict] = addedVerdicts(verdictsOf(before, guarantee), verdictsOf(after, guarantee));
  const requests = verdict?.counterexamples.map(formatRequest) ?? [];
  return { answer: verdict?.answer, requests, hidden: verdict?.hiddenBy.length };
}

const legacy = route('legacy', ['/legacy']);
const safe = route('safe', ['/safe']);
const guarded = [safe, limit(safe)];
const other = route('other', ['/other']);
const regex = route('regex', ['RegularExpression /a+']);
const nothing = { answer: 'holds', requests: [], hidden: 0 };
const broken = (...paths: readonly string[]) => ({
  answer: 'broken',
  requests: paths.map((path) => `GET http://example.com${path}`),
  hidden: 0,
});

describe('the additions of a change to a guarantee that is broken already', () => {
  it.each<[string, readonly KubernetesObject[], readonly KubernetesObject[], object]>([
    ['nothing, if nothing changes', [legacy], [legacy], nothing],
    ['a new open route', [legacy], [legacy, route('evil', ['/evil'])], broken('/evil')],
    ['a route that loses its policy', [legacy, ...guarded], [legacy, safe], broken('/safe')],
    ['a wider match of the open route', [legacy], [route('legacy', ['/'])], broken('/')],
    ['a prefix for an exact path', [route('legacy', ['Exact /a'])], [route('legacy', ['/a'])], broken('/a/any')],
    ['a further match of the open rule', [legacy], [route('legacy', ['/legacy', '/admin'])], broken('/admin')],
    [
      'another hostname',
      [route('legacy', ['/'], { hostnames: ['a.example.com'] })],
      [route('legacy', ['/'], { hostnames: ['b.example.com'] })],
      { answer: 'broken', requests: ['GET http://b.example.com/'], hidden: 0 },
    ],
    [
      'requests of a deleted route that the open one takes then',
      [legacy, route('in', ['/legacy/in']), limit(route('in', []))],
      [legacy],
      broken('/legacy/in'),
    ],
    [
      'requests that another open route takes then',
      [legacy, ...guarded],
      [legacy, ...guarded, route('evil', ['/safe/evil'])],
      broken('/safe/evil'),
    ],
    [
      'nothing, if the open route gets a label',
      [legacy],
      [route('legacy', ['/legacy'], { labels: { a: 'b' } })],
      nothing,
    ],
    ['nothing, if the open route is narrowed', [legacy], [route('legacy', ['/legacy/old'])], nothing],
    ['nothing, if the open route is renamed', [legacy], [route('other', ['/legacy'])], nothing],
    [
      'nothing, if its matches change places',
      [route('legacy', ['/a', '/b'])],
      [route('legacy', ['/b', '/a'])],
      nothing,
    ],
    ['nothing, if it is deleted', [legacy, route('old', ['/old'])], [legacy], nothing],
    ['nothing, if one of two is fixed', [legacy, safe], [legacy, ...guarded], nothing],
    ['nothing, if a route with a policy is added', [legacy], [legacy, ...guarded], nothing],
  ])('is %s', (_what, before, after, expected) => {
    expect(addedBy(before, after)).toEqual(expected);
  });

  it('is the part that expressions distinguish among the requests of an open match', () => {
    const reading: Guarantee = {
      name: 'reading',
      holds: 'request.method in ["GET", "HEAD"] || has(policies.LimitPolicy) && policies.LimitPolicy.spec.limit < 5',
    };
    const loose = (limit: number) => policy(LimitPolicy, 'loose', { on: legacy, spec: { limit } });
    expect(addedBy([legacy], [legacy, loose(9)], reading)).toEqual(nothing);
    const strict: Guarantee = {
      name: 'strict',
      holds: '(request.path.under("/legacy/a") && has(policies.LimitPolicy)) || request.path.under("/legacy/b")',
    };
    const added = addedBy([legacy, loose(9)], [legacy], strict);
    expect(added).toEqual(broken('/legacy/a'));
  });

  it.each<[string, readonly KubernetesObject[], readonly KubernetesObject[], string]>([
    ['a route with a regular expression', [legacy], [legacy, regex], 'undecided'],
    ['a further rule with the same one', [regex], [regex, route('other', ['RegularExpression /a+'])], 'undecided'],
    [
      'nothing, if the route with it is edited',
      [regex],
      [route('regex', ['RegularExpression /a+'], { labels: { a: 'b' } })],
      'holds',
    ],
    ['nothing, if it has a policy', [legacy], [legacy, regex, limit(regex)], 'holds'],
  ])('hides requests: %s', (_what, before, after, answer) => {
    const added = addedBy(before, after);
    expect([added.answer, added.requests]).toEqual([answer, []]);
  });

  it('is a policy, for a guarantee about policies', () => {
    const named: Guarantee = { name: 'named', about: 'policies', holds: 'policy.name == "limit-safe"' };
    expect(addedBy([legacy, limit(legacy)], [legacy, limit(legacy)], named).answer).toBe('holds');
    expect(addedBy([legacy, limit(legacy)], [legacy, limit(legacy), other, limit(other)], named).answer).toBe('broken');
  });

  it('is everything, for a guarantee without a verdict before', () => {
    const after = verdictsOf([legacy], limited);
    expect(addedVerdicts([], after)).toEqual(after);
  });
});

describe('the cost of a comparison', () => {
  /** How often the conditions of matches are read, for each of some open routes beside which an object is applied. */
  function readsPerRoute(count: number, changed: readonly KubernetesObject[]): number {
    const open = Array.from({ length: count }, (_, index) => route(`open-${index}`, [`/${index}`]));
    const topology = topologyOf([edge, ...open, safe]);
    const verifier = createVerifier({ topology, kinds: [verifiedKind(effectivePolicies(topology, LimitPolicy))] });
    const before = verifier.verdicts([limited]);
    topology.apply({ upsert: changed });
    const after = verifier.verdicts([limited]);
    let reads = 0;
    for (const contender of new Set([...before, ...after].flatMap(contendersOf))) {
      const { match } = contender;
      const get = () => {
        reads += 1;
        return match;
      };
      Object.defineProperty(contender, 'match', { get });
    }
    addedVerdicts(before, after);
    return reads / count;
  }

  const contendersOf = ({ basis }: Verdict) =>
    basis?.summaries.flatMap(({ space: { contests } }) => contests.flatMap(({ contenders }) => contenders)) ?? [];

  it('grows with the routes of a Gateway if one of them changes, not with their square', () => {
    const changed = [route('safe', ['/evil'])];
    const few = readsPerRoute(50, changed);
    expect(few).toBeGreaterThan(1);
    expect(readsPerRoute(200, changed)).toBeLessThanOrEqual(few);
  });

  it('is nothing for the routes that a policy does not touch', () => {
    expect(readsPerRoute(50, [limit(safe)])).toBe(0);
  });
});
