import type { KubernetesObject } from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import { cluster } from './cluster.ts';
import { type Answer, mayTalk } from './decide.ts';
import { rulesFor, tiersOf } from './pod-rules.ts';
import type { Direction } from './rule-schema.ts';

const creationTimestamp = '2026-01-01T00:00:00Z';

export const namespace = (name: string, labels = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels },
});

/** A Pod, by `namespace/name`, that is labelled `app: name`. */
export function pod(locator: string, spec: object = {}): KubernetesObject {
  const [space = '', name = ''] = locator.split('/');
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: space, labels: { app: name } }, spec };
}

export const anp = (name: string, priority: unknown, subject: unknown, rules: object): KubernetesObject => ({
  apiVersion: 'policy.networking.k8s.io/v1alpha1',
  kind: 'AdminNetworkPolicy',
  metadata: { name, creationTimestamp },
  spec: { priority, subject, ...rules },
});

export const banp = (rules: object): KubernetesObject => ({
  apiVersion: 'policy.networking.k8s.io/v1alpha1',
  kind: 'BaselineAdminNetworkPolicy',
  metadata: { name: 'default', creationTimestamp },
  spec: { subject: everywhere, ...rules },
});

export const netpol = (locator: string, spec: object): KubernetesObject => {
  const [space = '', name = ''] = locator.split('/');
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace: space, creationTimestamp },
    spec,
  };
};

/** All Pods of all Namespaces, as a subject and as a peer. */
export const everywhere = { namespaces: {} };

/** The Pods of one Namespace. */
export const within = (name: string) => ({ namespaces: { matchLabels: { 'kubernetes.io/metadata.name': name } } });

/** A rule for ingress from a peer: everyone by default. */
export const from = (action: string, peer: object = everywhere, rest: object = {}) => ({
  action,
  from: [peer],
  ...rest,
});

const database = { containers: [{ name: 'db', ports: [{ name: 'sql', containerPort: 5432 }] }] };

/** Two Namespaces with a Pod each, `shop/web` and `bank/ledger`, and the given resources. */
export function network(...policies: readonly KubernetesObject[]): Topology {
  const topology = cluster();
  topology.apply({
    upsert: [
      namespace('shop', { tier: 'public' }),
      namespace('bank'),
      pod('shop/web'),
      pod('bank/ledger', database),
      ...policies,
    ],
  });
  return topology;
}

const targetOf = (topology: Topology, name: string) => topology.get(`pod:${name}`) as TargetNode;

/** The rules for a Pod, each as `Allow name of policy`. */
export function rules(topology: Topology, name: string, direction: Direction = 'ingress'): readonly string[] {
  return rulesFor(targetOf(topology, name), direction, tiersOf(topology)).map(
    (rule) => `${rule.action} ${rule.name} of ${rule.policies.map((policy) => policy.name).join(', ')}`,
  );
}

/** Returns the decision about traffic: from `shop/web` to `bank/ledger` on TCP 5432 by default. */
export function ask(topology: Topology, { source = 'shop/web', to = 'bank/ledger', port = 5432 } = {}): Answer {
  const ends = { from: targetOf(topology, source), to: targetOf(topology, to) };
  return mayTalk({ ...ends, protocol: 'TCP', port }, tiersOf(topology));
}
