import { effectivePolicies } from '@policy-machinery/effective-policy';
import { describe, expect, it } from 'vitest';
import { cases } from './cases.ts';
import { cluster } from './cluster.ts';
import { AuthPolicy, RateLimitPolicy } from './policy-kinds.ts';

/** Whose each rule is that applies to the route of a namespace, by the rule's name. */
async function rulesIn(namespace: string): Promise<Record<string, string>> {
  const topology = await cluster();
  const views = [effectivePolicies(topology, AuthPolicy), effectivePolicies(topology, RateLimitPolicy)];
  const [policy] = views.flatMap((effective) =>
    [...effective].filter(({ target }) => target.ref.namespace === namespace),
  );
  const fields = policy?.fields.filter(({ value }) => value !== undefined) ?? [];
  const name = /\/([a-d])\//;
  return Object.fromEntries(
    fields.map(({ pointer, by }) => [name.exec(pointer)?.[1], by.map((it) => it.policy.resource.metadata.name).join()]),
  );
}

const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  a1: { c: 'team' },
  b1: { a: 'platform', b: 'platform', c: 'team' },
  b2: { a: 'team', b: 'platform' },
  c1: { a: 'platform', b: 'platform' },
  d1: { a: 'platform', b: 'platform', c: 'team' },
  d2: { a: 'platform', b: 'platform', d: 'team' },
  e1: { a: 'team', b: 'team' },
  e2: { a: 'platform', b: 'team' },
  e3: { a: 'platform', b: 'team' },
  f1: { b: 'team' },
  f2: { a: 'platform', b: 'team' },
};

describe('what applies in the cases of RFC 0009', () => {
  it.each(Object.entries(cases))('%s: %s', async (namespace) => {
    expect(await rulesIn(namespace)).toEqual(expected[namespace]);
  });
});
