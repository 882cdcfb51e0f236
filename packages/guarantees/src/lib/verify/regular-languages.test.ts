import { re2Languages } from '@policy-machinery/cel/languages';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import type { DataPlane } from '@policy-machinery/gateway-api';
import type { JsonObject } from '@policy-machinery/resource';
import { createFixtures } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import { unreachedTargets, type VerifyInput, verifiedKind, verify } from '../../index.ts';
import { LimitPolicy, topologyOf } from '../../properties/clusters.fixture.ts';

const { gateway, httpRoute, policy } = createFixtures({ namespace: 'shop' });
const edge = gateway('edge', { listeners: [{ name: 'http', protocol: 'HTTP', port: 80 }] });
const expression = (value: string) => ({ path: { type: 'RegularExpression', value } });
const exact = (value: string) => ({ path: { type: 'Exact', value } });
const prefix = (value: string) => ({ path: { type: 'PathPrefix', value } });
const header = (type: string, value: string) => ({ headers: [{ type, name: 'x', value }] });

const languages = re2Languages();
const whole = re2Languages({ readings: ['whole'] });

/** What is asked: whether a route without a policy takes requests beside the matches of another one. */
interface Question extends Omit<VerifyInput, 'topology' | 'kinds'> {
  readonly safe: readonly JsonObject[];
  readonly open: JsonObject;
  readonly dataPlane?: DataPlane;
}

function verdictOn({ safe, open, dataPlane = {}, ...options }: Question) {
  const routes = [
    httpRoute('safe', { parents: [edge], rules: [{ matches: safe }] }),
    httpRoute('open', { parents: [edge], rules: [{ matches: [open] }] }),
  ] as const;
  const limit = policy(LimitPolicy, 'limit', { on: routes[0], spec: { limit: 1 } });
  const topology = topologyOf([edge, ...routes, limit], { dataPlane });
  const kinds = [verifiedKind(effectivePolicies(topology, LimitPolicy))];
  const input = { regularLanguages: languages, ...options };
  const [verdict] = verify({ topology, kinds, ...input }, [{ name: 'g', holds: 'has(policies.LimitPolicy)' }]);
  const unreached = unreachedTargets(topology, input).map(({ target, takers }) => [
    target.ref.name,
    takers.map(({ ref }) => ref.name),
  ]);
  return { ...verdict, unreached };
}

function answerTo(question: Question) {
  const { answer, counterexamples = [], hiddenBy = [] } = verdictOn(question);
  const request = counterexamples[0]?.request;
  return [answer, request ? (request.headers.get('x') ?? request.path) : hiddenBy[0]?.expression].filter(Boolean);
}

describe('a regular expression', () => {
  it.each([
    ['a path', { safe: [exact('/b')], open: expression('/a/[0-9]+') }, '/a/0'],
    [
      'a path between those of others',
      { safe: [exact('/a/0'), expression('/a/[02]')], open: expression('/a/[0-2]') },
      '/a/1',
    ],
    ['a header', { safe: [header('Exact', 'a')], open: header('RegularExpression', '[ab]') }, 'b'],
    [
      'a header that no expression matches',
      { safe: [header('RegularExpression', '[a-y]+')], open: header('RegularExpression', '.') },
      'z',
    ],
  ] as const)('breaks a guarantee by a request with %s', (_, question, text) => {
    expect(answerTo({ ...question, regularLanguages: whole })).toEqual(['broken', text]);
  });

  it.each([
    ['exact paths take', [exact('/a/0'), exact('/a/1')], '/a/[0-1]', whole],
    ['another expression takes', [expression('/a/[^/]+/b')], '/a/[0-9]/b', languages],
    ['no path has', [exact('/b')], 'a', whole],
  ])('breaks nothing if %s all of its requests', (_, safe, open, regularLanguages) => {
    const { answer, unreached } = verdictOn({ safe, open: expression(open), regularLanguages });
    expect([answer, unreached[0]?.[0]]).toEqual(['holds', 'open']);
  });

  it('leads to the rules that take its requests', () => {
    const question = { safe: [expression('/a/[^/]+/b')], open: expression('/a/[0-9]/b') };
    expect(verdictOn(question).unreached).toEqual([['open', ['safe']]]);
  });

  it('hides the answer if implementations that match a part of the path answer differently', () => {
    const question = { safe: [expression('/a|/z/z')], open: expression('/a/b') };
    expect(answerTo({ ...question, regularLanguages: whole })).toEqual(['broken', '/a/b']);
    expect(answerTo(question)).toEqual(['undecided', '/a/b']);
  });

  it.each(['/a(?=b).*', '/[ab]*a[ab]{900}x{900}y'])(
    'hides the answer if RE2 does not understand it, or if it is too costly: %s',
    (costly) => {
      expect(answerTo({ safe: [exact('/')], open: expression(costly) })).toEqual(['undecided', costly]);
    },
  );

  it('does not hide the answer about other requests if it is too costly', () => {
    const costly = { regularLanguages: languages, safe: [expression('/[ab]*a[ab]{900}x{900}y')] };
    expect(answerTo({ ...costly, open: expression('/c+') })).toEqual(['broken', '/c']);
  });

  it('precedes prefixes of paths as far as that is known', () => {
    const question = { safe: [prefix('/')], open: expression('/a/[0-9]+') };
    expect(answerTo({ ...question, regularExpressionPaths: 'before-prefixes' })).toEqual(['broken', '/a/0']);
    expect(answerTo({ ...question, regularExpressionPaths: 'after-prefixes' })).toEqual(['holds']);
    expect(answerTo({ ...question, regularExpressionPaths: 'both' })).toEqual(['undecided', '/a/[0-9]+']);
    const dataPlane: DataPlane = { regularExpressionPaths: 'before-prefixes' };
    expect(answerTo({ ...question, dataPlane, regularExpressionPaths: 'both' })).toEqual(['broken', '/a/0']);
    expect(answerTo({ ...question, safe: [prefix('/b')], regularExpressionPaths: 'both' })).toEqual(['broken', '/a/0']);
  });
});

/** Returns the moves of the searches for requests of many expressions that overlap in groups: each is within the next one. */
function movesFor(count: number): number {
  let moves = 0;
  const counting: typeof whole = {
    ...whole,
    find(question, limit) {
      const before = limit.moves;
      const found = whole.find(question, limit);
      moves += before - limit.moves;
      return found;
    },
  };
  const nested = Array.from({ length: count }, (_, index) =>
    expression(`/group${index % 16}/[a-z]{1,${Math.floor(index / 16) + 1}}`),
  );
  verdictOn({ safe: nested, open: expression('/open/[0-9]'), regularLanguages: counting });
  return moves;
}

describe('many regular expressions that overlap', () => {
  it('share the work of their searches', () => {
    expect(movesFor(1024)).toBeLessThan(2 * movesFor(512));
  });
});
