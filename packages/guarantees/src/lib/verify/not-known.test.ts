import { effectivePolicies } from '@policy-machinery/effective-policy';
import { Gateway, gatewayApi, HTTPRoute, Service } from '@policy-machinery/gateway-api';
import { patch } from '@policy-machinery/merge';
import { bareSpec, definePolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology, defineTargetKind, type Targetable } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addedVerdicts, formatHidden, type Guarantee, verifiedKind, verify } from '../../index.ts';

const kindOf = (kind: string, targets: readonly Targetable[], effectiveTargets: readonly Targetable[]) =>
  definePolicyKind({
    group: 'example.com',
    version: 'v1',
    kind,
    targets,
    effectiveTargets,
    crossNamespace: 'granted',
    targetSelectors: true,
    refuses,
    spec: z.object({ level: z.number() }).partial(),
    stanzas: bareSpec({ strategies: { patch } }),
  });
/** Of targets with the label `open`, it is not known whether policies have an effect there. */
const refuses = ({ metadata: { labels } }: KubernetesObject) =>
  labels?.open === undefined ? undefined : { undecided: 'which is open' };
const AuthPolicy = kindOf('AuthPolicy', [Gateway, HTTPRoute], [HTTPRoute.sections.rule]);
const TLSPolicy = kindOf('TLSPolicy', [Service], [Service.sections.port]);

const routing = 'gateway.networking.k8s.io/v1';
const object = (
  apiVersion: string,
  kind: string,
  name: string,
  spec: object,
  namespace = 'shop',
): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
  spec,
});
const http = (more: object = {}) => ({ name: 'http', port: 80, protocol: 'HTTP', ...more });
const edge = object(routing, 'Gateway', 'edge', { listeners: [http()] });
const route = (name: string, parents: readonly object[], backends: readonly object[] = [], labels = {}) => {
  const made = object(routing, 'HTTPRoute', name, { parentRefs: parents, rules: [{ backendRefs: backends }] });
  return { ...made, metadata: { ...made.metadata, labels } };
};
const service = (name: string, namespace?: string) =>
  object('v1', 'Service', name, { ports: [{ port: 80 }] }, namespace);
const on = (kind: string, target: string, name = 'p') => {
  const [targetKind, targetName] = target.split(' ');
  const group = targetKind === 'Service' ? '' : 'gateway.networking.k8s.io';
  return object('example.com/v1', kind, name, {
    targetRefs: [{ group, kind: targetKind, name: targetName }],
    level: 1,
  });
};

const policyKinds = [AuthPolicy, TLSPolicy];
const stateOf = (resources: readonly KubernetesObject[], isWhole: boolean) => {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds, isComplete: () => isWhole });
  topology.apply({ upsert: resources });
  return { topology, kinds: policyKinds.map((kind) => verifiedKind(effectivePolicies(topology, kind))) };
};

/** Returns the answers about a topology that is given everything, and about one that is given a part, with what is not known. */
function answers(resources: readonly KubernetesObject[], guarantee: Omit<Guarantee, 'name'>) {
  const [whole, part] = [true, false].map((isWhole) => {
    const [verdict] = verify(stateOf(resources, isWhole), [{ name: 'g', ...guarantee }]);
    if (verdict === undefined) throw new Error('no verdict');
    return { answer: verdict.answer, hidden: formatHidden(verdict) };
  });
  return { whole: whole?.answer, part: part?.answer, hidden: part?.hidden };
}

const authenticated = { holds: 'has(policies.AuthPolicy)' };
const toEdge = { name: 'edge' };
const sound = [edge, on('AuthPolicy', 'Gateway edge')];

describe('a guarantee about requests that may meet a policy', () => {
  const open = route('cart', [toEdge], [], { open: 'yes' });
  const onCart = on('AuthPolicy', 'HTTPRoute cart');

  it('is undecided, whether or not everything is given', () => {
    const hidden = ['AuthPolicy shop/p targets HTTPRoute shop/cart, which is open'];
    for (const holds of [authenticated.holds, '!has(policies.AuthPolicy)']) {
      expect(answers([edge, open, onCart], { holds })).toEqual({ whole: 'undecided', part: 'undecided', hidden });
    }
  });

  it('is broken if other requests break it', () => {
    const pay = route('pay', [toEdge]);
    const ofPay = { ...pay, spec: { ...Object(pay.spec), hostnames: ['pay.example'] } };
    expect(answers([edge, open, onCart, ofPay], authenticated)).toMatchObject({ whole: 'broken', part: 'broken' });
  });
});

