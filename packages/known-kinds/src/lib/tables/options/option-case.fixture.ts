import { Gateway } from '@policy-machinery/gateway-api';
import { definePolicyKind, type PolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { anyObject } from '../../model/spec-checks.ts';
import { gateway, object, ref, route, type World } from '../world.fixture.ts';

/** Objects, and what a system makes of them because of one option of its rows. */
export interface OptionCase {
  readonly has: readonly KubernetesObject[];
  readonly says: Partial<Pick<World, 'specs' | 'outcomes' | 'ancestors'>> & { readonly message?: string };
}

const plain = definePolicyKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Plain',
  targets: [Gateway],
  spec: anyObject,
});

/** What policy kinds are without an option. Options that are missing here are part of how a kind reads policies, which cannot be taken apart. */
export const without: Readonly<Record<string, (kind: PolicyKind<unknown>) => PolicyKind<unknown>>> = {
  ancestorEntries: (kind) => ({ ...kind, ancestorEntries: plain.ancestorEntries }),
  ancestors: (kind) => ({ ...kind, ancestors: plain.ancestors }),
  conflictReason: ({ conflictReason: _, ...kind }) => kind,
  crossNamespace: (kind) => ({ ...kind, crossNamespace: 'refuse' }),
  emptyChallenger: (kind) => ({ ...kind, emptyChallenger: 'wins' }),
  extensionRefs: (kind) => ({ ...kind, extensionRefs: false }),
  fieldsAt: ({ fieldsAt: _, ...kind }) => kind,
  fold: (kind) => ({ ...kind, fold: 'bottom-up' }),
  isEmpty: (kind) => ({ ...kind, isEmpty: () => false }),
  namespaceLevels: (kind) => ({ ...kind, namespaceLevels: undefined }),
  order: (kind) => ({ ...kind, order: plain.order }),
  ownValue: ({ ownValue: _, ...kind }) => kind,
  ownValuePrecedence: (kind) => ({ ...kind, ownValuePrecedence: 'most-specific' }),
  ownValueStrategy: (kind) => ({ ...kind, ownValueStrategy: plain.ownValueStrategy }),
  yieldingOwnFields: (kind) => ({ ...kind, yieldingOwnFields: [] }),
  ownValueTargets: (kind) => ({ ...kind, ownValueTargets: [] }),
  refuses: ({ refuses: _, ...kind }) => kind,
  sameLevel: (kind) => ({ ...kind, sameLevel: 'oldest-wins' }),
  selects: ({ selects: _, ...kind }) => kind,
  singleAt: (kind) => ({ ...kind, singleAt: [] }),
  sharedFields: (kind) => ({ ...kind, sharedFields: [] }),
  strategyChooser: (kind) => ({ ...kind, strategyChooser: plain.strategyChooser }),
  targetSelectors: ({ targetSelectors: _, ...kind }) => kind,
  unreadAttachment: ({ unreadAttachment: _, ...kind }) => kind,
  whileDeleting: ({ whileDeleting: _, ...kind }) => kind,
  withinObject: (kind) => ({ ...kind, withinObject: undefined }),
};

export const base = [gateway('a/g'), route('a/r')];
export const main = 'HTTPRoute a/r#main';
export const onGateway = { targetRefs: [ref('Gateway', 'g')] };
export const onListener = { targetRefs: [ref('Gateway', 'g', { sectionName: 'http' })] };
export const onRoute = { targetRefs: [ref('HTTPRoute', 'r')] };
export const onRule = { targetRefs: [ref('HTTPRoute', 'r', { sectionName: 'main' })] };
export const toGateway = { targetRef: ref('Gateway', 'g') };
export const toRoute = { targetRef: ref('HTTPRoute', 'r') };

export const selected = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', matchLabels: { app: 'x' } };

/** A Gateway with a ListenerSet, and a route below that. */
export const belowListenerSet = [
  {
    ...gateway('a/g'),
    spec: { ...(gateway('a/g').spec as object), allowedListeners: { namespaces: { from: 'All' } } },
  },
  object('gateway.networking.k8s.io/v1 ListenerSet', 'a/ls', {
    parentRef: { name: 'g' },
    listeners: [{ name: 'l', port: 81, protocol: 'HTTP' }],
  }),
  object('gateway.networking.k8s.io/v1 HTTPRoute', 'a/r', {
    parentRefs: [ref('ListenerSet', 'ls')],
    rules: [{ name: 'main' }],
  }),
];
