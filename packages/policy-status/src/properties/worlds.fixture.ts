import type { Verdict } from '@policy-machinery/effective-policy';
import { atomic, none, patch } from '@policy-machinery/merge';
import { bareSpec, defaultsAndOverrides } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import fc from 'fast-check';
import { gateway, route, timeoutKind, timeouts } from '../lib/cluster.fixture.ts';

/** A small cluster: Gateways, routes below some of them, and policies; some of all of these refer to nothing. */
export interface World {
  /** How its policies are merged. */
  readonly rules: keyof typeof kinds;
  readonly resources: readonly KubernetesObject[];
  /** The verdicts of the controller, by the names of policies. Default: none. */
  readonly verdicts?: Readonly<Record<string, readonly Verdict[]>>;
}

/** The policy kind of each set of rules. */
export const kinds = {
  merging: timeoutKind('TimeoutPolicy', {
    stanzas: defaultsAndOverrides({ strategies: { atomic, patch }, together: 'defaults-and-overrides' }),
  }),
  newest: timeoutKind('TimeoutPolicy', {
    stanzas: defaultsAndOverrides({ strategies: { patch, atomic } }),
    sameLevel: 'established-challenger',
  }),
  none: timeoutKind('TimeoutPolicy', { stanzas: bareSpec({ strategies: { none } }) }),
  coexist: timeoutKind('TimeoutPolicy', {
    stanzas: bareSpec({ strategies: { patch } }),
    sameLevel: 'coexist',
    ancestorEntries: { naming: 'sections', reach: 'nearest' },
  }),
  own: timeoutKind('TimeoutPolicy', { ownValue: ({ ref: { name } }) => (name === 'r1' ? { idle: 9 } : undefined) }),
};

const parents = ['g1', 'g2', 'g2#http', 'g3#https', 'gone'];
const targets = [
  'Gateway g1',
  'Gateway g1#http',
  'Gateway g2',
  'Gateway g2#http',
  'Gateway gone',
  'Gateway infra/g1',
  'HTTPRoute r1',
  'HTTPRoute r2',
  'HTTPRoute r2#pay',
  'HTTPRoute r3',
  'Tunnel t',
];

const condition = (type: string) => ({
  type,
  status: 'True',
  observedGeneration: 1,
  lastTransitionTime: '2025-01-01T00:00:00Z',
  reason: 'Said',
  message: '',
});
const own = 'example.com/TimeoutPolicyAffected';
const conditions = fc.subarray(['Accepted', 'Foreign', own, 'Other'].map(condition));
const gatewayStatus = fc.record(
  {
    conditions,
    listeners: fc.tuple(conditions, conditions).map(([http, https]) => [
      { name: 'http', attachedRoutes: 2, conditions: http },
      { name: 'https', conditions: https },
    ]),
  },
  { requiredKeys: [] },
);
const entriesOf = (field: 'parentRef' | 'ancestorRef') =>
  fc.array(
    fc.record({
      [field]: fc.record({ name: fc.constantFrom('g1', 'g2', 'lost') }),
      controllerName: fc.constantFrom('example.com/gateways', 'other.com/controller'),
      conditions,
    }),
    { maxLength: 3 },
  );
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const gateways = fc
  .tuple(
    ...['g1', 'g2', 'g3'].map((name) =>
      optional(gatewayStatus).map((status) => gateway(name, ['http', 'https'], { status })),
    ),
  )
  .chain((all) => fc.subarray(all, { minLength: all.length - 1 }));
const routeNamed = (name: string) =>
  fc
    .tuple(fc.subarray(parents, { minLength: 1 }), optional(entriesOf('parentRef')))
    .map(([names, entries]) => route(name, names, { status: entries && { parents: entries } }));
const routes = fc
  .tuple(...['r1', 'r2', 'r3'].map(routeNamed))
  .chain((all) => fc.subarray(all, { minLength: all.length - 1 }));

