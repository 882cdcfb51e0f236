import { type EffectivePolicies, effectivePolicies } from '@policy-machinery/effective-policy';
import type { Policy } from '@policy-machinery/policy-kind';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import { AdminNetworkPolicy, BaselineAdminNetworkPolicy, NetworkPolicy } from './policy-kinds.ts';
import type { AdminRule, AdminSpec, BaselineSpec, Direction, NetworkRule, NetworkSpec } from './rule-schema.ts';
import { isAdminPeer, isAdminPort, isNetworkPeer, isNetworkPort, isUnknown, type Traffic } from './traffic.ts';

/** A rule that applies to a Pod. */
export interface PodRule {
  /** The kind of its policy. All rules of one kind come before those of the next. */
  readonly tier: string;
  /** The policy, or several if NetworkPolicies deny by isolating the Pod. */
  readonly policies: readonly Policy<unknown>[];
  /** The name of the rule, or its position in the policy. */
  readonly name: string;
  readonly action: 'Allow' | 'Deny' | 'Pass';
  readonly matches: (traffic: Traffic) => boolean;
}

/** The effective policies of each tier. */
export interface Tiers {
  readonly admin: EffectivePolicies<AdminSpec>;
  readonly network: EffectivePolicies<NetworkSpec>;
  readonly baseline: EffectivePolicies<BaselineSpec>;
}

export function tiersOf(topology: Topology): Tiers {
  return {
    admin: effectivePolicies(topology, AdminNetworkPolicy),
    network: effectivePolicies(topology, NetworkPolicy),
    baseline: effectivePolicies(topology, BaselineAdminNetworkPolicy),
  };
}

/** Returns the rules for a Pod in their order: AdminNetworkPolicies by priority, NetworkPolicies, and the baseline. */
export function rulesFor(
  pod: TargetNode,
  direction: Direction,
  { admin, network, baseline }: Tiers,
): readonly PodRule[] {
  return [
    ...adminRules(pod, direction, admin),
    ...networkRules(pod, direction, network),
    ...adminRules(pod, direction, baseline),
  ];
}

function adminRules<Spec extends AdminSpec>(
  pod: TargetNode,
  direction: Direction,
  effective: EffectivePolicies<Spec>,
): readonly PodRule[] {
  const rulesIn = (spec: Spec): readonly AdminRule[] | undefined => spec[direction];
  return stated(pod, direction, effective, rulesIn).map(({ rule, policy, index }): PodRule => {
    const { name = `#${index + 1}`, action, ports } = rule;
    const place = { tier: effective.kind.kind, policies: [policy], name };
    const peers = 'from' in rule ? rule.from : rule.to;
    // Fail closed: a rule that is not understood must not let traffic through.
    if (peers.some(isUnknown)) {
      return { ...place, action: action === 'Allow' ? action : 'Deny', matches: () => action !== 'Allow' };
    }
    const matches = (traffic: Traffic): boolean =>
      peers.some((peer) => isAdminPeer(peer, otherEnd(traffic, direction))) &&
      (ports === undefined || ports.some((port) => isAdminPort(port, traffic)));
    return { ...place, action, matches };
  });
}

/** Returns the rules of NetworkPolicies. They only allow; traffic that none of them allows is denied for the Pods that they isolate. */
function networkRules(
  pod: TargetNode,
  direction: Direction,
  effective: EffectivePolicies<NetworkSpec>,
): readonly PodRule[] {
  const tier = effective.kind.kind;
  const rulesIn = (spec: NetworkSpec): readonly NetworkRule[] | undefined => spec[direction];
  const rules = stated(pod, direction, effective, rulesIn).map(({ rule, policy, index }): PodRule => {
    const { from = [], to = [], ports = [] } = rule;
    const peers = direction === 'ingress' ? from : to;
    const matches = (traffic: Traffic): boolean =>
      (peers.length === 0 ||
        peers.some((peer) => isNetworkPeer(peer, otherEnd(traffic, direction), pod.ref.namespace))) &&
      (ports.length === 0 || ports.some((port) => isNetworkPort(port, traffic)));
    return { tier, policies: [policy], name: `#${index + 1}`, action: 'Allow', matches };
  });
  const isolating = effective.of(pod).flatMap((it) => it.layers.filter(({ spec }) => spec[direction] !== undefined));
  if (isolating.length === 0) return rules;
  const policies = isolating.map(({ policy }) => policy);
  const matches = (traffic: Traffic): boolean => !rules.some((rule) => rule.matches(traffic));
  return [...rules, { tier, policies, name: 'all else', action: 'Deny', matches }];
}

/** Returns the rules of one tier, each with its policy and its position there. */
function stated<Spec, Rule>(
  pod: TargetNode,
  direction: Direction,
  effective: EffectivePolicies<Spec>,
  rulesIn: (spec: Spec) => readonly Rule[] | undefined,
): readonly { readonly rule: Rule; readonly policy: Policy<Spec>; readonly index: number }[] {
  return effective.of(pod).flatMap((merged) =>
    (rulesIn(merged.spec) ?? []).flatMap((rule) => {
      // An appended list has the combined origins of all its items. But an effective spec shares its parts with the
      // policies, so each rule is identical to the rule in its policy.
      const origins = merged.originsOf(`/${direction}`);
      return origins.flatMap(({ policy, spec }) => {
        const index = rulesIn(spec)?.indexOf(rule) ?? -1;
        return index < 0 ? [] : [{ rule, policy, index }];
      });
    }),
  );
}

function otherEnd({ from, to }: Traffic, direction: Direction): TargetNode {
  return direction === 'ingress' ? from : to;
}
