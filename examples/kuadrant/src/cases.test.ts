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

const phases = ['authentication', 'metadata', 'authorization', 'callbacks'];

function gatewayRef(kind: string, name: string) {
  return { group: 'gateway.networking.k8s.io', kind, name };
}

function authPolicy(name: string, spec: object) {
  return { apiVersion: 'kuadrant.io/v1', kind: 'AuthPolicy', metadata: { name, namespace: 'b2' }, spec };
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

describe('an AuthPolicy', () => {
  const route = gatewayRef('HTTPRoute', 'route');
  const gateway = gatewayRef('Gateway', 'gateway');
  const responses = (name: string) => ({
    unauthorized: { message: { value: name } },
    success: { headers: { [name]: { plain: { value: name } } }, filters: { [name]: { json: {} } } },
  });
  const rulesOf = (name: string) => ({
    patterns: { [name]: { allOf: [] } },
    rules: {
      ...Object.fromEntries(phases.map((phase) => [phase, { [name]: { when: [] } }])),
      response: responses(name),
    },
  });

  it('keeps the rules of its Gateway beside its own, in all of the places that Kuadrant has for rules', async () => {
    const topology = await cluster();
    const { topology: changed } = topology.with({
      upsert: [
        authPolicy('platform', { targetRef: gateway, defaults: { strategy: 'merge', ...rulesOf('theirs') } }),
        authPolicy('team', { targetRef: route, ...rulesOf('ours') }),
      ],
    });
    const inNamespace = [...effectivePolicies(changed, AuthPolicy)].filter(
      ({ target }) => target.ref.namespace === 'b2',
    );
    const both = (value: object) => ({ theirs: value, ours: value });
    expect(inNamespace.map(({ spec }) => spec)).toEqual([
      {
        patterns: both({ allOf: [] }),
        rules: {
          ...Object.fromEntries(phases.map((phase) => [phase, both({ when: [] })])),
          response: {
            unauthorized: { message: { value: 'ours' } },
            success: {
              headers: { theirs: { plain: { value: 'theirs' } }, ours: { plain: { value: 'ours' } } },
              filters: both({ json: {} }),
            },
          },
        },
      },
    ]);
  });
});

describe('effective policies in the cases of RFC 0009', () => {
  it.each(Object.entries(cases))('%s: %s', async (namespace) => {
    expect(await rulesIn(namespace)).toEqual(expected[namespace]);
  });
});
