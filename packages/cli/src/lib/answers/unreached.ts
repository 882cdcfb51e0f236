import { type UnreachedTarget, unreachedTargets } from '@policy-machinery/guarantees';
import { formatRef, formatTarget, type PolicyNode, type TargetNode, type Topology } from '@policy-machinery/topology';
import type { Finding } from '../model/answer.ts';
import { firstOf } from '../model/first-of.ts';
import type { StateOutcome } from '../model/state-outcome.ts';
import type { World } from '../model/world.ts';
import { listenerOwners } from './findings-about.ts';
import { isOrphan } from './forest.ts';
import { type PolicyState, policyStates } from './policy-state.ts';
import { commonReading } from './regular-expressions.ts';

/**
 * Returns the rules that receive no requests, with the policies without effect for this reason. A route is one finding if that holds for all its rules, and
 * rules of equal matches are one if ages decide about them.
 */
export function unreachedFindings(world: World): readonly Finding[] {
  return findingsOf(world, certainlyUnreached(world));
}

/** Policies without effect on any request, or on none of some targets, by their locators: their outcome and the reason. */
export type UnreachedOutcomes = ReadonlyMap<string, Pick<PolicyState, 'outcome' | 'message'>>;

/** Returns the findings of {@link unreachedFindings}, with the outcomes of the policies as {@link reachedStates} decides them. */
export function unreachedIn(world: World): {
  readonly findings: readonly Finding[];
  readonly outcomes: UnreachedOutcomes;
} {
  const unreached = certainlyUnreached(world);
  const { topology } = world;
  const orphans = [...topology.targets].filter(isOrphan).flatMap((route) => [route, ...route.sections]);
  const policies = new Set(
    [...unreached.keys(), ...orphans].flatMap((target) =>
      [target, target.object].flatMap((it) => topology.policiesAt(it).map(({ locator }) => locator)),
    ),
  );
  const states = policyStates(world, world.views, policies);
  const decided = withoutRequests(topology, states, unreached);
  const changed = decided.filter((state) => !states.includes(state));
  return {
    findings: findingsOf(world, unreached),
    outcomes: new Map(changed.map(({ policy, outcome, message }) => [policy.locator, { outcome, message }])),
  };
}

type Unreached = ReadonlyMap<TargetNode, UnreachedTarget>;

function findingsOf({ topology }: World, unreached: Unreached): readonly Finding[] {
  const isUnreached = (target: TargetNode) => unreached.has(target);
  const isOwner = ({ ref }: TargetNode) => listenerOwners.some(({ kind }) => kind === ref.kind);
  const routes = new Set([...unreached.keys()].map(({ object }) => object).filter((object) => !isOwner(object)));
  const ties = new Set<string>();
  return [...routes].flatMap((route): readonly Finding[] => {
    const all = [route, ...route.sections];
    const kinds = new Set(all.flatMap((it) => unreached.get(it) ?? []).map(isOpen));
    const isOne = route.sections.every(isUnreached) && kinds.size === 1;
    const about = isOne ? [route] : route.sections.filter(isUnreached);
    return about.flatMap((target): readonly Finding[] => {
      const on = isOne ? all : [target];
      const reasons = on.flatMap((it) => unreached.get(it) ?? []);
      const takers = new Set(reasons.flatMap((it) => it.takers).map(formatTarget));
      const policies = new Set(on.flatMap((it) => topology.policiesAt(it)).map(nameOf));
      const at = reasons.flatMap((it) => it.at ?? [])[0];
      const pointer = target.section === undefined ? {} : { pointer: `/spec/rules/${route.sections.indexOf(target)}` };
      if (reasons.some(isOpen)) {
        const tie = [...new Set([...reasons.map((it) => formatTarget(it.target)), ...takers])].sort().join();
        if (ties.has(tie)) return [];
        ties.add(tie);
        const message = `${formatTarget(target)} receives no requests if ${takers.size === 1 ? '' : 'one of '}${firstOf([...takers])} is older, and their ages are not known; change the matches of one`;
        return [{ code: 'undecided', severity: 'note', message, resource: route.locator, ...pointer }];
      }
      const by =
        takers.size > 0
          ? `${firstOf([...takers])} ${takers.size === 1 ? 'takes' : 'take'} them first`
          : at === undefined
            ? 'a request cannot meet all conditions of a match'
            : `${formatTarget(at.listener)} takes none (${at.lostBy})`;
      const without = policies.size === 0 ? '' : `; without effect there: ${firstOf([...policies])}`;
      const message = `${formatTarget(target)} receives no requests, because ${by}; ${at === undefined ? 'change its matches' : 'correct the listener'}, or remove it${without}`;
      return [{ code: 'no-requests', severity: 'warning', message, resource: route.locator, ...pointer }];
    });
  });
}