describe('a guarantee about a topology that is given a part of the resources', () => {
  it('holds if everything is given that its requests depend on', () => {
    const resources = [...sound, route('cart', [toEdge], [{ name: 'cart', port: 80 }]), service('cart')];
    expect(answers(resources, authenticated)).toEqual({ whole: 'holds', part: 'holds', hidden: [] });
  });

  it.each<[string, readonly KubernetesObject[], string]>([
    [
      'a Gateway of a route',
      [route('cart', [toEdge, { name: 'other' }])],
      'HTTPRoute shop/cart refers to Gateway shop/other, which is not in this input',
    ],
    [
      'a target of a policy that it reads',
      [route('cart', [toEdge]), on('AuthPolicy', 'HTTPRoute track', 'q')],
      'AuthPolicy shop/q targets HTTPRoute shop/track, which is not in this input',
    ],
    [
      'the labels of a namespace',
      [
        object(routing, 'Gateway', 'closed', {
          listeners: [
            http({ allowedRoutes: { namespaces: { from: 'Selector', selector: { matchLabels: { a: 'b' } } } } }),
          ],
        }),
        route('cart', [toEdge, { name: 'closed' }]),
      ],
      'HTTPRoute shop/cart refers to Gateway shop/closed#http, and the labels of namespace "shop" are not known in this input',
    ],
  ])('is undecided without %s', (_, resources, hidden) => {
    expect(answers([...sound, ...resources], authenticated)).toEqual({
      whole: 'holds',
      part: 'undecided',
      hidden: [hidden],
    });
  });

  it.each([
    ['selects a route in another namespace, where a ReferenceGrant may be', { app: 'cart' }, 'undecided'],
    ['selects labels that no route has', { app: 'track' }, 'broken'],
  ])('is %3$s if a policy of another namespace %s', (_, matchLabels, part) => {
    const selector = {
      group: 'gateway.networking.k8s.io',
      kind: 'HTTPRoute',
      matchLabels,
      namespaces: { from: 'All' },
    };
    const policy = object('example.com/v1', 'AuthPolicy', 'q', { targetSelectors: [selector], level: 1 }, 'abroad');
    const cart = route('cart', [toEdge], [], { app: 'cart' });
    expect(answers([edge, cart, policy], authenticated)).toMatchObject({ whole: 'broken', part });
  });

  it('is undecided without any Gateway, rather than true of no requests', () => {
    expect(answers([route('cart', [toEdge])], authenticated)).toMatchObject({ whole: 'holds', part: 'undecided' });
  });

  const missing = route('cart', [toEdge], [{ name: 'cart', port: 80 }]);
  const ungranted = route('cart', [toEdge], [{ name: 'cart', namespace: 'abroad', port: 80 }]);

  it.each<[string, string, Omit<Guarantee, 'name'>]>([
    ['reads backends', 'holds', { holds: 'backend.exists || true' }],
    ['reads backends', 'broken', { holds: 'backend.exists' }],
    ['selects backends', 'holds', { requests: { backends: { names: ['cart'] } }, holds: 'false' }],
    ['excepts backends', 'holds', { except: [{ backends: { names: ['cart'] } }], ...authenticated }],
    ['reads policies on backends', 'broken', { holds: 'has(policies.TLSPolicy)' }],
    ['reads policies on backends', 'holds', { holds: '!has(policies.TLSPolicy)' }],
  ])('that %s is undecided without a backend, or a grant for it, otherwise %s', (_, whole, guarantee) => {
    expect(answers([...sound, missing], guarantee)).toEqual({
      whole,
      part: 'undecided',
      hidden: ['HTTPRoute shop/cart#rule-1 refers to Service shop/cart, which is not in this input'],
    });
    expect(answers([...sound, ungranted, service('cart', 'abroad')], guarantee)).toEqual({
      whole,
      part: 'undecided',
      hidden: [
        'HTTPRoute shop/cart#rule-1 refers to Service abroad/cart, and no ReferenceGrant in namespace abroad permits it in this input',
      ],
    });
  });

  it.each<[string, 'holds' | 'undecided', Omit<Guarantee, 'name'>]>([
    ['is undecided about the missing one', 'undecided', { requests: { backends: { names: ['gone'] } }, holds: 'true' }],
    ['is undecided about both', 'undecided', { requests: { backends: { names: ['cart', 'gone'] } }, holds: 'true' }],
    ['is undecided about labels', 'undecided', { requests: { backends: { labels: {} } }, holds: 'true' }],
    ['is decided about the other one', 'holds', { requests: { backends: { names: ['cart'] } }, ...authenticated }],
    [
      'is decided about the other one, with its policies',
      'holds',
      { requests: { backends: { names: ['cart'] } }, holds: 'backend.name == "cart" && !has(policies.TLSPolicy)' },
    ],
    ['is decided about namespaces', 'holds', { requests: { backends: { namespaces: ['pay'] } }, holds: 'false' }],
    ['is decided except others', 'holds', { except: [{ backends: { names: ['cart'] } }], ...authenticated }],
    ['is undecided except it', 'undecided', { except: [{ backends: { names: ['gone'] } }], ...authenticated }],
  ])('that names a backend beside a missing one %s', (_, part, guarantee) => {
    const backends = ['cart', 'gone'].map((name) => ({ name, port: 80 }));
    const hidden =
      part === 'holds' ? [] : ['HTTPRoute shop/cart#rule-1 refers to Service shop/gone, which is not in this input'];
    const resources = [...sound, route('cart', [toEdge], backends), service('cart')];
    expect(answers(resources, guarantee)).toMatchObject({ part, hidden });
  });

  it('does not depend on backends if it says nothing about them', () => {
    expect(answers([...sound, missing], authenticated)).toMatchObject({ part: 'holds' });
  });

  it('is broken by a request to a rule that has another backend, too', () => {
    const both = route(
      'cart',
      [toEdge],
      [
        { name: 'cart', port: 80 },
        { name: 'gone', port: 80 },
      ],
    );
    const guarantee = { holds: 'backend.name != "cart"' };
    expect(answers([...sound, both, service('cart')], guarantee)).toMatchObject({ part: 'broken' });
  });

  it.each<[string, NonNullable<Guarantee['requests']>]>([
    ['other routes', { routes: { labels: { matchLabels: { team: 'a' } } } }],
    ['other Gateways', { gateways: { names: ['edge'] } }],
  ])('that is about %s does not depend on a missing Gateway', (_, requests) => {
    const routes = [route('cart', [{ name: 'other' }]), route('track', [toEdge], [], { team: 'a' })];
    expect(answers([...sound, ...routes], { ...authenticated, requests })).toMatchObject({ part: 'holds' });
    expect(answers([...sound, ...routes], authenticated)).toMatchObject({ part: 'undecided' });
  });

  const labels = { matchLabels: { tier: 'public' } };
  const shop = (tier: string): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', labels: { tier } },
  });

  const unlabelled = { matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] } as const;
  const cart = [route('cart', [toEdge], [{ name: 'cart', port: 80 }]), service('cart')];

  it.each<[string, Omit<Guarantee, 'name'>]>([
    ['selects Gateways', { requests: { gateways: { namespaceLabels: labels } }, holds: 'false' }],
    ['selects Gateways without a label', { requests: { gateways: { namespaceLabels: unlabelled } }, holds: 'false' }],
    ['selects routes', { requests: { routes: { namespaceLabels: labels } }, holds: 'false' }],
    ['selects routes without a label', { requests: { routes: { namespaceLabels: unlabelled } }, holds: 'false' }],
    ['selects backends without a label', { requests: { backends: { namespaceLabels: unlabelled } }, holds: 'false' }],
    ['excepts routes', { except: [{ routes: { namespaceLabels: labels } }], ...authenticated }],
    ['excepts all routes that break it', { except: [{ routes: { namespaceLabels: labels } }], holds: 'false' }],
    ['selects requests', { requests: { where: '!("tier" in route.namespaceLabels)' }, holds: 'false' }],
    ['reads them', { holds: '!("tier" in route.namespaceLabels)' }],
    ['requires them', { holds: '"tier" in route.namespaceLabels' }],
    ['requires one of a value', { holds: 'backend.namespaceLabels["tier"] == "public"' }],
    ['reads all of a route', { holds: 'size(route) == 0' }],
  ])('that %s by the labels of namespaces is undecided without the Namespace', (_, guarantee) => {
    const { part, hidden } = answers([...sound, ...cart], guarantee);
    expect({ part, hidden }).toEqual({
      part: 'undecided',
      hidden: ['the labels of namespace shop are not in this input'],
    });
    expect(answers([...sound, ...cart, shop('public')], guarantee).hidden).not.toEqual(hidden);
  });

  it('knows the name among the labels of a Namespace, whether it is given or not', () => {
    const name = 'kubernetes.io/metadata.name';
    const selecting = (value: string) => ({
      requests: { routes: { namespaceLabels: { matchLabels: { [name]: value } } } },
      holds: 'false',
    });
    for (const more of [[], [shop('public')]]) {
      const resources = [...sound, ...cart, ...more];
      expect(answers(resources, selecting('shop'))).toMatchObject({ whole: 'broken', part: 'broken' });
      expect(answers(resources, selecting('pay'))).toMatchObject({ whole: 'holds', part: 'holds' });
      const holds = `route.namespaceLabels["${name}"] == "shop"`;
      expect(answers(resources, { holds })).toMatchObject({ whole: 'holds', part: 'holds' });
    }
  });

  it('is broken by other requests if the labels of one namespace are not known', () => {
    const abroad = route('pay', [{ ...toEdge, namespace: 'shop' }]);
    const all = object(routing, 'Gateway', 'edge', {
      listeners: [http({ allowedRoutes: { namespaces: { from: 'All' } } })],
    });
    const pay = { ...abroad, metadata: { ...abroad.metadata, namespace: 'pay' } };
    const requires = { holds: 'route.namespaceLabels["tier"] == "public"' };
    const ofCart = { ...route('cart', [toEdge]), spec: { ...Object(abroad.spec), hostnames: ['cart.example'] } };
    expect(answers([all, pay, ofCart, shop('private')], requires)).toMatchObject({ part: 'broken' });
    expect(answers([all, pay, ofCart, shop('public')], requires)).toMatchObject({ part: 'undecided' });
  });

  it.each<[string, Omit<Guarantee, 'name'>]>([
    ['reads its namespace', { holds: 'route.namespace != "pay"' }],
    ['requires a namespace', { holds: 'route.namespace == "pay"' }],
    ['selects a namespace', { requests: { routes: { namespaces: ['pay'] } }, holds: 'false' }],
    ['excepts a namespace', { except: [{ routes: { namespaces: ['pay'] } }], holds: 'false' }],
    ['reads the labels of its namespace', { holds: '!("tier" in route.namespaceLabels)' }],
  ])('that %s is undecided about a route that does not name it', (_, guarantee) => {
    const unnamed = { ...route('cart', [toEdge]), metadata: { name: 'cart' } };
    const all = { ...edge, metadata: { name: 'edge', namespace: 'default' } };
    const hidden = ['HTTPRoute default/cart does not name its namespace'];
    expect(answers([all, unnamed], guarantee)).toMatchObject({ whole: 'undecided', part: 'undecided', hidden });
    expect(answers([all, unnamed], { holds: 'false' })).toMatchObject({ part: 'broken', hidden: [] });
  });

  it.each<[string, 'holds' | 'undecided', Omit<Guarantee, 'name'>]>([
    ['other Gateways', 'holds', { requests: { gateways: { names: ['inner'] } }, holds: 'route.namespace == "shop"' }],
    ['other routes', 'holds', { requests: { routes: { names: ['pay'], namespaces: ['shop'] } }, holds: 'true' }],
    [
      'other Gateways, by names of backends',
      'holds',
      { requests: { gateways: { names: ['inner'] } }, holds: 'backend.namespace == "shop"' },
    ],
    [
      'its Gateway',
      'undecided',
      { requests: { gateways: { names: ['edge'] } }, holds: 'route.namespace == "default"' },
    ],
    [
      'its Gateway, by backends',
      'undecided',
      { requests: { gateways: { names: ['edge'] } }, holds: 'backend.namespace != "a"' },
    ],
    [
      'its name elsewhere',
      'undecided',
      { requests: { routes: { names: ['cart'], namespaces: ['a'] } }, holds: 'false' },
    ],
    [
      'other requests to its Gateway',
      'undecided',
      {
        requests: { gateways: { names: ['inner'] } },
        other: { gateways: { names: ['edge'] } },
        holds: 'other.route.namespace != "a"',
      },
    ],
  ])('that is about %s %s beside a route and a backend that do not name their namespaces', (_, part, guarantee) => {
    const unnamed = (it: KubernetesObject) => ({ ...it, metadata: { name: it.metadata.name } });
    const all = { listeners: [http({ allowedRoutes: { namespaces: { from: 'All' } } })] };
    const backends = [{ name: 'cart', port: 80 }];
    const resources = [
      ...['edge', 'inner'].map((name) => object(routing, 'Gateway', name, all, 'infra')),
      unnamed(route('cart', [{ name: 'edge', namespace: 'infra' }], backends)),
      unnamed(service('cart')),
      route('pay', [{ name: 'inner', namespace: 'infra' }], backends),
      service('cart'),
    ];
    expect(answers(resources, guarantee)).toMatchObject({ part });
  });

  it('that selects a Gateway by namespace is undecided about a route that may be in that namespace', () => {
    const unnamed = { ...route('cart', [toEdge]), metadata: { name: 'cart' } };
    const guarantee = {
      requests: { gateways: { namespaces: ['shop'] }, routes: { namespaces: ['shop'] } },
      holds: 'false',
    };
    expect(answers([edge, unnamed], guarantee)).toMatchObject({ part: 'undecided' });
  });

  it('that reads the namespaces of policies is undecided about a policy that does not name its own', () => {
    const unnamed = { ...on('AuthPolicy', 'Gateway edge'), metadata: { name: 'p' } };
    const local = { metadata: { name: 'edge', namespace: 'default' } };
    const resources = [{ ...edge, ...local }, { ...route('cart', [toEdge]), ...local }, unnamed];
    for (const operator of ['==', '!=']) {
      const holds = `policies.AuthPolicy.origins.all(o, o.namespace ${operator} "infra")`;
      const hidden = ['AuthPolicy default/p does not name its namespace'];
      expect(answers(resources, { holds })).toMatchObject({ part: 'undecided', hidden });
      const about = { about: 'policies', holds: `policy.namespace ${operator} "infra"` } as const;
      expect(answers(resources, about)).toMatchObject({ whole: 'undecided', part: 'undecided', hidden });
    }
    const missing = { ...on('AuthPolicy', 'HTTPRoute gone'), metadata: { name: 'q' } };
    const holds = 'policies.AuthPolicy.origins.all(o, o.namespace != "infra")';
    expect(answers([...resources, missing], { holds }).hidden).toEqual([
      'AuthPolicy default/p does not name its namespace',
      'AuthPolicy default/q does not name its namespace',
      expect.stringContaining('AuthPolicy default/q targets HTTPRoute default/gone'),
    ]);
    expect(answers(resources, authenticated)).toMatchObject({ part: 'holds' });
  });

  it.each<[string, 'holds' | 'broken' | 'undecided']>([
    ['policy.name == "p" || policy.namespace == "infra"', 'holds'],
    ['policy.name == "q" && policy.namespace == "infra"', 'broken'],
    ['policy.name == "q" || policy.namespace != "infra"', 'undecided'],
    ['policy.name == "q" || !has(policy.namespace)', 'undecided'],
    ['[policy].all(p, !has(p.namespace) || p.namespace != "infra")', 'undecided'],
  ])('about policies that do not name their namespace, with %s, %s', (holds, part) => {
    const unnamed = { ...on('AuthPolicy', 'Gateway edge'), metadata: { name: 'p' } };
    expect(answers([edge, unnamed], { about: 'policies', holds })).toMatchObject({ part });
  });

  it('about policies names five that do not name their namespaces, and how many there are besides', () => {
    const unnamed = Array.from({ length: 8 }, (_, index) => ({
      ...on('AuthPolicy', 'Gateway edge'),
      metadata: { name: `p${index}` },
    }));
    const { hidden } = answers([edge, ...unnamed], { about: 'policies', holds: 'policy.namespace != "infra"' });
    expect(hidden).toHaveLength(6);
    expect(hidden?.at(-1)).toBe('3 more policies do not name their namespaces');
  });

  it.each<[string, readonly KubernetesObject[], Omit<Guarantee, 'name'>]>([
    ['any Gateway', [on('AuthPolicy', 'HTTPRoute cart')], authenticated],
    ['the Gateway that it names', sound, { requests: { gateways: { names: ['other'] } }, holds: 'false' }],
  ])('about no requests is undecided without %s', (_, resources, guarantee) => {
    const { whole, part, hidden } = answers(resources, guarantee);
    expect({ whole, part }).toEqual({ whole: 'holds', part: 'undecided' });
    expect(hidden).toContain('no Gateway that the guarantee is about is in this input');
  });

  it('about policies is undecided if it counts requests that are not known', () => {
    const resources = [edge, route('cart', [{ name: 'other' }]), on('AuthPolicy', 'HTTPRoute cart')];
    const used: Omit<Guarantee, 'name'> = { about: 'policies', holds: 'policy.requests > 0' };
    expect(answers(resources, used)).toMatchObject({ whole: 'broken', part: 'undecided' });
    expect(answers(resources, { ...used, holds: 'policy.name != "p"' })).toMatchObject({ part: 'broken' });
    expect(answers(resources, { ...used, holds: 'policy.name == "p"' })).toMatchObject({ part: 'holds' });
  });

  it('names five things that are not known, and how many there are besides', () => {
    const routes = Array.from({ length: 8 }, (_, index) => route(`r${index}`, [{ name: 'other' }]));
    const { hidden } = answers([...sound, ...routes], authenticated);
    expect(hidden).toHaveLength(6);
    expect(hidden?.at(-1)).toBe('3 more references and policies depend on objects that are not in this input');
  });
});

