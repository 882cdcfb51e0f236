import {
  type Condition,
  envoyGatewayVocabulary,
  gep713RewriteVocabulary,
  gep713Vocabulary,
  kgatewayVocabulary,
  kuadrantVocabulary,
  nginxGatewayFabricVocabulary,
  type PolicyAncestorStatus,
  type Vocabulary,
} from '@policy-machinery/conditions';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi, Namespace, Service } from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  carryOut,
  cluster,
  gateway,
  parentRef,
  resourceIn,
  route,
  TimeoutPolicy,
  Tunnel,
  timeoutKind,
  timeouts,
  tunnel,
} from '../cluster.fixture.ts';
import type { PlanStatusOptions } from './plan-options.ts';
import { planStatus } from './plan-status.ts';
import type { StatusPlan } from './status-plan.ts';

const controllerName = 'example.com/gateways';
const now = new Date('2026-01-02T03:04:05Z');
const options: PlanStatusOptions = { controllerName, affected: 'all', now };
const type = 'example.com/TimeoutPolicyAffected';
const id = {
  edge: 'gateway.gateway.networking.k8s.io:shop/edge',
  cart: 'httproute.gateway.networking.k8s.io:shop/cart',
  p: 'timeoutpolicy.example.com:shop/p',
};

function planFor(resources: readonly KubernetesObject[], more: Partial<PlanStatusOptions> = {}, kind = TimeoutPolicy) {
  const { topology, effective } = cluster(kind, ...resources);
  const plan = planStatus(effective, { ...options, ...more });
  return { topology, effective, plan };
}

/** The status of a resource after the plan has been carried out. */
function statusAfter<Status>(resources: readonly KubernetesObject[], locator: string, more = {}, kind = TimeoutPolicy) {
  const { topology, plan } = planFor(resources, more, kind);
  carryOut(topology, plan.writes);
  return resourceIn(topology, locator).status as Status;
}

const writeTo = (plan: StatusPlan, locator: string) => plan.writes.find((write) => write.locator === locator);
const short = (conditions: readonly Condition[] = []) =>
  conditions.map((it) => `${it.type}=${it.status}/${it.reason}: ${it.message}`);
const affectedBy = (names: string) => `${type}=True/PolicyAffected: Affected by ${names}.`;

/** A condition of another controller. */
const foreign: Condition = {
  type: 'Programmed',
  status: 'True',
  observedGeneration: 1,
  lastTransitionTime: '2025-01-01T00:00:00Z',
  reason: 'Programmed',
  message: '',
};
const stale = { ...foreign, type, reason: 'PolicyAffected', message: 'Affected by shop/gone.' };

const edge = gateway('edge');
const cart = route('cart', ['edge']);
const onEdge = timeouts('p', ['Gateway edge'], { request: 1 });