/**
 * Returns the states of policies, as {@link policyStates} does. A policy does not count as in force if other rules take the requests of all its targets.
 */
export function reachedStates(...of: Parameters<typeof policyStates>): readonly PolicyState[] {
  const [world] = of;
  const states = policyStates(...of);
  return states.some(isInForce) ? withoutRequests(world.topology, states, certainlyUnreached(world)) : states;
}

/** Returns a function that returns the outcome of a policy at a target: ages of routes may decide only if the policy is in force there otherwise. */
export function outcomesWithoutRequests(world: World): (target: TargetNode, outcome: StateOutcome) => StateOutcome {
  const unreached = certainlyUnreached(world);
  return (target, outcome) => {
    const reason = unreached.get(target);
    if (reason === undefined || (isOpen(reason) && !isInForce({ outcome }))) return outcome;
    return isOpen(reason) ? 'undecided' : 'no-requests';
  };
}

function isOpen({ dependsOn }: UnreachedTarget): boolean {
  return dependsOn !== undefined;
}

function withoutRequests(
  topology: Topology,
  states: readonly PolicyState[],
  unreached: Unreached,
): readonly PolicyState[] {
  if (unreached.size === 0) return states;
  return states.map((state) => {
    const targets = isInForce(state) ? targetsOf(state.policy, topology) : [];
    const isLost = (reason: UnreachedTarget) => !isOpen(reason) || reason.takers.some((it) => !targets.includes(it));
    const reasons = targets.flatMap((target) => unreached.get(target) ?? []).filter(isLost);
    const named = (some: readonly UnreachedTarget[]) => firstOf(some.map(({ target }) => formatTarget(target)));
    const [open, without] = [reasons.filter(isOpen), reasons.filter((it) => !isOpen(it))];
    if (open.length > 0 && reasons.length === targets.length) {
      const message = `Whether requests reach ${named(open)} depends on the ages of routes; see lint.`;
      return { ...state, outcome: 'undecided', message };
    }
    if (without.length === 0) return state;
    const sentence = `No requests reach ${named(without)}; see lint.`;
    if (without.length < targets.length) return { ...state, message: `${state.message} ${sentence}` };
    return { ...state, outcome: 'no-requests', message: sentence };
  });
}

function isInForce({ outcome }: Pick<PolicyState, 'outcome'>): boolean {
  return outcome === 'enforced' || outcome === 'partly-enforced' || outcome === 'not-merged';
}

/** Returns the rules and other targets that a policy is attached to: for a route, its rules. */
function targetsOf({ locator }: PolicyNode, topology: Topology): readonly TargetNode[] {
  const attachments = topology.policy(locator)?.attachments ?? [];
  return attachments.flatMap(({ target }): readonly TargetNode[] => {
    if (target === undefined) return [];
    return target.section === undefined && target.sections.length > 0 ? target.sections : [target];
  });
}

/** Returns the listeners without requests, and the rules of routes that are attached wherever they may be. A Gateway that is assumed may take none of the other routes. */
function certainlyUnreached({ topology, assumed, unrendered }: World): Unreached {
  const isChanged = (locator: string) => unrendered.changeOf(locator.split('#', 1)[0] ?? locator) === 'content';
  const references = [
    ...topology.refused.map((it) => ({ ...it, isUndecided: it.isUndecided || isChanged(it.to) })),
    ...topology.unresolved,
  ];
  const undecided = references.filter(({ isUndecided, reference }) => isUndecided && reference.direction === 'up');
  const open = new Set([
    ...undecided.map(({ from }) => from.object.locator),
    ...assumed.flatMap(({ refs }) => refs.map(({ resource }) => resource)),
  ]);
  const rules = unreachedTargets(topology, { ...commonReading() });
  const isCertain = ({ target, takers, at }: UnreachedTarget) =>
    (target === at?.listener || !open.has(target.object.locator)) &&
    ![target, ...takers].some(({ object }) => isChanged(object.locator));
  return new Map(rules.filter(isCertain).map((rule) => [rule.target, rule]));
}

function nameOf({ resource: { kind, metadata } }: PolicyNode): string {
  return formatRef({ kind, namespace: metadata.namespace, name: metadata.name });
}