describe('a guarantee about a topology with objects that controllers create', () => {
  const { group } = HTTPRoute;
  const up = { direction: 'up', to: { group, kind: 'Gateway', name: 'edge' }, pointer: '/spec' } as const;
  const ChatRoute = defineTargetKind({
    group: 'example.com',
    kind: 'ChatRoute',
    references: () => [up],
    creates: ({ metadata: { name } }) => [{ group, kind: 'HTTPRoute', name, pathPrefix: '/chat' }],
  });
  const VoiceRoute = defineTargetKind({
    group: 'example.com',
    kind: 'VoiceRoute',
    references: () => [up],
    isOpaque: true,
  });
  const Login = defineTargetKind({
    group: 'example.com',
    kind: 'Login',
    creates: ({ metadata: { name } }) => [{ group: 'example.com', kind: 'AuthPolicy', name }],
  });
  const answerOn = (resource: KubernetesObject, more: Partial<Guarantee> = {}) => {
    const targetKinds = [...gatewayApi(), ChatRoute, VoiceRoute, Login];
    const topology = createTopology({ targetKinds, policyKinds: [AuthPolicy, TLSPolicy] });
    topology.apply({ upsert: [...sound, route('cart', [toEdge]), resource] });
    const kinds = [AuthPolicy, TLSPolicy].map((kind) => verifiedKind(effectivePolicies(topology, kind)));
    const [verdict] = verify({ topology, kinds }, [{ name: 'g', ...authenticated, ...more }]);
    return verdict === undefined ? [] : [verdict.answer, ...formatHidden(verdict)];
  };
  const chat = object('example.com/v1', 'ChatRoute', 'chat', {});
  const created = 'HTTPRoute shop/chat, which a controller creates for ChatRoute shop/chat, is not in this input';

  it('is undecided about requests that a created route may take, with its creator', () => {
    expect(answerOn(chat)).toEqual(['undecided', created]);
  });

  it('is undecided about requests that a route of an unknown kind may take', () => {
    const voice = object('example.com/v1', 'VoiceRoute', 'v', {});
    expect(answerOn(voice)).toEqual(['undecided', 'the effect of VoiceRoute shop/v on requests is not known']);
  });

  it('is undecided if it reads policies that are created', () => {
    const login = object('example.com/v1', 'Login', 'l', {});
    const hidden = 'AuthPolicy shop/l, which a controller creates for Login shop/l, is not in this input';
    expect(answerOn(login)).toEqual(['undecided', hidden]);
    expect(answerOn(login, { holds: '!has(policies.TLSPolicy)' })).toEqual(['holds']);
  });

  it.each<[string, Partial<Guarantee>]>([
    ['other Gateways', { requests: { gateways: { names: ['other'] } } }],
    ['other routes', { requests: { routes: { names: ['cart'] } } }],
    ['other paths', { requests: { paths: [{ value: '/cart' }] } }],
    ['all but these paths', { except: [{ paths: [{ value: '/chat' }] }] }],
  ])('holds if it is about %s', (_, more) => {
    expect(answerOn(chat, more)).toEqual(['holds']);
  });

  it.each<[string, Partial<Guarantee>]>([
    ['some of these paths', { requests: { paths: [{ value: '/chat/room' }] } }],
    ['all but some of these paths', { except: [{ paths: [{ value: '/chat/room' }] }] }],
    ['all but some methods of these paths', { except: [{ paths: [{ value: '/chat' }], methods: ['GET'] }] }],
  ])('is undecided if it is about %s', (_, more) => {
    expect(answerOn(chat, more)[0]).toBe('undecided');
  });
});

