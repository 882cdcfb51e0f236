import fc from 'fast-check';
import type { Asked } from './brute-force.fixture.ts';

/** An expression, and what it means. */
export interface Expression {
  readonly text: string;
  readonly value: (asked: Asked) => boolean;
}

const quoted = JSON.stringify;
const isUnder = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

const one = <Value>(values: readonly Value[], make: (value: Value) => Expression): fc.Arbitrary<Expression> =>
  fc.constantFrom(...values).map(make);

/** Expressions that cannot be divided, over the words of random clusters. */
const simple = fc.oneof(
  one(['/a', '/a/b', '/b'], (prefix) => ({
    text: `request.path.under(${quoted(prefix)})`,
    value: ({ path }) => isUnder(path, prefix),
  })),
  one(['/', '/a', '/a/', '/a/b'], (wanted) => ({
    text: `request.path == ${quoted(wanted)}`,
    value: ({ path }) => path === wanted,
  })),
  one(['GET', 'POST'], (wanted) => ({
    text: `request.method != ${quoted(wanted)}`,
    value: ({ method }) => method !== wanted,
  })),
  fc.constant<Expression>({
    text: 'request.method in ["GET", "POST"]',
    value: ({ method }) => ['GET', 'POST'].includes(method),
  }),
  one(['a.x', 'b.a.x', 'c', 's.n'], (wanted) => ({
    text: `${quoted(wanted)} == request.host`,
    value: ({ host }) => host === wanted,
  })),
  one(['x', 'a.x'], (domain) => ({
    text: `request.host.under(${quoted(`*.${domain}`)})`,
    value: ({ host }) => host.endsWith(`.${domain}`),
  })),
  one(['1', '2'], (wanted) => ({
    text: `request.header("H") == ${quoted(wanted)}`,
    value: ({ headers }) => headers.get('h') === wanted,
  })),
  one(['h', 'g'], (name) => ({
    text: `request.header(${quoted(name)}) == null`,
    value: ({ headers }) => !headers.has(name),
  })),
  one(['1', '2'], (wanted) => ({
    text: `request.query("g") == ${quoted(wanted)}`,
    value: ({ query }) => query.get('g') === wanted,
  })),
  fc.constant<Expression>({
    text: 'request.header("h") == string(1 + listener.port % 2)',
    value: ({ headers, port }) => headers.get('h') === String(1 + (port % 2)),
  }),
  one(['s', 't'], (wanted) => ({
    text: `(backend.exists && backend.name == ${quoted(wanted)})`,
    value: ({ backend }) => backend?.name === wanted,
  })),
  fc.constant<Expression>({
    text: '(!backend.exists || backend.port == 80)',
    value: ({ backend }) => backend === undefined || backend.port === 80,
  }),
  fc.constant<Expression>({ text: 'has(policies.LimitPolicy)', value: ({ limit }) => limit !== undefined }),
  fc.constant<Expression>({
    text: 'has(policies.LimitPolicy) && policies.LimitPolicy.spec.limit <= 5',
    value: ({ limit }) => limit !== undefined && limit <= 5,
  }),
);

/** Random expressions about requests and the policies that they meet. */
export const expressions = expressionsOf(simple);

/** Random expressions, some of which ask whether a rule takes the request. */
export const expressionsWithTaken = expressionsOf(
  fc.oneof(fc.constant<Expression>({ text: 'taken', value: ({ isTaken }) => isTaken }), simple, simple),
);

function expressionsOf(parts: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  return fc.letrec<{ readonly expression: Expression }>((tie) => {
    const pairOf = (operator: string, value: (left: boolean, right: boolean) => boolean): fc.Arbitrary<Expression> =>
      fc.tuple(tie('expression'), tie('expression')).map(([left, right]) => ({
        text: `(${left.text}) ${operator} (${right.text})`,
        value: (asked) => value(left.value(asked), right.value(asked)),
      }));
    return {
      expression: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        parts,
        pairOf('&&', (left, right) => left && right),
        pairOf('||', (left, right) => left || right),
        pairOf('==', (left, right) => left === right),
        tie('expression').map(
          ({ text, value }): Expression => ({ text: `!(${text})`, value: (asked) => !value(asked) }),
        ),
      ),
    };
  }).expression;
}

/** An object with the words of the expressions, so that these are enumerated. */
export const wordsOfExpressions = {
  apiVersion: 'v1',
  kind: 'Words',
  metadata: { name: 'expressions' },
  spec: {
    hostnames: ['a.x', 'b.a.x', 'c', 's.n', '*.x', '*.a.x'],
    methods: [{ method: 'GET' }, { method: 'POST' }],
    matches: ['/', '/a', '/a/', '/a/b', '/b'].map((value) => ({ path: { value } })),
    headers: [
      { name: 'h', value: '1' },
      { name: 'h', value: '2' },
      { name: 'g', value: '1' },
    ],
    queryParams: [
      { name: 'g', value: '1' },
      { name: 'g', value: '2' },
    ],
  },
};
