import type { Policy, PolicyKind } from '@policy-machinery/policy-kind';
import type { Issue } from '@policy-machinery/resource';
import type { PolicyNode, TargetNode, Topology } from '@policy-machinery/topology';
import { type Level, levelOf } from './level.ts';

/** A policy as the topology has it, and what was read in it. */
export interface DeclaredPolicy<Spec> {
  /** The policy and its attachments. */
  readonly node: PolicyNode;
  /** What it says; `undefined` when one of the issues is an error. */
  readonly policy: Policy<Spec> | undefined;
  readonly issues: readonly Issue[];
}

/** Reads the policies of a kind; what has been read earlier is taken from there. */
export function readPolicies<Spec>(
  topology: Topology,
  kind: PolicyKind<Spec>,
  earlier: readonly DeclaredPolicy<Spec>[] = [],
): readonly DeclaredPolicy<Spec>[] {
  const read = new Map(earlier.map((declared) => [declared.node.resource, declared]));
  return topology.policies(kind).map((node) => {
    const { policy, issues } = read.get(node.resource) ?? kind.read(node.resource);
    return { node, policy, issues };
  });
}

/** The ways of being attached, the less specific one first: a level each. */
const ways = ['targetRef', 'policyRef'] as const;
type Way = (typeof ways)[number];

/** The levels that policies make of the targets that they are attached to, for traffic from a namespace, or from elsewhere. */
export function levelsBy<Spec>(
  policies: readonly DeclaredPolicy<Spec>[],
  kind: PolicyKind<Spec>,
  trafficFrom: string | undefined,
): ReadonlyMap<TargetNode, readonly Level<Spec>[]> {
  const attached = new Map<TargetNode, Record<Way, Set<Policy<Spec>>>>();
  for (const { policy, node } of policies) {
    if (policy === undefined || policy.layers.length === 0) continue;
    for (const { target, via, consumerNamespace = trafficFrom } of node.attachments) {
      if (target === undefined || consumerNamespace !== trafficFrom) continue;
      const there = attached.get(target) ?? { targetRef: new Set(), policyRef: new Set() };
      attached.set(target, there);
      there[via === 'policyRef' ? via : 'targetRef'].add(policy); // Named or selected, it stands on one level.
    }
  }
  return new Map(
    [...attached].map(([target, there]) => {
      const used = ways.filter((via) => there[via].size > 0);
      return [target, used.map((via) => levelOf({ target, via }, [...there[via]], kind))];
    }),
  );
}