describe('a guarantee that reads the state before a change', () => {
  const all = [...sound, route('cart', [toEdge], [{ name: 'cart', port: 80 }]), service('cart')];
  const shop: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', labels: { a: 'b' } },
  };
  const unlabelled = 'the labels of namespace shop are not in this input';
  const other = route('cart', [toEdge, { name: 'other' }]);

  it.each<[string, readonly KubernetesObject[], readonly KubernetesObject[], string, readonly string[]]>([
    ['labels', all, [...all, shop], '!("a" in before.route.namespaceLabels)', [`before the change, ${unlabelled}`]],
    ['labels', all, [...all, shop], '"a" in before.route.namespaceLabels', [`before the change, ${unlabelled}`]],
    ['labels on both sides', all, all, '!("a" in before.route.namespaceLabels)', [unlabelled]],
    [
      'a Gateway',
      [...sound, other],
      all,
      'before.taken',
      ['before the change, HTTPRoute shop/cart refers to Gateway shop/other, which is not in this input'],
    ],
    [
      'a backend',
      all.slice(0, -1),
      all,
      '!before.taken || !before.backend.exists',
      ['before the change, HTTPRoute shop/cart#rule-1 refers to Service shop/cart, which is not in this input'],
    ],
    [
      'a target of a policy',
      [...all, on('AuthPolicy', 'HTTPRoute gone', 'q')],
      all,
      'has(before.policies.AuthPolicy)',
      ['before the change, AuthPolicy shop/q targets HTTPRoute shop/gone, which is not in this input'],
    ],
  ])('is undecided without %s there', (_, earlier, later, holds, hidden) => {
    const guarantees = [{ name: 'g', holds }];
    const [before, after] = [stateOf(earlier, false), stateOf(later, false)];
    const verdicts = verify({ ...after, before }, guarantees);
    const added = addedVerdicts(verify({ ...before, before }, guarantees), verdicts);
    for (const [verdict] of [verdicts, added]) {
      expect(verdict?.answer).toBe('undecided');
      expect(verdict === undefined ? [] : formatHidden(verdict)).toEqual(hidden);
    }
  });

  it('does not depend on unknown facts before the change that it does not read', () => {
    const [before, after] = [stateOf(all, false), stateOf([...all, shop], false)];
    const guarantees = [
      { name: 'after', holds: '"a" in route.namespaceLabels' },
      { name: 'before', holds: 'before.taken && before.route.name == "cart"' },
    ];
    expect(verify({ ...after, before }, guarantees).map(({ answer }) => answer)).toEqual(['holds', 'holds']);
  });
});
