import { byName, type ConflictRule } from '@policy-machinery/conflict';
import { append, fieldWise } from '@policy-machinery/merge';
import { definePolicyKind, type Fault, type OrderedPolicy, type StanzaReader } from '@policy-machinery/policy-kind';
import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import { specOf } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import { AdminRules, BaselineRules, NetworkRules } from './rule-schema.ts';
import { readPodSelector, readSubject } from './subject.ts';
import { Pod } from './target-kinds.ts';

const group = 'policy.networking.k8s.io';

/** The rules of all policies, one after the other. */
const inOrder = fieldWise({ at: { '/ingress': append, '/egress': append } });

/** Network policies do not apply to Pods in the network of their host. */
const manages = ({ resource }: TargetNode): boolean => specOf(resource).hostNetwork !== true;

/** Orders AdminNetworkPolicies by priority, the lowest number first. The API leaves the order of equal priorities undefined; here it is by name. */
const byPriority: ConflictRule<OrderedPolicy> = {
  name: 'priority',
  compare: (a, b) => priorityOf(a.resource) - priorityOf(b.resource),
};

/** The priority of an AdminNetworkPolicy: 0, the highest, to 1000. */
export function priorityOf(policy: KubernetesObject): number {
  return Number(specOf(policy).priority);
}

export const AdminNetworkPolicy = definePolicyKind({
  group,
  version: 'v1alpha1',
  kind: 'AdminNetworkPolicy',
  scope: 'Cluster',
  targets: [Pod],
  readTargets: readSubject,
  spec: AdminRules,
  stanzas: rulesOf(({ ingress, egress }) => ({ ingress, egress }), priorityFaults),
  order: [byPriority, byName],
  manages,
});

export const NetworkPolicy = definePolicyKind({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  targets: [Pod],
  readTargets: readPodSelector,
  spec: NetworkRules,
  stanzas: rulesOf(isolating),
  order: [byName],
  manages,
});

export const BaselineAdminNetworkPolicy = definePolicyKind({
  group,
  version: 'v1alpha1',
  kind: 'BaselineAdminNetworkPolicy',
  scope: 'Cluster',
  targets: [Pod],
  readTargets: readSubject,
  spec: BaselineRules,
  stanzas: rulesOf(({ ingress, egress }) => ({ ingress, egress })),
  order: [byName],
  manages,
});

/** The part of a policy that is merged: its rules. */
function rulesOf(
  rulesIn: (spec: JsonObject) => Readonly<Record<string, JsonObject[string] | undefined>>,
  faultsIn: (spec: JsonObject) => readonly Fault[] = () => [],
): StanzaReader {
  return {
    strategies: { inOrder },
    read(spec) {
      const rules = Object.entries(rulesIn(spec)).filter(
        (entry): entry is [string, JsonObject[string]] => !isUnset(entry[1]),
      );
      const layer = {
        strategy: inOrder,
        stanza: 'defaults',
        spec: Object.fromEntries(rules),
        pointer: '/spec',
      } as const;
      return { layers: [layer], faults: faultsIn(spec) };
    },
  };
}

/**
 * Returns the directions that a NetworkPolicy isolates. For each of them it has a list of rules, which may be empty. Without
 * `policyTypes`, these are ingress, and egress if there are egress rules.
 */
function isolating({ ingress, egress, policyTypes }: JsonObject): Record<string, JsonObject[string]> {
  const types = Array.isArray(policyTypes) ? policyTypes : ['Ingress', ...(isUnset(egress) ? [] : ['Egress'])];
  return {
    ...(types.includes('Ingress') ? { ingress: ingress ?? [] } : {}),
    ...(types.includes('Egress') ? { egress: egress ?? [] } : {}),
  };
}

function priorityFaults({ priority }: JsonObject): readonly Fault[] {
  if (Number.isInteger(priority) && Number(priority) >= 0 && Number(priority) <= 1000) return [];
  return [{ message: 'priority must be an integer from 0 to 1000', pointer: '/spec/priority' }];
}

function isUnset(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}
