import type { ContextLayer, EffectivePolicies, Loss, ScopeGroup } from '@policy-machinery/effective-policy';
import { rivalsIn, statusQueries } from '@policy-machinery/effective-policy/inner';
import type { Path, TargetNode } from '@policy-machinery/topology';
import type { Random } from '@policy-machinery/workload';
import { namesIn } from './observed-topology.ts';

/** Some questions about effective policies, which have answers of their own in every cluster. */
export interface Questions {
  /** Locators of targets of which is asked what applies to them. */
  readonly targets: readonly string[];
  /** Paths by the locators of their targets. */
  readonly paths: readonly (readonly string[])[];
  /** Where in specs and policies is asked for parts. */
  readonly pointer: string;
}

/** Asks about random targets, paths and fields. */
export function questionsAbout(effective: EffectivePolicies<unknown>, random: Random): Questions {
  const all = [...effective.topology.targets];
  const targets = random.shuffle(all).slice(0, 3);
  const fields = [...effective].flatMap(({ fields }) => fields.map(({ pointer }) => pointer));
  const paths = all.length === 0 ? [] : Array.from({ length: 3 }, () => somePath(effective, all, random));
  return {
    targets: targets.map(({ locator }) => locator),
    paths: paths.map((path) => path.map(({ locator }) => locator)),
    pointer: fields.length === 0 ? '/nothing' : random.pick(fields),
  };
}

/** As many paths to a target as are looked at. */
const fewPaths = 20;

/** Returns a path of the topology to a random target: there may be many of them. */
function somePath({ topology }: EffectivePolicies<unknown>, targets: readonly TargetNode[], random: Random): Path {
  const paths: Path[] = [];
  for (const path of topology.pathsTo(random.pick(targets), { limit: Number.POSITIVE_INFINITY })) {
    if (paths.push(path) === fewPaths) break;
  }
  return paths.length === 0 ? [] : random.pick(paths);
}

/** Returns the answers to some questions, as plain data. */
export function observedAnswers(
  effective: EffectivePolicies<unknown>,
  { targets, paths, pointer }: Questions,
): unknown {
  const name = namesIn(effective.topology);
  const node = (locator: string) => effective.topology.get(locator) as TargetNode;
  const explained = (locator: string, at: string) => {
    const { policies, effective: here } = effective.explain(locator, at);
    return {
      policies: policies.map(({ locator }) => locator),
      effective: here.map(({ policy, fields }) => ({
        target: name(policy.target),
        levels: policy.levels.map((level) => name(level.target)),
        fields: fields.map(({ by, over, agreeing, ...field }) => ({
          ...field,
          by: by.map(layerText(name)),
          over: over.map(lossOf(name)),
          agreeing: agreeing.map(layerText(name)),
        })),
      })),
    };
  };
  return {
    explained: targets.map((locator) => [explained(locator, ''), explained(locator, pointer)]),
    along: paths.map((path) =>
      effective
        .along(path.map(node))
        .map(({ target, spec, levels }) => [name(target), spec, levels.map((it) => name(it.target))]),
    ),
    groups: effective.policies.map(({ node: { locator } }) => observedGroups(effective, locator)),
    outcomes: effective.policies.map(({ node: { locator } }) =>
      [...statusQueries(effective).outcomesOf(locator)].sort(),
    ),
    conflicts: effective.policies.map(({ node: { locator, attachments } }) =>
      attachments.flatMap(({ target }) => {
        const conflict = target === undefined ? undefined : effective.conflictAt(locator, target);
        return conflict === undefined ? [] : [groupText(name)(conflict)];
      }),
    ),
    reached: targets.map((locator) => statusQueries(effective).isReached(node(locator))),
    reach: effective.policies.map(({ node: { locator } }) =>
      effective
        .reach(locator, pointer)
        .map((it) => [name(it.effective.target), it.outcome, it.losses.map(lossOf(name)), it.issues]),
    ),
  };
}

/** What is known of a policy by groups of scopes, in any order. */
export function observedGroups(effective: EffectivePolicies<unknown>, locator: string): readonly string[] {
  const name = namesIn(effective.topology);
  return effective.reachInGroups(locator).map(groupText(name)).sort();
}

type Name = (target: TargetNode) => string;

function groupText(name: Name) {
  return ({ ancestors, targets, share: { outcome, losses, issues } }: ScopeGroup<unknown>): string =>
    JSON.stringify([
      ancestors.map(name),
      [...targets].map(name),
      outcome,
      losses.map(lossOf(name)),
      issues,
      rivalsIn(losses).map((it) => [it.kind, it.name, layerText(name)(it.layer)]),
    ]);
}

function layerText(name: Name) {
  return ({ policy, stanza, pointer, level }: ContextLayer<unknown>): string =>
    `${stanza} of ${policy.locator} at ${pointer}, on ${name(level.target)}`;
}

function lossOf(name: Name) {
  return ({ layer, winners, holders, ...rest }: Loss<unknown>): unknown => ({
    ...rest,
    layer: layerText(name)(layer),
    to: winners.map(layerText(name)),
    holders: holders.map(layerText(name)),
  });
}
