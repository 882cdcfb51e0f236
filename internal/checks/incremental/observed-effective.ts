import type {
  Context,
  ContextLayer,
  EffectivePolicies,
  EffectivePolicy,
  Level,
  Loss,
} from '@policy-machinery/effective-policy';
import { statusQueries } from '@policy-machinery/effective-policy/inner';
import { namesIn } from './observed-topology.ts';

/** What {@link observedEffective} returns. */
export type ObservedEffective = ReturnType<typeof observedEffective>;

/** Returns all that users can observe of the effective policies of a kind, as plain data: of equal ones, it is equal. */
export function observedEffective(effective: EffectivePolicies<unknown>) {
  const name = namesIn(effective.topology);
  const layer = ({ policy, stanza, pointer, level }: ContextLayer<unknown>) =>
    `${stanza} of ${policy.locator} at ${pointer}, on ${name(level.target)}`;
  const level = ({ target, via, policies, layers, rejected }: Level<unknown>) => ({
    target: name(target),
    via,
    policies: policies.map(({ locator }) => locator),
    turns: layers.map(({ layer, strategyFrom }) => [layer.policy.locator, layer.stanza, strategyFrom.policy.locator]),
    rejected: rejected.map(({ layer, by }) => [layer.policy.locator, by.policy.locator]),
  });
  const loss = ({ layer: loser, winners, holders, ...rest }: Loss<unknown>): unknown => ({
    ...rest,
    layer: layer(loser),
    to: winners.map(layer),
    holders: holders.map(layer),
  });
  const context = (it: Context<unknown>) => ({
    target: name(it.target),
    pathCount: String(it.pathCount),
    ancestors: it.ancestors.map(name),
    levels: it.levels.map(level),
    paths: [...it.paths()].map((path) => path.map(name).join(' > ')),
  });
  const policy = (it: EffectivePolicy<unknown>) => ({
    ...context(it),
    spec: it.spec,
    origins: it.origins.map(({ pointer, by }) => ({ pointer, by: by.map(layer) })),
    issues: it.issues,
    layers: it.layers.map(layer),
    losses: it.losses.map(loss),
    shares: it.shares.map(({ policy: { locator }, losses, ...rest }) => ({
      ...rest,
      locator,
      losses: losses.map(loss),
    })),
  });
  return {
    targets: [...effective.targets].map(name),
    policies: effective.policies.map(({ node, policy, issues }) => ({
      locator: node.locator,
      layers: policy?.layers.map(({ stanza, spec, pointer }) => ({ stanza, spec, pointer })),
      attached: node.attachments.map(({ target }) => target && name(target)),
      issues,
    })),
    issues: effective.issues,
    leftOut: statusQueries(effective).leftOut.map(name),
    effective: [...effective].map(policy),
    uncovered: effective.uncovered().map(context),
    affected: effective.affected.map(({ target, policies }) => ({
      target: name(target),
      policies: policies.map((it) => ({ policy: it.policy.locator, parents: [...it.parents].map(name) })),
    })),
    reach: effective.policies.map(({ node: { locator } }) => ({
      locator,
      scopes: effective.reach(locator).map((it) => ({ target: name(it.effective.target), outcome: it.outcome })),
    })),
    explained: effective.topology.roots.map((target) => {
      const { policies, effective: below } = effective.explain(target);
      return {
        target: name(target),
        policies: policies.map(({ locator }) => locator),
        below: below.map(({ policy, fields }) => `${name(policy.target)}: ${fields.length} fields`),
      };
    }),
  };
}