const timeout = fc.record({ request: fc.constantFrom(1, 2), idle: fc.constantFrom(1, 2) }, { requiredKeys: [] });
const stanza = fc
  .tuple(fc.constantFrom({}, { strategy: 'atomic' }, { strategy: 'patch' }), timeout)
  .map(([a, b]) => ({ ...a, ...b }));
const bare = fc.oneof({ weight: 9, arbitrary: timeout }, { weight: 1, arbitrary: fc.constant({ request: 'long' }) });
const merging = fc.oneof(
  bare,
  fc.record({ defaults: stanza, overrides: stanza }, { requiredKeys: [] }),
  fc.record({ overrides: stanza }),
);
const chosen = fc.oneof(
  fc.constantFrom(['Gateway g1'], ['Gateway g2'], ['HTTPRoute r1'], ['HTTPRoute r2']),
  fc.subarray(targets, { minLength: 1, maxLength: 3 }),
);
const policyNamed = (name: string, spec: fc.Arbitrary<object>) =>
  fc
    .tuple(chosen, spec, fc.nat(3), optional(entriesOf('ancestorRef')))
    .map(([on, says, seconds, ancestors]) =>
      timeouts(name, on, says, { seconds, status: ancestors && { ancestors, phase: 'x' } }),
    );
const policies = (spec: fc.Arbitrary<object>) =>
  fc
    .tuple(...['p1', 'p2', 'p3', 'p4'].map((name) => policyNamed(name, spec)))
    .chain((all) => fc.subarray(all, { minLength: all.length - 1 }));

/** Worlds of all the rules. */
export const worlds: fc.Arbitrary<World> = fc
  .constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[]))
  .chain((rules) => worldsOf(rules));

function worldsOf(rules: keyof typeof kinds): fc.Arbitrary<World> {
  const spec = rules === 'none' || rules === 'coexist' ? bare : merging;
  return fc.tuple(gateways, routes, policies(spec)).map((parts) => ({ rules, resources: parts.flat() }));
}

const verdict: fc.Arbitrary<Verdict> = fc.record(
  {
    outcome: fc.constantFrom('invalid', 'pending', 'target-not-found', 'conflicted'),
    reason: fc.constant('NoSecret'),
    message: fc.constantFrom('One.', 'Two.'),
    ancestors: fc.subarray(
      [
        'gateway.gateway.networking.k8s.io:shop/g1',
        'gateway.gateway.networking.k8s.io:shop/g2',
        'gateway.gateway.networking.k8s.io:shop/g2#http',
        'httproute.gateway.networking.k8s.io:shop/r2',
      ],
      { minLength: 1 },
    ),
  },
  { requiredKeys: ['message'] },
);
const verdicts = fc.dictionary(fc.constantFrom('p1', 'p2', 'p3', 'p4'), fc.array(verdict, { maxLength: 2 }), {
  noNullPrototype: true,
});

/** Worlds in which the controller has verdicts on some policies. */
export const judgedWorlds: fc.Arbitrary<World> = fc
  .tuple(worlds, verdicts)
  .map(([world, verdicts]) => ({ ...world, verdicts }));

/** A world, and another with some resources removed, added or changed. */
export const changes: fc.Arbitrary<{ readonly world: World; readonly next: World }> = judgedWorlds.chain((world) =>
  fc
    .tuple(worldsOf(world.rules), fc.infiniteStream(fc.constantFrom('kept', 'kept', 'kept', 'other', 'both')))
    .map(([{ resources }, choice]) => {
      const nameOf = ({ metadata }: KubernetesObject) => metadata.name;
      const others = new Map(resources.map((it) => [nameOf(it), it]));
      const mine = new Map(world.resources.map((it) => [nameOf(it), it]));
      const next = [...new Set([...mine.keys(), ...others.keys()])].flatMap((name) => {
        const chosen = choice.next().value;
        const it =
          chosen === 'other'
            ? others.get(name)
            : (mine.get(name) ?? (chosen === 'both' ? others.get(name) : undefined));
        return it === undefined ? [] : [it];
      });
      return { world, next: { ...world, resources: next } };
    }),
);
