import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi, HTTPRoute, Namespace, Service } from '@policy-machinery/gateway-api';
import { atomic, none, patch } from '@policy-machinery/merge';
import { bareSpec, defaultsAndOverrides, envoyGateway, withConditions } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { cluster, gateway, route, TimeoutPolicy, timeoutKind, timeouts } from '../cluster.fixture.ts';
import { reportPolicies } from './policy-report.ts';

const edge = gateway('edge');
const cart = route('cart', ['edge']);

/** Returns the report about the policy `p`. */
function reportOf(resources: readonly KubernetesObject[], kind = TimeoutPolicy) {
  const { effective } = cluster(kind, ...resources);
  const report = reportPolicies(effective).find(({ policy }) => policy.resource.metadata.name === 'p');
  if (report === undefined) throw new Error('no policy p');
  return report;
}

const written = ({
  ancestorRef: { kind, namespace, name, sectionName },
}: ReturnType<typeof reportOf>['ancestors'][number]) =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}${sectionName === undefined ? '' : `#${sectionName}`}`;

const NonePolicy = timeoutKind('TimeoutPolicy', { stanzas: bareSpec({ strategies: { none } }) });

describe('reportPolicies', () => {
  const base = [edge, cart];
  const older = (spec: object, target = 'Gateway edge') => timeouts('a', [target], spec, { seconds: -9 });

  it.each<[string, string, KubernetesObject[], string]>([
    ['all of it holds', 'enforced', [timeouts('p', ['Gateway edge'], { request: 1 })], 'In force in all scopes.'],
    [
      'a part is taken by another',
      'partly-enforced',
      [timeouts('p', ['Gateway edge'], { request: 1, idle: 1 }), timeouts('b', ['HTTPRoute cart'], { idle: 2 })],
      'In force in part. shop/b prevails at /idle (Patch defaults).',
    ],
    [
      'all is taken by others',
      'overridden',
      [timeouts('p', ['HTTPRoute cart'], { request: 1 }), older({ overrides: { request: 2 } })],
      'Overridden in all scopes. shop/a replaces it (Patch overrides).',
    ],
    [
      'the spec is invalid (C-13)',
      'invalid',
      [timeouts('p', ['Gateway edge'], { request: 'long' })],
      '/spec/request: Invalid input: expected number, received string.',
    ],
    [
      'the target does not exist (T-21)',
      'target-not-found',
      [timeouts('p', ['Gateway gone'], { request: 1 })],
      '/spec/targetRefs/0: targets Gateway shop/gone, which does not exist; create it or correct the reference.',
    ],
    [
      'the section does not exist (T-13)',
      'section-not-found',
      [timeouts('p', ['Gateway edge#http'], { request: 1 })],
      '/spec/targetRefs/0: targets Gateway shop/edge#http, a listener that does not exist, or with a name that is not unique; target one of https.',
    ],
    [
      'the kind of the target is unsupported',
      'invalid',
      [timeouts('p', ['Tunnel t'], { request: 1 })],
      '/spec/targetRefs/0: targets Tunnel shop/t, which TimeoutPolicy does not support; target one of Gateway, Gateway listener, HTTPRoute, HTTPRoute rule.',
    ],
    [
      'nothing is below the target',
      'not-in-any-path',
      [gateway('idle'), timeouts('p', ['Gateway idle'], { request: 1 })],
      'Gateway shop/idle does not have targets that this policy can affect.',
    ],
  ])('has the outcome of a policy where %s', (_, outcome, resources, message) => {
    expect(reportOf([...base, ...resources])).toMatchObject({ outcome, message });
  });

  it('names the conflicts of a policy, with the reason (C-06)', () => {
    const policies = [older({ request: 2 }), timeouts('p', ['Gateway edge'], { request: 1 })];
    expect(reportOf([...base, ...policies], NonePolicy)).toMatchObject({
      outcome: 'conflicted',
      message: 'Conflicts with another policy. shop/a stays: it is older (None).',
    });
  });

  it('does so for a policy that sets nothing', () => {
    const policies = [older({}), timeouts('p', ['Gateway edge'], {})];
    expect(reportOf([...base, ...policies], NonePolicy).outcome).toBe('conflicted');
  });

  it.each(['patch', 'atomic'])(
    'names the direct winner, then the policy that sets the field in the end (%s)',
    (strategy) => {
      const overriding = (name: string, target: string) =>
        timeouts(name, [target], { overrides: { strategy, request: 2 } });
      const policies = [overriding('a', 'Gateway edge'), overriding('b', 'HTTPRoute cart')];
      expect(reportOf([...base, ...policies, timeouts('p', ['HTTPRoute cart#pay'], { request: 1 })]).message).toBe(
        `Overridden in all scopes. shop/b replaces it (${strategy === 'patch' ? 'Patch' : 'Atomic'} overrides), finally set by shop/a.`,
      );
    },
  );

  it('does not name a policy that has nothing in common with the policy', () => {
    const policies = [
      timeouts('a', ['Gateway edge'], { overrides: { strategy: 'patch', request: 8 } }),
      timeouts('p', ['HTTPRoute cart'], { defaults: { strategy: 'atomic', idle: 5 } }),
      timeouts('b', ['HTTPRoute cart#pay'], { defaults: { strategy: 'atomic', request: 5 } }),
    ];
    expect(reportOf([...base, ...policies]).message).toBe(
      'Overridden in all scopes. shop/b replaces it (Atomic defaults).',
    );
  });

  it('reports a policy as in force if another one sets the same value', () => {
    const policies = [
      timeouts('p', ['Gateway edge'], { request: 30 }),
      timeouts('b', ['HTTPRoute cart'], { request: 30 }),
    ];
    expect(reportOf([...base, ...policies]).message).toBe('In force in all scopes.');
    const other = timeouts('c', ['HTTPRoute cart#pay'], { request: 5 });
    expect(reportOf([...base, ...policies, other]).message).toBe(
      'Overridden in all scopes. shop/c replaces it (Patch defaults).',
    );
  });

  describe('of policies on one target that keeps one', () => {
    const twoOn = (target: string) => [
      timeouts('a', [target], { request: 2 }, { seconds: -9 }),
      timeouts('p', [target], { request: 1 }),
    ];
    const Rejecting = timeoutKind('TimeoutPolicy', { ...envoyGateway() });
    const Coexisting = timeoutKind('TimeoutPolicy', {
      stanzas: bareSpec({ strategies: { patch } }),
      sameLevel: 'coexist',
    });
    const Namespaced = timeoutKind('TimeoutPolicy', {
      stanzas: bareSpec({ strategies: { none } }),
      targets: [Namespace],
      namespaceLevels: [HTTPRoute],
    });
    const without = (rules: readonly object[]) =>
      ({ ...cart, spec: { parentRefs: [{ name: 'edge' }], rules } }) as typeof cart;
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };

    it.each<[string, KubernetesObject[], typeof NonePolicy, string]>([
      ['a Gateway without routes', [edge, ...twoOn('Gateway edge')], NonePolicy, 'Gateway shop/edge'],
      ['a Gateway without routes, of Envoy Gateway', [edge, ...twoOn('Gateway edge')], Rejecting, 'Gateway shop/edge'],
      ['a Gateway without routes, coexisting', [edge, ...twoOn('Gateway edge')], Coexisting, 'Gateway shop/edge'],
      ['a listener without routes', [edge, ...twoOn('Gateway edge#https')], NonePolicy, 'Gateway shop/edge'],
      ['a route without rules', [edge, without([]), ...twoOn('HTTPRoute cart')], NonePolicy, 'Gateway shop/edge'],
      ['a route out of all paths', [cart, ...twoOn('HTTPRoute cart')], NonePolicy, 'HTTPRoute shop/cart'],
      ['a Namespace without members', [namespace, ...twoOn('Namespace shop')], Namespaced, 'Namespace shop'],
    ])('reports that the newer policy is in conflict: on %s', (_, resources, kind, ancestor) => {
      const report = reportOf(resources, kind);
      const and = kind === Rejecting ? ', and only one policy attaches to a target' : '';
      expect(report).toMatchObject({
        outcome: 'conflicted',
        message: `Conflicts with another policy. shop/a stays: it is older${and} (None).`,
      });
      expect(report.ancestors.map((it) => [written(it), it.outcome])).toEqual([[ancestor, 'conflicted']]);
    });

    it('reports the same once there is something below, and that the older policy stays', () => {
      const outcomes = [[], [cart]].map((routes) => {
        const { effective } = cluster(Rejecting, edge, ...routes, ...twoOn('Gateway edge'));
        return reportPolicies(effective).map(({ outcome }) => outcome);
      });
      expect(outcomes).toEqual([
        ['not-in-any-path', 'conflicted'],
        ['enforced', 'conflicted'],
      ]);
    });

    it('does so if the policy of a section stays in everything below', () => {
      const policies = [...twoOn('HTTPRoute cart'), timeouts('b', ['HTTPRoute cart#pay'], {})];
      expect(reportOf([...base, ...policies], NonePolicy)).toMatchObject({
        outcome: 'conflicted',
        message: 'Conflicts with another policy. shop/a stays: it is older (None).',
      });
    });

    it('is without conflict between a listener and its Gateway, or between two listeners', () => {
      const policies = [
        timeouts('a', ['Gateway edge'], { request: 2 }, { seconds: -9 }),
        timeouts('b', ['Gateway edge#http'], { request: 2 }, { seconds: -8 }),
        timeouts('p', ['Gateway edge#https'], { request: 1 }),
      ];
      expect(reportOf([gateway('edge', ['http', 'https']), ...policies], NonePolicy).outcome).toBe('not-in-any-path');
    });

    it('has none where policies merge, or set different fields side by side', () => {
      expect(reportOf([edge, ...twoOn('Gateway edge')]).outcome).toBe('not-in-any-path');
      const apart = [timeouts('a', ['Gateway edge'], { idle: 2 }), timeouts('p', ['Gateway edge'], { request: 1 })];
      expect(reportOf([edge, ...apart], Coexisting).outcome).toBe('not-in-any-path');
    });

    it('no longer does so when the older policy is deleted, or becomes the newer', () => {
      const { topology, effective } = cluster(NonePolicy, edge, ...twoOn('Gateway edge'));
      const outcomes = () =>
        reportPolicies(effective).map(({ policy, outcome }) => [policy.resource.metadata.name, outcome]);
      expect(outcomes()).toEqual([
        ['a', 'not-in-any-path'],
        ['p', 'conflicted'],
      ]);
      effective.takeChanges();
      topology.apply({ upsert: [timeouts('a', ['Gateway edge'], { request: 2 }, { seconds: 9e6 })] });
      expect(effective.takeChanges().policies.map((it) => it.split('/').at(-1))).toEqual(['a', 'p']);
      expect(outcomes()).toEqual([
        ['a', 'conflicted'],
        ['p', 'not-in-any-path'],
      ]);
      topology.apply({
        remove: ['timeoutpolicy.example.com:shop/p'].map(
          (it) => effective.policy(it)?.node.resource as KubernetesObject,
        ),
      });
      expect(outcomes()).toEqual([['a', 'not-in-any-path']]);
    });
  });

  describe('with respect to ancestors', () => {
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'api', namespace: 'shop' },
      spec: {
        ports: [
          { name: 'https', port: 443 },
          { name: 'metrics', port: 9090 },
        ],
      },
    };
    const toPort443 = {
      ...cart,
      spec: { parentRefs: [{ name: 'edge' }], rules: [{ name: 'pay', backendRefs: [{ name: 'api', port: 443 }] }] },
    } as typeof cart;
    const ServicePolicy = timeoutKind('TimeoutPolicy', {
      targets: [Service, Service.sections.port],
      effectiveTargets: [Service.sections.port],
      stanzas: bareSpec({ strategies: { none } }),
    });

    it('names the Gateway alone where only some ports of a Service are routed to', () => {
      const { outcome, ancestors } = reportOf(
        [edge, toPort443, service, timeouts('p', ['Service api'], {})],
        ServicePolicy,
      );
      expect([outcome, ancestors.map(written)]).toEqual(['enforced', ['Gateway shop/edge']]);
    });

    it('names the Service, too, where another policy overrides it on the other ports', () => {
      const onMetrics = timeouts('m', ['Service api#metrics'], {});
      const { outcome, ancestors } = reportOf(
        [edge, toPort443, service, timeouts('p', ['Service api'], {}), onMetrics],
        ServicePolicy,
      );
      const entries = ancestors.map((it) => `${written(it)}: ${it.outcome}`);
      expect([outcome, entries]).toEqual([
        'partly-enforced',
        ['Service shop/api: overridden', 'Gateway shop/edge: enforced'],
      ]);
    });

    it('names the Service where none of its ports is', () => {
      expect(
        reportOf([edge, service, timeouts('p', ['Service api'], {})], ServicePolicy).ancestors.map(written),
      ).toEqual(['Service shop/api']);
    });

    it('names the Gateways above a route that lacks the section', () => {
      const policy = timeouts('p', ['HTTPRoute cart#two'], { request: 1 });
      const { topology, effective } = cluster(TimeoutPolicy, cart, policy);
      const entries = () =>
        reportPolicies(effective).flatMap(({ ancestors }) => ancestors.map((it) => [written(it), it.outcome]));
      expect(entries()).toEqual([['HTTPRoute cart#two', 'section-not-found']]);
      effective.takeChanges();
      topology.apply({ upsert: [edge] });
      expect(effective.takeChanges().policies).toEqual(['timeoutpolicy.example.com:shop/p']);
      expect(entries()).toEqual([['Gateway shop/edge', 'section-not-found']]);
    });

    describe('of objects that others manage in part (T-22)', () => {
      const theirs = { ...gateway('west'), metadata: { ...gateway('west').metadata, labels: { by: 'them' } } };
      const both = route('cart', ['edge', 'west']);
      const Ours = timeoutKind('TimeoutPolicy', {
        manages: ({ kind, resource }) =>
          !('kind' in kind && kind.kind === 'Gateway' && resource.metadata.labels?.by === 'them'),
      });
      const policy = timeouts('p', ['HTTPRoute cart'], { request: 1 });

      it.each<[string, KubernetesObject]>([
        ['in force', policy],
        ['invalid', timeouts('p', ['HTTPRoute cart'], { request: 'long' })],
        ['on a section that is missing', timeouts('p', ['HTTPRoute cart#two'], { request: 1 })],
      ])('has entries for its own only, of a policy that is %s', (_, it) => {
        expect(reportOf([edge, theirs, both, it], Ours).ancestors.map(written)).toEqual(['Gateway shop/edge']);
        expect(reportOf([theirs, route('cart', ['west']), it], Ours).ancestors).toEqual([]);
      });

      it('does not report a policy under targets of other controllers', () => {
        const over = timeouts('b', ['Gateway west'], { overrides: { request: 2 } });
        expect(reportOf([edge, theirs, both, policy, over], Ours)).toMatchObject({
          outcome: 'enforced',
          message: 'In force in all scopes.',
        });
      });

      it('follows a Gateway that changes hands', () => {
        const { topology, effective } = cluster(Ours, edge, theirs, both, policy);
        const entries = () => reportPolicies(effective).flatMap(({ ancestors }) => ancestors.map(written));
        expect(entries()).toEqual(['Gateway shop/edge']);
        effective.takeChanges();
        topology.apply({ upsert: [gateway('west')] });
        expect(effective.takeChanges().policies).toEqual(['timeoutpolicy.example.com:shop/p']);
        expect(entries()).toEqual(['Gateway shop/edge', 'Gateway shop/west']);
      });
    });
  });

  describe('of policies on a route that no parent has taken in', () => {
    const nowhere = {
      outcome: 'not-in-any-path',
      ancestors: [{ ancestorRef: { kind: 'HTTPRoute', name: 'cart' }, outcome: 'not-in-any-path' }],
    };
    const policy = timeouts('p', ['HTTPRoute cart'], { request: 1 });
    const closed = gateway('edge');
    const listeners = [
      { name: 'https', port: 443, protocol: 'HTTPS', allowedRoutes: { kinds: [{ kind: 'GRPCRoute' }] } },
    ];
    const refusing = { ...closed, spec: { listeners } } as typeof closed;

    it.each<[string, KubernetesObject[], string]>([
      ['names none', [edge, route('cart', [])], 'It does not name a parent, and nothing refers to it.'],
      ['names one that is missing', [route('cart', ['edge'])], 'Gateway shop/edge does not exist.'],
      [
        'names one that refuses it',
        [refusing, cart],
        'Gateway shop/edge#https refuses it: the listener does not allow HTTPRoute.gateway.networking.k8s.io.',
      ],
      [
        'names a listener that is missing',
        [edge, route('cart', ['edge#http'])],
        'Gateway shop/edge#http does not exist.',
      ],
    ])('reports that they are in no path, with the reason: the route %s', (_, resources, reason) => {
      const message = `No path leads to HTTPRoute shop/cart. ${reason}`;
      expect(reportOf([...resources, policy])).toMatchObject({ ...nowhere, message });
      const { effective } = cluster(TimeoutPolicy, ...resources, policy);
      expect([...effective, ...effective.uncovered(), ...effective.affected]).toEqual([]);
      expect(effective.reach('timeoutpolicy.example.com:shop/p')).toEqual([]);
    });

    it('reports that they are in no path while a controller refuses the route, whatever the specs allow', () => {
      const { topology, effective } = cluster(TimeoutPolicy, edge, cart, policy);
      const outcomes = ['False', 'True'].map((status) => {
        const conditions = [{ type: 'Accepted', status }];
        const parents = [{ parentRef: { name: 'edge' }, controllerName: 'example.com/c', conditions }];
        topology.apply({ upsert: [{ ...cart, status: { parents } }] });
        return reportPolicies(effective).map(({ outcome }) => outcome);
      });
      expect(outcomes.flat()).toEqual(['not-in-any-path', 'enforced']);
    });

    it('follows the Gateway when it is created and deleted', () => {
      const { topology, effective } = cluster(TimeoutPolicy, cart, policy);
      const outcomes = [[], [edge]].map((upsert) => {
        topology.apply({ upsert });
        return reportPolicies(effective).map(({ outcome }) => outcome);
      });
      expect(outcomes.flat()).toEqual(['not-in-any-path', 'enforced']);
      topology.apply({ remove: [edge] });
      expect(effective.takeChanges().policies).toEqual(['timeoutpolicy.example.com:shop/p']);
      expect(reportOf([cart, policy])).toMatchObject(nowhere);
    });

    it('counts neither the namespace of the route nor its backends as a way to it', () => {
      const kind = timeoutKind('TimeoutPolicy', {
        targets: [Namespace, Service],
        effectiveTargets: [HTTPRoute, Service],
        namespaceLevels: [HTTPRoute],
      });
      const backends = { parentRefs: [{ name: 'edge' }], rules: [{ backendRefs: [{ name: 'api', port: 443 }] }] };
      const resources = [
        { ...cart, spec: backends } as typeof cart,
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
        {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'api', namespace: 'shop' },
          spec: { ports: [{ port: 443 }] },
        },
      ];
      const outcomes = [[], [edge]].map((gateways) =>
        ['Namespace shop', 'Service api'].map(
          (target) => reportOf([...resources, ...gateways, timeouts('p', [target], { request: 1 })], kind).outcome,
        ),
      );
      expect(outcomes).toEqual([
        ['not-in-any-path', 'not-in-any-path'],
        ['enforced', 'enforced'],
      ]);
    });

    it('counts the route as a separate context on demand', () => {
      const topology = createTopology({
        targetKinds: gatewayApi({ needsParent: false }),
        policyKinds: [TimeoutPolicy],
      });
      topology.apply({ upsert: [cart, policy] });
      expect(reportPolicies(effectivePolicies(topology, TimeoutPolicy))).toMatchObject([
        { outcome: 'enforced', message: 'In force in all scopes.' },
      ]);
    });
  });

  it('does not call it a conflict when the policy on a section stays (C-12)', () => {
    const policies = [timeouts('p', ['HTTPRoute cart'], { request: 1 }), timeouts('b', ['HTTPRoute cart#pay'], {})];
    expect(reportOf([...base, ...policies], NonePolicy)).toMatchObject({
      outcome: 'overridden',
      message: 'Overridden in all scopes. shop/b stays: it is more specific (None).',
    });
  });

  it('has an entry for each Gateway above, each with its own outcome (S-11, S-12)', () => {
    const { outcome, ancestors } = reportOf([
      edge,
      gateway('west', ['https'], { namespace: 'infra' }),
      {
        ...cart,
        spec: { parentRefs: [{ name: 'edge' }, { name: 'west', namespace: 'infra' }], rules: [{ name: 'pay' }] },
      },
      timeouts('p', ['HTTPRoute cart'], { request: 1 }),
      timeouts('b', ['Gateway west'], { overrides: { request: 2 } }, { namespace: 'infra' }),
    ]);
    expect(outcome).toBe('partly-enforced');
    expect(ancestors.map((it) => [written(it), it.outcome, it.message])).toEqual([
      ['Gateway infra/west', 'overridden', 'Overridden in all scopes. infra/b replaces it (Patch overrides).'],
      ['Gateway shop/edge', 'enforced', 'In force in all scopes.'],
    ]);
  });

  it.each<[string, readonly string[], string, readonly string[]]>([
    [
      'in force, nothing below',
      ['Gateway edge', 'Gateway idle'],
      'enforced',
      ['edge enforced', 'idle not-in-any-path'],
    ],
    [
      'in force, missing',
      ['Gateway edge', 'Gateway gone'],
      'partly-enforced',
      ['edge enforced', 'gone target-not-found'],
    ],
    [
      'missing, section missing',
      ['Gateway gone', 'Gateway edge#http'],
      'target-not-found',
      ['edge section-not-found', 'gone target-not-found'],
    ],
    ['two of one path', ['Gateway edge', 'HTTPRoute cart'], 'enforced', ['edge enforced']],
    ['two Gateways', ['Gateway edge', 'Gateway west'], 'enforced', ['edge enforced', 'west enforced']],
  ])('puts several targets together: %s', (_, targets, outcome, entries) => {
    const others = [gateway('idle'), gateway('west'), route('menu', ['west'])];
    const report = reportOf([...base, ...others, timeouts('p', targets, { request: 1 })]);
    expect(report.outcome).toBe(outcome);
    expect(report.ancestors.map((it) => `${it.ancestorRef.name} ${it.outcome}`)).toEqual(entries);
  });

  it('has the target as ancestor if no Gateway is above, and the policy itself without a target (X-19)', () => {
    expect(reportOf([route('cart', []), timeouts('p', ['HTTPRoute cart'], {})]).ancestors.map(written)).toEqual([
      'HTTPRoute shop/cart',
    ]);
    expect(reportOf([timeouts('p', ['HTTPRoute cart#pay'], {})]).ancestors.map(written)).toEqual([
      'HTTPRoute cart#pay',
    ]);
    const { outcome, ancestors, message } = reportOf([...base, timeouts('p', [], { request: 1 })]);
    expect(ancestors.map(written)).toEqual(['TimeoutPolicy shop/p']);
    expect({ outcome, message }).toEqual({
      outcome: 'invalid',
      message: '/spec/targetRefs: no target; set spec.targetRefs to a list of 1 to 16 references.',
    });
  });

  it('reports an invalid policy at each of its targets', () => {
    const policy = timeouts('p', ['HTTPRoute cart', 'Gateway gone'], { request: 'long' });
    const { ancestors } = reportOf([...base, policy]);
    expect(ancestors.map((it) => [written(it), it.outcome])).toEqual([
      ['Gateway shop/edge', 'invalid'],
      ['Gateway gone', 'invalid'],
    ]);
  });

  it('does not reveal in a status whether a resource of another namespace exists (T-25)', () => {
    const policy = timeouts('p', ['Gateway infra/secret'], { request: 1 });
    const [absent, present] = [[], [gateway('secret', ['https'], { namespace: 'infra' })]].map((others) => {
      const { outcome, message, ancestors } = reportOf([...base, policy, ...others]);
      return { outcome, message, ancestors };
    });
    expect(absent).toEqual(present);
    expect(absent?.outcome).toBe('reference-not-permitted');
  });

  it('does not reveal sections of another namespace either, nor with an invalid spec (T-25)', () => {
    const policy = timeouts('p', ['Gateway infra/secret#tls'], { request: 'long' });
    const said = [[], [gateway('secret', ['tls'], { namespace: 'infra' })]].map((others) => {
      const { policy: _, ...rest } = reportOf([...base, policy, ...others]);
      return rest;
    });
    expect(said[0]).toEqual(said[1]);
  });

  it('reports policies of cluster-scoped kinds, which name the namespaces of their targets', () => {
    const Cluster = timeoutKind('TimeoutPolicy', { scope: 'Cluster' });
    const policy = timeouts('p', ['Gateway shop/edge'], { request: 1 });
    const { policy: node, outcome, ancestors } = reportOf([...base, policy], Cluster);
    expect([node.locator, outcome, ancestors.map(written)]).toEqual([
      'timeoutpolicy.example.com:p',
      'enforced',
      ['Gateway shop/edge'],
    ]);
  });

  it('counts a policy as enforced if its own override prevails over its own default', () => {
    const Both = timeoutKind('TimeoutPolicy', {
      stanzas: defaultsAndOverrides({ strategies: { patch }, together: 'defaults-and-overrides' }),
    });
    const policy = timeouts('p', ['Gateway edge'], { defaults: { request: 1 }, overrides: { request: 2 } });
    expect(reportOf([...base, policy], Both)).toMatchObject({
      outcome: 'enforced',
      message: 'In force in all scopes.',
    });
  });

  it('reports fields of a policy that are lost to its own override', () => {
    const Both = timeoutKind('TimeoutPolicy', {
      stanzas: defaultsAndOverrides({ strategies: { atomic }, together: 'defaults-and-overrides' }),
    });
    const policy = timeouts('p', ['Gateway edge'], { defaults: { request: 1 }, overrides: { idle: 2 } });
    expect(reportOf([...base, policy], Both)).toMatchObject({
      outcome: 'partly-enforced',
      message: 'In force in part. Its own overrides prevail everywhere (Atomic overrides).',
    });
  });

  it('does not speak of all scopes and of some scopes in one message', () => {
    const missesAll = { compile: () => () => ({ holds: false }) };
    const stanzas = withConditions(defaultsAndOverrides({ strategies: { atomic } }), missesAll);
    const Conditional = timeoutKind('TimeoutPolicy', { stanzas });
    const policy = timeouts('p', ['Gateway edge'], { overrides: { when: 'never', request: 1 } });
    expect(reportOf([...base, policy, timeouts('b', ['HTTPRoute cart'], { request: 3 })], Conditional).message).toBe(
      'Overridden in all scopes. Its condition does not hold.',
    );
  });

  it('names the stanza that another policy takes, where the policy has two', () => {
    const Both = timeoutKind('TimeoutPolicy', {
      stanzas: defaultsAndOverrides({ strategies: { patch }, together: 'defaults-and-overrides' }),
    });
    const policy = timeouts('p', ['Gateway edge'], { defaults: { request: 1 }, overrides: { idle: 2 } });
    expect(reportOf([...base, policy, timeouts('b', ['HTTPRoute cart'], { request: 3 })], Both).message).toBe(
      'In force in part. shop/b replaces its defaults (Patch defaults).',
    );
  });

  it('does not name each target with its own value', () => {
    const Own = timeoutKind('TimeoutPolicy', { ownValue: ({ section }) => ({ request: Number(section?.value.own) }) });
    const routes = ['a', 'b'].map((name) => ({
      ...route(name, ['edge']),
      spec: { parentRefs: [{ name: 'edge' }], rules: [{ name: 'pay', own: 7 }] },
    }));
    expect(reportOf([edge, ...routes, timeouts('p', ['Gateway edge'], { request: 1, idle: 1 })], Own)).toMatchObject({
      outcome: 'partly-enforced',
      message: 'In force in part. Values set by targets prevail at /request (Patch defaults).',
    });
  });

  it('names five others at most, and does not depend on the rest', () => {
    const said = [6, 9].map((count) => {
      const names = Array.from({ length: count }, (_, index) => `r${index}`);
      const routes = names.map((name) => route(name, ['edge']));
      const rivals = names.map((name) => timeouts(name, [`HTTPRoute ${name}`], { idle: 2 }));
      return reportOf([edge, ...routes, ...rivals, timeouts('p', ['Gateway edge'], { idle: 1 })]).message;
    });
    const names = 'shop/r0, shop/r1, shop/r2, shop/r3 and shop/r4';
    expect(said[0]).toBe(`Overridden in all scopes. ${names} replace it (Patch defaults). Others prevail too.`);
    expect(said[0]).toBe(said[1]);
  });

  it('names the first five by name, over all scopes, with all fields where each prevails', () => {
    const names = Array.from({ length: 8 }, (_, index) => `r${index}`);
    const routes = names.map((name) => route(name, ['edge']));
    const rivals = names
      .slice(0, 6)
      .map((name, index) => timeouts(`p${7 - index}`, [`HTTPRoute ${name}`], { idle: 2 }));
    const onRule = timeouts('p1', ['HTTPRoute r6#pay'], { idle: 2 });
    const onBoth = timeouts('p0', ['HTTPRoute r6', 'HTTPRoute r7'], { request: 2, idle: 2 });
    const policy = timeouts('p', ['Gateway edge'], { request: 1, idle: 1, backend: 1 });
    const { message } = reportOf([edge, ...routes, ...rivals, onRule, onBoth, policy]);
    expect(message.match(/shop\/p\d/g)).toEqual([0, 1, 2, 3, 4].map((index) => `shop/p${index}`));
    expect(message).toContain('shop/p0 prevails at /idle, /request ('); // Of one route at /request only.
    expect(message).toMatch(/Others prevail too\.$/);
  });

  it('calls a policy pending where its targets are reached in too many contexts', () => {
    const listeners = ['l0', 'l1', 'l2', 'l3'];
    const rivals = listeners.map((it) => timeouts(it, [`Gateway edge#${it}`], { idle: 2 }));
    const { topology } = cluster(
      TimeoutPolicy,
      gateway('edge', listeners),
      cart,
      ...rivals,
      timeouts('p', ['HTTPRoute cart'], { idle: 1 }),
    );
    const effective = effectivePolicies(topology, TimeoutPolicy, { maxContexts: 3 });
    const report = reportPolicies(effective).find(({ policy }) => policy.resource.metadata.name === 'p');
    expect(report).toMatchObject({
      outcome: 'pending',
      message: 'Not computed: too many combinations of policies apply to HTTPRoute shop/cart#pay.',
      ancestors: [{ ancestorRef: { kind: 'Gateway', name: 'edge' }, outcome: 'pending' }],
    });
  });

  it('calls a policy pending on a target with more policies than count', () => {
    const { topology } = cluster(
      TimeoutPolicy,
      edge,
      cart,
      timeouts('a', ['Gateway edge'], { idle: 1 }, { seconds: -9 }),
      timeouts('p', ['Gateway edge', 'HTTPRoute cart'], { request: 1 }),
    );
    const effective = effectivePolicies(topology, TimeoutPolicy, { maxPolicies: 1 });
    const report = reportPolicies(effective).find(({ policy }) => policy.resource.metadata.name === 'p');
    expect(report).toMatchObject({
      outcome: 'partly-enforced',
      message: expect.stringContaining(
        'Not computed: Gateway shop/edge has too many policies, or its policies set too many fields; remove policies or fields.',
      ),
      ancestors: [{ ancestorRef: { kind: 'Gateway', name: 'edge' }, outcome: 'partly-enforced' }],
    });
  });

  it('reports a policy that counts for traffic from its own namespace only for that traffic (T-11)', () => {
    const kind = timeoutKind('TimeoutPolicy', { crossNamespace: 'consumer' });
    const consumer = timeouts('p', ['Gateway edge'], { request: 1 }, { namespace: 'clients' });
    const targetRefs = [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', namespace: 'shop', name: 'edge' }];
    const { effective } = cluster(kind, gateway('edge'), route('cart', ['edge']), {
      ...consumer,
      spec: { targetRefs, request: 1 },
    });
    expect(reportPolicies(effective).map(({ outcome }) => outcome)).toEqual(['enforced']);
    const [rule] = effective.targets;
    expect(effective.of(rule ?? '')).toEqual([]);
    expect(
      effective
        .forTrafficFrom('clients')
        .of(rule ?? '')
        .map(({ spec }) => spec),
    ).toEqual([{ request: 1 }]);
  });

  it('is silent of targets that others manage, even of an invalid policy (T-22)', () => {
    const kind = timeoutKind('TimeoutPolicy', { manages: () => false });
    for (const spec of [{ request: 1 }, { request: 'no number' }]) {
      const { effective } = cluster(kind, gateway('edge'), timeouts('p', ['Gateway edge'], spec));
      expect(reportPolicies(effective).map(({ ancestors }) => ancestors)).toEqual([[]]);
    }
  });

  describe('of policies that rules name in an ExtensionRef', () => {
    const Extension = timeoutKind('TimeoutPolicy', { extensionRefs: true });
    const { metadata, spec: _, ...rest } = timeouts('p', [], {});
    const untargeted = { ...rest, metadata, spec: { request: 1 } };
    const extensionRef = { group: 'example.com', kind: 'TimeoutPolicy', name: 'p' };
    const rules = [{ name: 'pay', filters: [{ type: 'ExtensionRef', extensionRef }] }];
    const naming = { ...cart, spec: { parentRefs: [{ name: 'edge' }], rules } };

    it('has their outcomes there', () => {
      const { outcome, ancestors } = reportOf([edge, naming, untargeted], Extension);
      expect([outcome, ...ancestors.map(written)]).toEqual(['enforced', 'Gateway shop/edge']);
    });

    it('reports that no target names the policy', () => {
      const { outcome, message, ancestors } = reportOf([edge, cart, untargeted], Extension);
      expect([outcome, message, ...ancestors.map(written)]).toEqual([
        'not-in-any-path',
        'No target references this policy.',
        'TimeoutPolicy shop/p',
      ]);
    });

    it('reports malformed targetRefs even if a rule names the policy', () => {
      const policy = { ...untargeted, spec: { targetRefs: 'edge', request: 1 } };
      const { outcome, ancestors } = reportOf([edge, naming, policy], Extension);
      expect([outcome, ...ancestors.map((it) => `${written(it)} ${it.outcome}`)]).toEqual([
        'partly-enforced',
        'TimeoutPolicy shop/p invalid',
        'Gateway shop/edge enforced',
      ]);
    });
  });

  it('can be limited to some policies, which are sorted by locator', () => {
    const policies = ['c', 'a', 'b'].map((name) => timeouts(name, ['Gateway edge'], { request: 1 }));
    const { effective } = cluster(TimeoutPolicy, edge, cart, ...policies);
    const names = (only?: ReadonlySet<string>) =>
      reportPolicies(effective, { policies: only }).map(({ policy }) => policy.resource.metadata.name);
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(names(new Set(['timeoutpolicy.example.com:shop/b']))).toEqual(['b']);
  });
});