describe('planStatus (S-01, S-07)', () => {
  describe('of a policy', () => {
    it('writes an entry for each ancestor, as a JSON Patch and as the body of a server-side apply', () => {
      const { plan } = planFor([edge, cart, onEdge]);
      const told = { observedGeneration: 1, lastTransitionTime: '2026-01-02T03:04:05Z' };
      const [valid, message] = ['The policy is valid.', 'In force in all scopes.'];
      const status = {
        ancestors: [
          {
            ancestorRef: { group: 'gateway.networking.k8s.io', kind: 'Gateway', namespace: 'shop', name: 'edge' },
            controllerName,
            conditions: [
              { type: 'Accepted', status: 'True', reason: 'Accepted', message: valid, ...told },
              { type: 'Programmed', status: 'True', reason: 'Programmed', message, ...told },
            ],
          },
        ],
      };
      expect(writeTo(plan, id.p)).toEqual({
        result: {
          ...writeTo(plan, id.p)?.result,
          status: { ancestors: [expect.objectContaining({ controllerName })] },
        },
        ref: { group: 'example.com', kind: 'TimeoutPolicy', namespace: 'shop', name: 'p' },
        locator: id.p,
        subresource: 'status',
        patch: [
          { op: 'replace', path: '/metadata/resourceVersion', value: '1' },
          { op: 'add', path: '/status', value: status },
        ],
        apply: {
          apiVersion: 'example.com/v1',
          kind: 'TimeoutPolicy',
          metadata: { name: 'p', namespace: 'shop', resourceVersion: '1' },
          status,
        },
        urgency: 'outcome',
      });
      expect(plan.refused).toEqual([]);
    });

    it('keeps entries of other controllers where they are, and removes its own that no longer hold (S-13, S-14)', () => {
      const entry = (name: string, by: string) => ({
        ancestorRef: { name },
        controllerName: by,
        conditions: [foreign],
      });
      const ancestors = [entry('edge', 'other.com/c'), entry('gone', controllerName), entry('x', 'other.com/c')];
      const policy = timeouts('p', ['Gateway edge'], { request: 1 }, { status: { ancestors, phase: 'Ready' } });
      const status = statusAfter<{ ancestors: PolicyAncestorStatus[] }>([edge, cart, policy], id.p);
      expect(status).toMatchObject({ phase: 'Ready' });
      expect(status.ancestors.map((it) => `${it.controllerName} ${it.ancestorRef.name}`)).toEqual([
        'other.com/c edge',
        'other.com/c x',
        'example.com/gateways edge',
      ]);
      expect([status.ancestors[0], status.ancestors[1]]).toEqual([ancestors[0], ancestors[2]]);
    });

    it('writes its entry as a whole, over the entry of another version of the controller (X-31)', () => {
      const [audited, since] = [{ ...foreign, type: 'Audited' }, '2020-01-01T00:00:00Z'];
      const accepted = { ...foreign, type: 'Accepted', reason: 'Accepted', lastTransitionTime: since };
      const entry = { ancestorRef: { name: 'edge' }, conditions: [audited, accepted] };
      const theirs = { ...entry, controllerName: 'other.com/c', targets: [] };
      const ancestors = [theirs, { ...entry, controllerName, targets: [], phase: 'Ready' }];
      const status = statusAfter<{ ancestors: readonly unknown[] }>(
        [edge, cart, { ...onEdge, status: { ancestors } }],
        id.p,
      );
      expect(status.ancestors).toEqual([
        theirs,
        {
          ancestorRef: { name: 'edge' },
          controllerName,
          conditions: [
            expect.objectContaining({ type: 'Accepted', lastTransitionTime: since }),
            expect.objectContaining({ type: 'Programmed', reason: 'Programmed' }),
          ],
        },
      ]);
    });

    it('removes its entries by ancestor when it has conditions directly under the status', () => {
      const entry = (by: string) => ({ ancestorRef: { name: 'edge' }, controllerName: by, conditions: [foreign] });
      const ancestors = [entry(controllerName), entry('other.com/c')];
      const { plan, topology } = planFor([edge, cart, { ...onEdge, status: { ancestors } }], {
        rendering: 'conditions',
      });
      expect(writeTo(plan, id.p)?.apply).toMatchObject({
        metadata: { resourceVersion: '1' },
        status: { ancestors: [entry('other.com/c')] },
      });
      carryOut(topology, plan.writes);
      expect(resourceIn(topology, id.p).status).toMatchObject({
        conditions: [{ type: 'Accepted' }, { type: 'Programmed' }],
        ancestors: [entry('other.com/c')],
      });
    });

    it('writes conditions directly under the status on demand (X-13), and owns those only', () => {
      const policy = timeouts(
        'p',
        ['Gateway edge'],
        { request: 1 },
        { status: { conditions: [{ ...foreign, type: 'X' }] } },
      );
      const { topology, plan } = planFor([edge, cart, policy], { rendering: 'conditions' });
      const { apply } = writeTo(plan, id.p) ?? {};
      expect(apply?.metadata).toEqual({ name: 'p', namespace: 'shop', resourceVersion: '1' });
      expect(apply?.status).toMatchObject({ conditions: [{ type: 'Accepted' }, { type: 'Programmed' }] });
      carryOut(topology, plan.writes);
      expect(resourceIn(topology, id.p).status).toMatchObject({
        conditions: [{ type: 'X' }, { type: 'Accepted' }, { type: 'Programmed' }],
      });
    });

    it.each<[string, Vocabulary, string[]]>([
      ['gep713', gep713Vocabulary, ['Accepted=True/Accepted', 'Programmed=True/PartiallyProgrammed']],
      [
        'gep713Rewrite',
        gep713RewriteVocabulary,
        ['Accepted=True/Accepted', 'Enforced=False/PartiallyEnforced', 'PartiallyEnforced=True/PartiallyEnforced'],
      ],
      ['kuadrant', kuadrantVocabulary, ['Accepted=True/Accepted', 'Enforced=True/Enforced']],
      ['envoyGateway', envoyGatewayVocabulary, ['Accepted=True/Accepted', 'Merged=True/Merged']],
      ['kgateway', kgatewayVocabulary, ['Accepted=True/Valid', 'Attached=True/Merged']],
      [
        'nginxGatewayFabric',
        nginxGatewayFabricVocabulary,
        ['Accepted=True/Accepted', 'Programmed=True/PartiallyProgrammed'],
      ],
    ])('speaks in the words of %s (X-14)', (_, vocabulary, expected) => {
      const policies = [
        timeouts('p', ['Gateway edge'], { request: 1, idle: 1 }),
        timeouts('b', ['HTTPRoute cart'], { idle: 2 }),
      ];
      const { ancestors } = statusAfter<{ ancestors: PolicyAncestorStatus[] }>([edge, cart, ...policies], id.p, {
        vocabulary,
      });
      expect(ancestors[0]?.conditions.map((it) => `${it.type}=${it.status}/${it.reason}`)).toEqual(expected);
      expect(ancestors[0]?.conditions.at(-1)?.message).toBe(
        'In force in part. shop/b prevails at /idle (Patch defaults).',
      );
    });

    it('can mark a rejected policy as not in force (X-29)', () => {
      const policy = timeouts('p', ['Gateway edge'], { request: 'long' });
      const said = (['omit', 'false'] as const).map((rejectedProgrammed) => {
        const status = statusAfter<{ ancestors: PolicyAncestorStatus[] }>([edge, cart, policy], id.p, {
          rejectedProgrammed,
        });
        return status.ancestors[0]?.conditions.map((it) => `${it.type}=${it.status}/${it.reason}`);
      });
      expect(said).toEqual([['Accepted=False/Invalid'], ['Accepted=False/Invalid', 'Programmed=False/Reconciling']]);
    });

    it('reports a target that does not exist, or leaves it to other controllers (X-19)', () => {
      const policy = timeouts('p', ['Gateway gone'], { request: 1 });
      expect(planFor([edge, policy]).plan.writes).toHaveLength(1);
      expect(planFor([edge, policy], { unknownTarget: 'ignore' }).plan.writes).toEqual([]);
    });

    it('writes no condition that the dialect does not have, and removes its own (T-22)', () => {
      const policy = timeouts('p', ['Gateway infra/edge'], { request: 1 });
      expect(planFor([edge, policy], { vocabulary: envoyGatewayVocabulary }).plan.writes).toEqual([]);
      const status = { ancestors: [{ ancestorRef: { name: 'edge' }, controllerName, conditions: [foreign] }] };
      expect(statusAfter([edge, { ...policy, status }], id.p, { vocabulary: envoyGatewayVocabulary })).toEqual({
        ancestors: [],
      });
    });

    it('leaves a status alone that has seen a newer generation (S-15)', () => {
      const conditions = [{ ...foreign, type: 'Accepted', observedGeneration: 9 }];
      const status = { ancestors: [{ ancestorRef: { name: 'edge' }, controllerName, conditions }] };
      expect(writeTo(planFor([edge, cart, { ...onEdge, status }]).plan, id.p)).toBeUndefined();
    });

    it.each(['ancestors', 'conditions'] as const)(
      'says nothing of a target that others may know (X-19): %s',
      (rendering) => {
        const policy = timeouts('p', ['Gateway edge', 'HTTPRoute gone'], { request: 1 });
        const told = (unknownTarget: 'report' | 'ignore') =>
          JSON.stringify(statusAfter([edge, cart, policy], id.p, { rendering, unknownTarget }));
        expect(told('report')).toContain('does not exist');
        expect(told('ignore')).not.toContain('gone');
        expect(told('ignore')).toContain('In force in all scopes.');
      },
    );

    it.each(['ancestors', 'conditions'] as const)(
      'says nothing of targets that others manage (T-22): %s',
      (rendering) => {
        const kind = timeoutKind('TimeoutPolicy', { manages: () => false });
        expect(planFor([edge, cart, onEdge], { rendering }, kind).plan.writes).toEqual([]);
      },
    );

    describe('with 17 ancestors', () => {
      const gateways = Array.from({ length: 17 }, (_, index) => gateway(`g${index + 10}`));
      const wide = route(
        'cart',
        gateways.map(({ metadata }) => metadata.name),
      );
      const policy = timeouts('p', ['HTTPRoute cart'], { request: 1 });
      const limitType = 'example.com/TimeoutPolicyAncestorLimitReached';

      it('leaves one out, and signals on that Gateway that the policy does not count there (S-10)', () => {
        const { topology, plan } = planFor([...gateways, wide, policy]);
        expect(plan.refused).toEqual([
          {
            resource: id.p,
            message:
              'Gateway shop/g26 does not fit into status.ancestors; remove entries of controllers that no longer exist',
          },
        ]);
        carryOut(topology, plan.writes);
        const { ancestors } = resourceIn(topology, id.p).status as { ancestors: PolicyAncestorStatus[] };
        expect(ancestors).toHaveLength(16);
        const last = resourceIn(topology, 'gateway.gateway.networking.k8s.io:shop/g26').status as {
          conditions: Condition[];
        };
        expect(short(last.conditions)).toEqual([
          `${limitType}=True/AncestorLimitReached: The list of ancestors in the status of these policies is full, so do not rely on them here: shop/p.`,
        ]);
        expect(plan.writes.filter(({ ref }) => ref.kind === 'Gateway')).toHaveLength(1);
      });

      it('names each section that is left out, where entries are about sections', () => {
        const kind = timeoutKind('TimeoutPolicy', { ancestorEntries: { naming: 'sections' } });
        const listeners = Array.from({ length: 10 }, (_, index) => `l-${index}`);
        const two = ['a', 'b'].map((name) => gateway(name, listeners));
        const parentRefs = two.flatMap(({ metadata: { name } }) =>
          listeners.map((sectionName) => ({ name, sectionName })),
        );
        const cart = route('cart', []);
        const { plan } = planFor(
          [...two, { ...cart, spec: { ...(cart.spec as object), parentRefs } }, policy],
          {},
          kind,
        );
        expect(plan.refused.map(({ message }) => message.split(' does not fit')[0])).toEqual([
          'Gateway shop/b#l-6',
          'Gateway shop/b#l-7',
          'Gateway shop/b#l-8',
          'Gateway shop/b#l-9',
        ]);
      });

      it('removes the signal when the policy is deleted, planning only changes', () => {
        const { topology, effective, plan } = planFor([...gateways, wide, policy]);
        carryOut(topology, plan.writes);
        effective.takeChanges();
        topology.apply({ remove: [id.p] });
        const { writes } = planStatus(effective, { ...options, changes: [effective.takeChanges()] });
        const onLast = writes.filter(({ locator }) => locator.endsWith('/g26'));
        expect(onLast.map(({ result }) => result.status)).toEqual([{ conditions: [] }]);
      });

      it('neither writes to an object in another namespace that the policy merely names, nor gives it a place (S-10, T-25)', () => {
        const strangers = Array.from({ length: 15 }, (_, index) =>
          gateway(`a${index + 10}`, ['https'], { namespace: 'bank' }),
        );
        const names = strangers.map(({ metadata }) => `Gateway bank/${metadata.name}`);
        const greedy = timeouts('p', ['HTTPRoute cart', ...names], { request: 1 });
        const few = gateways.slice(0, 4);
        const own = route(
          'cart',
          few.map(({ metadata }) => metadata.name),
        );
        const { topology, plan } = planFor([...few, ...strangers, own, greedy]);
        const written = plan.writes.map(({ ref }) => `${ref.kind} ${ref.namespace}`);
        expect(new Set(written)).toEqual(new Set(['TimeoutPolicy shop', 'HTTPRoute shop']));
        carryOut(topology, plan.writes);
        const { ancestors } = resourceIn(topology, id.p).status as { ancestors: PolicyAncestorStatus[] };
        const there = ancestors.map(({ ancestorRef }) => ancestorRef.name);
        expect(there.slice(0, 4)).toEqual(few.map(({ metadata }) => metadata.name));
      });

      it('takes the signal back when there is room again', () => {
        const { topology, plan } = planFor([...gateways, wide, policy]);
        carryOut(topology, plan.writes);
        topology.apply({ remove: [gateways[0] as KubernetesObject] });
        carryOut(topology, planStatus(effectivePolicies(topology, TimeoutPolicy), options).writes);
        const { conditions } = resourceIn(topology, 'gateway.gateway.networking.k8s.io:shop/g26').status as {
          conditions: unknown;
        };
        expect(conditions).toEqual([]);
      });

      it('can report in the last entry that there are more (E-07)', () => {
        const { topology, plan } = planFor([...gateways, wide, policy], { overflow: 'truncate-aggregated' });
        expect(plan.refused).toEqual([]);
        carryOut(topology, plan.writes);
        const { ancestors } = resourceIn(topology, id.p).status as { ancestors: PolicyAncestorStatus[] };
        expect(ancestors).toHaveLength(16);
        expect(ancestors.at(-1)?.conditions.map((it) => it.type)).toContain('Aggregated');
      });
    });
  });

  describe('of objects that policies affect', () => {
    it('puts a condition on a Gateway for its own policies, and on each listener for those too (D-01, D-04)', () => {
      const listeners = [
        { name: 'http', attachedRoutes: 1 },
        { name: 'https', attachedRoutes: 1, conditions: [foreign] },
      ];
      const gate = gateway('edge', ['http', 'https'], { generation: 7, status: { conditions: [foreign], listeners } });
      const policies = [onEdge, timeouts('l', ['Gateway edge#https'], { idle: 1 })];
      const { topology, plan } = planFor([gate, cart, ...policies]);
      const set = (message: string) => ({
        type,
        status: 'True',
        observedGeneration: 7,
        lastTransitionTime: '2026-01-02T03:04:05Z',
        reason: 'PolicyAffected',
        message,
      });
      const [whole, part] = [set('Affected by shop/p.'), set('Affected by shop/l, shop/p.')];
      expect(writeTo(plan, id.edge)?.apply.status).toEqual({
        conditions: [whole],
        listeners: [
          { name: 'http', conditions: [whole] },
          { name: 'https', conditions: [part] },
        ],
      });
      carryOut(topology, plan.writes);
      expect(resourceIn(topology, id.edge).status).toEqual({
        conditions: [foreign, whole],
        listeners: [
          { ...listeners[0], conditions: [whole] },
          { ...listeners[1], conditions: [foreign, part] },
        ],
      });
    });

    interface RouteStatus {
      readonly parents: readonly { parentRef: object; controllerName: string; conditions: Condition[] }[];
    }

    it('has an entry in a route for each parent, and names there only the policies that come that way (W10)', () => {
      const both = route('cart', ['edge', 'west']);
      const policies = [
        onEdge,
        timeouts('w', ['Gateway west'], { idle: 1 }),
        timeouts('r', ['HTTPRoute cart'], { idle: 2 }),
      ];
      const rule = timeouts('rule', ['HTTPRoute cart#pay'], { idle: 3 }); // Beats r and w.
      const resources = [edge, gateway('west'), both, ...policies];
      const said = (more: readonly KubernetesObject[]) =>
        statusAfter<RouteStatus>([...resources, ...more], id.cart).parents.map((it) => [
          it.parentRef,
          short(it.conditions),
        ]);
      expect(said([])).toEqual([
        [{ name: 'edge' }, [affectedBy('shop/p, shop/r')]],
        [{ name: 'west' }, [affectedBy('shop/r')]],
      ]);
      expect(said([rule])).toEqual([
        [{ name: 'edge' }, [affectedBy('shop/p, shop/rule')]],
        [{ name: 'west' }, [affectedBy('shop/rule')]],
      ]);
    });

    it('distinguishes listeners of one Gateway', () => {
      const both = route('cart', ['edge#http', 'edge#https']);
      const policies = [
        timeouts('l', ['Gateway edge#http'], { idle: 1 }),
        timeouts('r', ['HTTPRoute cart#pay'], { request: 2 }),
      ];
      const { parents } = statusAfter<RouteStatus>([gateway('edge', ['http', 'https']), both, ...policies], id.cart);
      expect(parents.map((it) => [it.parentRef, short(it.conditions)])).toEqual([
        [parentRef('edge#http'), [affectedBy('shop/l, shop/r')]],
        [parentRef('edge#https'), [affectedBy('shop/r')]],
      ]);
    });

    it('distinguishes ports of one Gateway', () => {
      const parentRefs = [443, 444].map((port) => ({ name: 'edge', port }));
      const byPort = { ...cart, spec: { parentRefs, rules: [{ name: 'pay' }] } };
      const policy = timeouts('l', ['Gateway edge#https'], { idle: 1 });
      const { parents } = statusAfter<RouteStatus>([gateway('edge', ['http', 'https']), byPort, policy], id.cart);
      expect(parents.map(({ parentRef }) => parentRef)).toEqual([{ name: 'edge', port: 444 }]);
    });

    it('lacks a condition under a parent that has not accepted the route, and removes its own there', () => {
      const policy = timeouts('r', ['HTTPRoute cart'], { idle: 1 });
      const said = [{ parentRef: { name: 'gone' }, controllerName, conditions: [stale] }];
      for (const [parents, before] of [
        [['gone'], []],
        [['gone', 'lost'], said],
      ] as const) {
        const orphan = route('cart', parents, { status: { parents: before } });
        const { topology, plan } = planFor([orphan, policy]);
        carryOut(topology, plan.writes);
        expect(resourceIn(topology, id.cart).status).toEqual({ parents: [] });
      }
      const half = statusAfter<RouteStatus>([edge, route('cart', ['edge', 'gone']), policy], id.cart);
      expect(half.parents.map(({ parentRef }) => parentRef)).toEqual([{ name: 'edge' }]);
    });

    it('leaves alone entries of others and its own conditions of other types, and finds its entry however it is spelt', () => {
      const written = { group: 'gateway.networking.k8s.io', kind: 'Gateway', namespace: 'shop', name: 'edge' };
      const parents = [
        { parentRef: { name: 'edge' }, controllerName: 'other.com/c', conditions: [stale] },
        'rubbish',
        { parentRef: written, controllerName, conditions: [foreign] },
        { parentRef: { name: 'gone' }, controllerName, conditions: [stale] },
        { parentRef: { name: 'left' }, controllerName, conditions: [stale, foreign] },
        { parentRef: { name: 'bare' }, controllerName, conditions: [] },
      ];
      const { topology, plan } = planFor([edge, route('cart', ['edge'], { status: { parents } }), onEdge]);
      expect(writeTo(plan, id.cart)?.apply.metadata).toMatchObject({ resourceVersion: '1' });
      carryOut(topology, plan.writes);
      const after = resourceIn(topology, id.cart).status as { parents: unknown[] };
      expect(after.parents).toEqual([
        parents[0],
        'rubbish',
        { parentRef: written, controllerName, conditions: [foreign, expect.objectContaining({ type })] },
        { parentRef: { name: 'left' }, controllerName, conditions: [foreign] },
        parents[5],
      ]);
    });

    it('removes conditions about policies of kinds that this version of the controller does not have (X-31)', () => {
      const retired = ['example.com/RetryPolicyAffected', 'example.com/RetryPolicyAncestorLimitReached'];
      const conditions = [...retired, 'retries.com/RetryPolicyAffected', type].map((it) => ({ ...foreign, type: it }));
      const entry = { parentRef: { name: 'edge' }, conditions };
      const parents = [
        { ...entry, controllerName: 'other.com/c' },
        { ...entry, controllerName },
      ];
      const status = statusAfter<RouteStatus>([edge, route('cart', ['edge'], { status: { parents } })], id.cart);
      expect(status.parents).toEqual([parents[0], { ...parents[1], conditions: [conditions[2]] }]);
    });

    it('lacks a condition under a parent that others manage (T-22)', () => {
      const kind = timeoutKind('TimeoutPolicy', { manages: ({ object }) => object.ref.name !== 'west' });
      const both = [edge, gateway('west'), route('cart', ['edge', 'west'])];
      const { topology, plan } = planFor([...both, timeouts('p', ['HTTPRoute cart'], { request: 1 })], {}, kind);
      carryOut(topology, plan.writes);
      const { parents } = resourceIn(topology, id.cart).status as RouteStatus;
      expect(parents.map((it) => it.parentRef)).toEqual([{ name: 'edge' }]);
      expect(writeTo(plan, 'gateway.gateway.networking.k8s.io:shop/west')).toBeUndefined();
    });

    it('lacks a condition on a route without parents, which is without entries', () => {
      const policy = timeouts('p', ['HTTPRoute cart'], { request: 1 });
      expect(writeTo(planFor([route('cart', []), policy]).plan, id.cart)).toBeUndefined();
    });

    it('writes no entry for a parent reference without a name, which the API server would refuse', () => {
      const topology = createTopology({
        targetKinds: gatewayApi({ needsParent: false }),
        policyKinds: [TimeoutPolicy],
      });
      const parentRefs = [{}, { name: 'gone' }];
      const policy = timeouts('p', ['HTTPRoute cart'], { request: 1 });
      topology.apply({ upsert: [{ ...cart, spec: { parentRefs, rules: [{ name: 'pay' }] } }, policy] });
      const plan = planStatus(effectivePolicies(topology, TimeoutPolicy), options);
      expect(writeTo(plan, id.cart)?.result.status).toMatchObject({ parents: [{ parentRef: { name: 'gone' } }] });
    });

    it('removes only the condition when the last policy is deleted (D-07)', () => {
      const gate = gateway('edge', ['https'], { status: { conditions: [stale, foreign] } });
      const { plan } = planFor([gate, cart]);
      expect(plan.writes).toEqual([
        {
          ref: expect.anything(),
          locator: id.edge,
          subresource: 'status',
          apply: {
            apiVersion: gate.apiVersion,
            kind: 'Gateway',
            metadata: { name: 'edge', namespace: 'shop', resourceVersion: '1' },
            status: {},
          },
          patch: expect.arrayContaining([{ op: 'remove', path: '/status/conditions/1' }]),
          result: { ...gate, metadata: expect.anything(), status: { conditions: [foreign] } },
          urgency: 'object',
        },
      ]);
      expect(statusAfter([gate, cart], id.edge)).toEqual({ conditions: [foreign] });
    });

    it('does not name policies without effect (C-06)', () => {
      const policies = [
        timeouts('a', ['Gateway edge'], { overrides: { request: 1 } }),
        timeouts('r', ['HTTPRoute cart'], { request: 2 }),
      ];
      const { parents } = statusAfter<RouteStatus>([edge, cart, ...policies], id.cart);
      expect(short(parents[0]?.conditions)).toEqual([affectedBy('shop/a')]);
    });

    it('keeps the time of a condition that has only changed its words (S-17)', () => {
      const { conditions } = statusAfter<{ conditions: Condition[] }>(
        [gateway('edge', ['https'], { status: { conditions: [stale] } }), cart, onEdge],
        id.edge,
      );
      expect(conditions).toMatchObject([
        { message: 'Affected by shop/p.', lastTransitionTime: stale.lastTransitionTime },
      ]);
    });

    describe('with a kind of target without a place for conditions', () => {
      const kind = timeoutKind('TimeoutPolicy', { targets: [Tunnel], effectiveTargets: [Tunnel], ancestors: [] });
      const policy = timeouts('p', ['Tunnel t'], { request: 1 });
      const locator = 'tunnel.net.example.com:shop/t';
      const marked = (field: string, marks: object, status?: object) => {
        const it = tunnel('t', { status });
        return { ...it, metadata: { ...it.metadata, [field]: marks } };
      };

      it('marks the object with an annotation, not in its status (D-05)', () => {
        const { topology, plan } = planFor([tunnel('t'), policy], {}, kind);
        expect(writeTo(plan, locator)).toMatchObject({
          subresource: undefined,
          apply: { metadata: { name: 't', namespace: 'shop', annotations: { [type]: 'true' } } },
        });
        expect(Object.keys(writeTo(plan, locator)?.apply ?? {})).toEqual(['apiVersion', 'kind', 'metadata']);
        carryOut(topology, plan.writes);
        expect(resourceIn(topology, locator).metadata.annotations).toEqual({ [type]: 'true' });
      });

      it('or with a label on demand (X-17)', () => {
        const { plan } = planFor([marked('labels', { app: 'x' }), policy], { markedBy: 'labels' }, kind);
        expect(writeTo(plan, locator)?.apply.metadata).toEqual({
          name: 't',
          namespace: 'shop',
          resourceVersion: '1',
          labels: { [type]: 'true' },
        });
        expect(writeTo(plan, locator)?.patch.at(-1)).toEqual({
          op: 'add',
          path: '/metadata/labels/example.com~1TimeoutPolicyAffected',
          value: 'true',
        });
      });

      it('corrects a mark, and removes it when the last policy is deleted, without touching the marks of others', () => {
        const wrong = marked('annotations', { a: 'b', [type]: 'false' });
        for (const [resources, expected] of [
          [[wrong, policy], { a: 'b', [type]: 'true' }],
          [[wrong], { a: 'b' }],
        ] as const) {
          const { topology, plan } = planFor(resources, {}, kind);
          carryOut(topology, plan.writes);
          expect(resourceIn(topology, locator).metadata.annotations).toEqual(expected);
        }
      });

      it('uses the conditions of an object that has some, unless it is marked already', () => {
        const withConditions = { conditions: [foreign] };
        const { plan } = planFor([tunnel('t', { status: withConditions }), policy], {}, kind);
        expect(writeTo(plan, locator)?.subresource).toBe('status');
        const before = marked('annotations', { [type]: 'true' }, withConditions);
        expect(writeTo(planFor([before, policy], {}, kind).plan, locator)).toBeUndefined();
      });

      it('uses the given place', () => {
        const places = { 'Tunnel.net.example.com': { object: 'conditions' } } as const;
        expect(statusAfter([tunnel('t'), policy], locator, { places }, kind)).toMatchObject({ conditions: [{ type }] });
      });
    });

    it('marks Namespaces, and puts conditions on Services', () => {
      const kind = timeoutKind('TimeoutPolicy', { targets: [Service, Namespace], effectiveTargets: [Service] });
      const core = (name: string, what: string, more: object): KubernetesObject => {
        const metadata = { name, resourceVersion: '1', ...more };
        return { apiVersion: 'v1', kind: what, metadata, spec: {} };
      };
      const { topology, plan } = planFor(
        [
          core('api', 'Service', { namespace: 'shop' }),
          core('shop', 'Namespace', {}),
          timeouts('p', ['Namespace shop'], { idle: 1 }),
        ],
        {},
        kind,
      );
      carryOut(topology, plan.writes);
      expect(resourceIn(topology, 'namespace:shop').metadata.annotations).toEqual({ [type]: 'true' });
      expect(resourceIn(topology, 'service:shop/api').status).toMatchObject({
        conditions: [{ type, status: 'True' }],
      });
      // It has no generation that could be observed.
      expect(JSON.stringify(resourceIn(topology, 'service:shop/api').status)).not.toContain('observedGeneration');
    });

    it('reports entries without room, and removes none for them', () => {
      const full = Array.from({ length: 8 }, (_, index) => ({ ...foreign, type: `T${index}` }));
      const { plan } = planFor([gateway('edge', ['https'], { status: { conditions: full } }), cart, onEdge]);
      expect(plan.refused).toEqual([
        { resource: id.edge, message: `its status is full: it cannot take the condition ${type}` },
      ]);
      expect(writeTo(plan, id.edge)).toBeUndefined();
    });

    it('reports a route with 32 parents', () => {
      const parents = Array.from({ length: 32 }, (_, index) => ({
        parentRef: { name: `g${index}` },
        controllerName: 'other.com/c',
        conditions: [foreign],
      }));
      const { plan } = planFor([edge, route('cart', ['edge'], { status: { parents } }), onEdge]);
      expect(plan.refused).toEqual([
        { resource: id.cart, message: `its status is full: it cannot take the condition ${type}` },
      ]);
    });
  });

  it('plans the statuses of several kinds at once: one write for each object', () => {
    const kinds = [TimeoutPolicy, timeoutKind('RetryPolicy')];
    const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: kinds });
    topology.apply({
      upsert: [edge, cart, onEdge, timeouts('q', ['Gateway edge'], { idle: 1 }, { kind: 'RetryPolicy' })],
    });
    const effective = kinds.map((kind) => effectivePolicies(topology, kind));
    const { writes } = planStatus(effective, options);
    expect(writes.map(({ ref: { kind, name } }) => `${kind} ${name}`)).toEqual([
      'TimeoutPolicy p',
      'RetryPolicy q',
      'Gateway edge',
      'HTTPRoute cart',
    ]);
    carryOut(topology, writes);
    expect(short((resourceIn(topology, id.edge).status as { conditions: Condition[] }).conditions)).toEqual([
      affectedBy('shop/p'),
      'example.com/RetryPolicyAffected=True/PolicyAffected: Affected by shop/q.',
    ]);
    expect(
      planStatus(
        kinds.map((kind) => effectivePolicies(topology, kind)),
        options,
      ).writes,
    ).toEqual([]);
  });

  it('names the policies of two kinds of one name in one condition', () => {
    const kinds = [TimeoutPolicy, timeoutKind('TimeoutPolicy', { group: 'other.example.com' })];
    const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: kinds });
    const other = { ...timeouts('q', ['Gateway edge'], { idle: 1 }), apiVersion: 'other.example.com/v1' };
    topology.apply({ upsert: [edge, cart, onEdge, other] });
    const { writes } = planStatus(
      kinds.map((kind) => effectivePolicies(topology, kind)),
      options,
    );
    carryOut(topology, writes);
    expect(short((resourceIn(topology, id.edge).status as { conditions: Condition[] }).conditions)).toEqual([
      affectedBy('shop/p, shop/q'),
    ]);
  });

  it('refuses effective policies of different topologies, and of none', () => {
    const [a, b] = [cluster(TimeoutPolicy, edge), cluster(TimeoutPolicy, edge)];
    const refusal = expect.objectContaining({ code: 'different-topologies' });
    expect(() => planStatus([a.effective, b.effective], options)).toThrow(refusal);
    expect(() => planStatus([], options)).toThrow(refusal);
  });

  it('plans the same for any order of resources (S-23)', () => {
    const resources = [
      edge,
      gateway('west'),
      cart,
      route('menu', ['edge', 'west']),
      onEdge,
      timeouts('w', ['Gateway west', 'Gateway edge'], { overrides: { idle: 1 } }),
      timeouts('r', ['HTTPRoute menu'], { idle: 1, request: 3 }),
    ];
    const expected = JSON.stringify(planFor(resources).plan);
    fc.assert(
      fc.property(fc.shuffledSubarray(resources, { minLength: resources.length }), (shuffled) => {
        expect(JSON.stringify(planFor(shuffled).plan)).toBe(expected);
      }),
    );
  });

  it('accepts any content of a status', () => {
    const rubbish = [null, 7, 'x', [], { conditions: 'x', listeners: 3, parents: {}, ancestors: 'y' }];
    const statuses = [
      ...rubbish,
      { conditions: [null], listeners: [null, { name: 3 }], parents: [null], ancestors: [null] },
    ];
    for (const status of statuses) {
      const resources = [edge, cart, onEdge].map((it) => ({ ...it, status }));
      const { topology, plan } = planFor(resources);
      carryOut(topology, plan.writes);
      expect(planStatus(effectivePolicies(topology, TimeoutPolicy), options).writes).toEqual([]);
    }
  });

  it('needs no resource version: then the patch tests none', () => {
    const bare = [edge, cart, onEdge].map((it): KubernetesObject => {
      const { name, namespace = '' } = it.metadata;
      return { ...it, metadata: { name, namespace } };
    });
    expect(writeTo(planFor(bare).plan, id.p)?.patch.map(({ op }) => op)).toEqual(['add']);
  });
});
