import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { originsAt, trace } from '@policy-machinery/merge';
import type { Policy } from '@policy-machinery/policy-kind';
import { formatPointer, isJsonObject, stringIn } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import { type Action, strictest, type Templates } from './policy-kind.ts';
import { fieldsOf, Placement } from './target-kinds.ts';

/** One way in which a policy arrives at a cluster. */
export interface Way {
  readonly binding: TargetNode;
  readonly placement: TargetNode | undefined;
  /** Whether the binding enforces the policy, regardless of the policy's own action. */
  readonly enforces: boolean;
}

/** A policy on a cluster. */
export interface PlacedPolicy {
  readonly policy: Policy<Templates>;
  /** The templates that the policy puts there, with the overrides of its bindings. */
  readonly templates: Templates;
  readonly ways: readonly Way[];
}

/** The template that a cluster has under one name. */
export interface PlacedTemplate {
  readonly template: string;
  readonly action: Action;
  /** The policy that the template comes from. */
  readonly from: PlacedPolicy;
  /** Other policies that would put the same there. */
  readonly over: readonly PlacedPolicy[];
}

/**
 * Returns the policies on a cluster. Each way to the cluster is a context of its own, with the policies of one binding. On the
 * cluster all ways count together: a policy is enforced if one of its bindings says so.
 */
export function policiesOn(cluster: TargetNode, effective: EffectivePolicies<Templates>): readonly PlacedPolicy[] {
  const ways = new Map<Policy<Templates>, Way[]>();
  for (const context of effective.of(cluster)) {
    const placement = context.ancestors.find(({ kind }) => kind === Placement);
    for (const { policy, level } of context.layers) {
      const way = { binding: level.target, placement, enforces: isEnforcing(level.target) };
      ways.set(policy, [...(ways.get(policy) ?? []), way]);
    }
  }
  return [...ways]
    .filter(([, its]) => its.some(({ binding }) => !isRestricted(binding)))
    .map(([policy, its]) => ({ policy, ways: its.sort(byBinding), templates: templatesOf(policy, its) }))
    .sort((a, b) => effective.kind.order.compare(a.policy, b.policy));
}

function byBinding(a: Way, b: Way): number {
  return a.binding.locator < b.binding.locator ? -1 : 1;
}

/** Returns the templates on a cluster, by the strategy of the policies. */
export function templatesOn(policies: readonly PlacedPolicy[]): readonly PlacedTemplate[] {
  const [first, ...others] = policies.map((placed) => trace(placed.templates, placed));
  if (first === undefined) return [];
  const merged = others.reduce((before, next) => strictest.defaults?.(next, before) ?? before, first);
  return Object.entries(merged.value as Templates).flatMap(([template, action]) => {
    const [from] = originsAt(merged.origins, formatPointer([template]));
    const over = policies.filter((placed) => placed !== from && placed.templates[template] !== undefined);
    return from === undefined ? [] : [{ template, action, from, over }];
  });
}

function templatesOf({ layers }: Policy<Templates>, ways: readonly Way[]): Templates {
  const all = layers.flatMap(({ spec }) => Object.entries(spec));
  const isEnforced = ways.some(({ enforces }) => enforces);
  return Object.fromEntries(all.map(([template, action]) => [template, isEnforced ? 'enforce' : action]));
}

/** A restricted binding places no policy itself. It counts only where another binding does. */
function isRestricted({ resource }: TargetNode): boolean {
  return fieldsOf(resource).subFilter === 'restricted';
}

function isEnforcing({ resource }: TargetNode): boolean {
  const { bindingOverrides } = fieldsOf(resource);
  const { remediationAction } = isJsonObject(bindingOverrides) ? bindingOverrides : {};
  return stringIn(remediationAction)?.toLowerCase() === 'enforce';
}
