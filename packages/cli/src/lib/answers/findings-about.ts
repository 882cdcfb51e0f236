import type { DeclaredPolicy, EffectivePolicies } from '@policy-machinery/effective-policy';
import {
  attachmentDifferences,
  Gateway,
  ListenerSet,
  listenerStatuses,
  XListenerSet,
} from '@policy-machinery/gateway-api';
import { formatRef, type PolicyNode, type TargetNode, type Topology } from '@policy-machinery/topology';
import type { Finding } from '../model/answer.ts';
import type { StateOutcome } from '../model/state-outcome.ts';
import type { World } from '../model/world.ts';
import { notProgrammed } from '../statuses/not-programmed.ts';
import { statusAgeTexts } from '../statuses/status-age.ts';
import { policyStates } from './policy-state.ts';

/** Locators of policies; `undefined` for all. */
type Only = ReadonlySet<string> | undefined;

export type PolicyFinding = readonly [policy: string, finding: Finding];

/**
 * Returns the findings about policies: faults, and facts worth knowing.
 *
 * @param only Locators of the policies. Default: all.
 */
export function policyFindings(world: World, only?: ReadonlySet<string>): readonly PolicyFinding[] {
  return [...declaredFindings(world, only), ...ineffectivePolicies(world, only)];
}

/**
 * Returns the faults of policies only together with others: merged specs that are refused, and conditions or strategies that fail. Returns also
 * the refusals by their controllers, in the controllers' words.
 */
function declaredFindings({ views }: World, only: Only): readonly PolicyFinding[] {
  return views.flatMap(({ effective }) =>
    policiesIn(effective, only).flatMap(({ node: { locator }, verdicts }): readonly PolicyFinding[] => [
      ...effective
        .reachInGroups(locator)
        .flatMap(({ share }) => share.issues.map((issue): PolicyFinding => [locator, issue])),
      ...verdicts.map(({ message }): PolicyFinding => {
        return [locator, { code: 'refused-by-controller', severity: 'error', message, resource: locator }];
      }),
    ]),
  );
}

function policiesIn(effective: EffectivePolicies<unknown>, only: Only): readonly DeclaredPolicy<unknown>[] {
  if (only === undefined) return effective.policies;
  return [...only].flatMap((locator) => effective.policy(locator) ?? []);
}

/** Returns the policies that are valid, and yet do not have an effect, or not their full effect. */
function ineffectivePolicies(world: World, only: Only): readonly PolicyFinding[] {
  return policyStates(world, world.views, only).flatMap(({ policy, view, outcome, message, statusAge }) => {
    const severity = severities[outcome];
    const resource = policy.locator;
    const { topology } = view.effective;
    const isRefused = (view.effective.policy(resource)?.verdicts.length ?? 0) > 0;
    const isTold = topology.issuesAbout(resource).some(({ code }) => code === 'not-in-input');
    const found: PolicyFinding[] = [];
    if (severity !== undefined && !isRefused && !(outcome === 'undecided' && isTold))
      found.push([resource, { code: outcome, severity, message, resource }]);
    if (statusAge !== undefined) {
      const age = {
        code: `status-${statusAge}`,
        severity: 'note',
        message: statusAgeTexts[statusAge],
        resource,
      } as const;
      found.push([resource, age]);
    }
    return found;
  });
}

/** The severity of outcomes that are not reported as issues. */
const severities: Readonly<Partial<Record<StateOutcome, Finding['severity']>>> = {
  conflicted: 'warning',
  overridden: 'note',
  'not-in-any-path': 'note',
  pending: 'warning',
  undecided: 'note',
};

/** Returns the listeners that receive no requests, because others take their place on the port, with the policies that reach none for this reason. */
export function listenerConflicts(topology: Topology): readonly Finding[] {
  return [...topology.targetsOf(listenerOwners)].flatMap((owner) => {
    const statuses = listenerStatuses(topology, owner);
    return statuses.flatMap(({ name, conditions }, index): readonly Finding[] => {
      const conflict = conditions.find(({ type, status }) => type === 'Conflicted' && status === 'True');
      if (conflict === undefined) return [];
      const policies = topology.policiesAt(owner.sections[index] ?? owner).map(nameOf);
      const without = policies.length === 0 ? '' : `, nor do policies on it: ${policies.join(', ')}`;
      const message = `listener ${name} takes no requests${without}: ${conflict.message} (${conflict.reason}); change its port or hostname`;
      const pointer = `/spec/listeners/${index}`;
      return [{ code: 'listener-conflict', severity: 'warning', message, resource: owner.locator, pointer }];
    });
  });
}

/** The kinds of objects with listeners. */
export const listenerOwners = [Gateway, ListenerSet, XListenerSet];

function nameOf({ resource: { kind, metadata } }: PolicyNode): string {
  return formatRef({ kind, namespace: metadata.namespace, name: metadata.name });
}

/** Returns the decisions in the statuses of routes and listeners that their specs do not lead to. */
export function differingStatuses(topology: Topology, objects: Iterable<TargetNode>): readonly Finding[] {
  return [...objects].flatMap((object) =>
    attachmentDifferences(topology, object).map(({ pointer, message }) => ({
      code: 'status-differs',
      severity: 'note',
      message: `${message}; the status counts`,
      resource: object.locator,
      pointer,
    })),
  );
}

/**
 * Returns which of some targets are not programmed, by their statuses: Gateways and listeners.
 *
 * @param targets Targets of its topologies.
 */
export function notProgrammedTargets({ ignoreStatus }: World, targets: Iterable<TargetNode>): readonly Finding[] {
  if (ignoreStatus) return [];
  return notProgrammed(targets).map(({ target, message }) => {
    const { object, section } = target;
    const place = section === undefined ? {} : { pointer: `/spec/listeners/${object.sections.indexOf(target)}` };
    return { code: 'not-programmed', severity: 'warning', message, resource: object.locator, ...place };
  });
}
