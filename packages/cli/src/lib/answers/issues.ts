import { Gateway, ListenerSet, listenerStatuses, XListenerSet } from '@policy-machinery/gateway-api';
import { groupKindKey, groupKindOf, locatorOf, parseLocator } from '@policy-machinery/resource';
import { formatRef, type PolicyNode, type Topology } from '@policy-machinery/topology';
import { hasGrounds } from '../input/gitops/grounds.ts';
import { unrenderedText } from '../input/gitops/unrendered.ts';
import type { Finding } from '../model/answer.ts';
import type { StateOutcome } from '../model/state-outcome.ts';
import type { Unrendered } from '../model/unrendered.ts';
import type { Scope, World } from '../model/world.ts';
import { notProgrammed } from '../statuses/not-programmed.ts';
import { statusAgeTexts } from '../statuses/status-age.ts';
import { isInScope } from './in-scope.ts';
import { policyStates } from './policy-state.ts';

/**
 * Returns everything that is wrong in a world, or worth knowing: faults of the input, targets and references that do not exist, policies
 * that cannot be read, and policies without effect.
 *
 * @param world The world.
 * @returns The findings, by file and line, then by resource.
 */
export function findingsIn(world: World): readonly Finding[] {
  const { topologies, views, scope } = world;
  const found: readonly Finding[] = [
    ...unrenderedFindings(world.unrendered),
    ...world.inputIssues,
    ...topologies.flatMap(({ issues }) => issues),
    ...views.flatMap(({ effective }) => effective.issues.filter((issue) => !isUsualInFiles(issue))),
    ...mergeIssues(views),
    ...topologies.flatMap((topology) => danglingReferences(topology, world)),
    ...assumedParents(world),
    ...refusedPolicies(world),
    ...listenerConflicts(world.topology),
    ...ineffectivePolicies(world),
    ...notProgrammedTargets(world),
  ];
  const located = found
    .filter((finding) => hasGrounds(world, finding))
    .map((finding): Finding => {
      const { position } = world.locate({ ...finding, severity: 'error' });
      return position === undefined ? finding : { ...finding, position };
    });
  return first(
    withoutRepeats(located)
      .filter((finding) => isIn(scope, finding))
      .sort(byPlace),
  );
}

/** Says once what is not rendered, so that silence about it is not taken for a verdict. */
function unrenderedFindings(unrendered: Unrendered): readonly Finding[] {
  const message = unrenderedText(unrendered);
  return message === '' ? [] : [{ code: 'not-rendered', severity: 'note', message }];
}

/** The most findings in one answer. No one reads more, and a hostile file must not fill a log. */
const maxFindings = 1000;

/** Returns the first findings, and one with the count of the rest, as severe as the worst of these. */
function first(findings: readonly Finding[]): readonly Finding[] {
  const rest = findings.slice(maxFindings);
  if (rest.length === 0) return findings;
  const severity = (['error', 'warning', 'note'] as const).find((it) =>
    rest.some((finding) => finding.severity === it),
  );
  const message = `${rest.length} more findings are left out; correct these first`;
  return [...findings.slice(0, maxFindings), { code: 'more-findings', severity: severity ?? 'note', message }];
}

/** Returns what is wrong with policies only together with others: merged specs that are refused, and conditions or strategies that fail. */
function mergeIssues(views: World['views']): readonly Finding[] {
  return views.flatMap(({ effective }) =>
    effective.policies.flatMap(({ node }) =>
      effective.reachInGroups(node.locator).flatMap(({ share }) => share.issues),
    ),
  );
}

/** Returns whether a finding is usual in files: they have no creation times, which the API server sets. Objects of a cluster have one. */
function isUsualInFiles({ code }: Finding): boolean {
  return code === 'missing-creation-timestamp';
}

/** The pointer of references that no field declares: from a Namespace to its workloads, and from a Gateway to the Pods that run it. */
const ownName = '/metadata/name';

/** Returns the references to resources that do not exist. A kind without any object is taken to be missing from the input, and left out. */
function danglingReferences(topology: Topology, world: World): readonly Finding[] {
  const kinds = new Set(world.objects.map((object) => groupKindKey(groupKindOf(object))));
  return topology.unresolved
    .filter(({ missing }) => kinds.has(missing.slice(0, missing.indexOf(':'))))
    .filter(({ reference: { pointer } }) => pointer !== ownName)
    .filter(({ from, missing }) =>
      hasGrounds(world, { code: 'unresolved-reference', resource: from.object.locator, missing }),
    )
    .map(({ from, missing, reference: { pointer } }) => ({
      code: 'unresolved-reference',
      severity: 'warning',
      message: `refers to ${whatIsMissing(missing, topology)}; create it or correct the reference`,
      resource: from.object.locator,
      pointer,
    }));
}

/** Returns the references of routes to Gateways that are not in the input. Their policies count as if the Gateway accepted them. */
function assumedParents(world: World): readonly Finding[] {
  return world.assumed.flatMap(({ object, refs }) => {
    const missing = locatorOf(object, 'Namespaced');
    const message = `refers to ${whatIsMissing(missing, world.topology)}; create it or correct the reference`;
    return refs
      .filter(({ resource }) => hasGrounds(world, { code: 'unresolved-reference', resource, missing }))
      .map(({ resource, pointer }): Finding => {
        return { code: 'unresolved-reference', severity: 'warning', message, resource, pointer };
      });
  });
}

/** Returns the name of a missing resource as people write it, with the kind in its own spelling. */
function whatIsMissing(missing: string, topology: Topology): string {
  const key = missing.slice(0, missing.indexOf(':'));
  const kind = [...topology.targetKinds].find((each) => groupKindKey(each) === key)?.kind ?? key;
  const name = missing.slice(key.length + 1);
  if (name === '?') return `objects of ${kind} by labels, and none exist`;
  if (name.endsWith('#?')) return `a section of ${kind} ${name.slice(0, -2)} that is not there`;
  return `${kind} ${name}, which does not exist`;
}

/** Returns the listeners that receive no requests, since others take their place on the port, with the policies that reach none for this reason. */
function listenerConflicts(topology: Topology): readonly Finding[] {
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

const listenerOwners = [Gateway, ListenerSet, XListenerSet];

function nameOf({ resource: { kind, metadata } }: PolicyNode): string {
  return formatRef({ kind, namespace: metadata.namespace, name: metadata.name });
}

/** Returns the policies that are valid, and yet have no effect, or not all that they ask for. */
function ineffectivePolicies(world: World): readonly Finding[] {
  return policyStates(world).flatMap(({ policy, view, outcome, message, statusAge }): readonly Finding[] => {
    const severity = severities[outcome];
    const resource = policy.locator;
    const age: readonly Finding[] =
      statusAge === undefined
        ? []
        : [{ code: `status-${statusAge}`, severity: 'note', message: statusAgeTexts[statusAge], resource }];
    const isRefused = (view.effective.policy(resource)?.verdicts.length ?? 0) > 0;
    return severity === undefined || isRefused ? age : [{ code: outcome, severity, message, resource }, ...age];
  });
}

/** Returns the policies that their controllers refuse, with the controllers' words. */
function refusedPolicies({ views }: World): readonly Finding[] {
  return views.flatMap(({ effective }) =>
    effective.policies.flatMap(({ node, verdicts }) =>
      verdicts.map(({ message }): Finding => {
        return { code: 'refused-by-controller', severity: 'error', message, resource: node.locator };
      }),
    ),
  );
}

/** Returns the Gateways and listeners that are not programmed, by their statuses. */
function notProgrammedTargets({ topologies, ignoreStatus }: World): readonly Finding[] {
  if (ignoreStatus) return [];
  return topologies.flatMap((topology) =>
    notProgrammed(topology.targets).map(({ target, message }) => {
      return { code: 'not-programmed', severity: 'warning', message, resource: target.locator } as const;
    }),
  );
}

/** The severity of outcomes that are not reported as issues. */
const severities: Readonly<Partial<Record<StateOutcome, Finding['severity']>>> = {
  conflicted: 'warning',
  overridden: 'note',
  'not-in-any-path': 'note',
  pending: 'warning',
};

function isIn(scope: Scope, { resource }: Finding): boolean {
  return resource === undefined || isInScope(scope, parseLocator(resource).namespace);
}

/** Returns findings without duplicates: of several with the same message for the same place, the first. */
function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Map<string, Finding>();
  for (const finding of findings) {
    const { code, resource, pointer, message, position } = finding;
    const key = JSON.stringify([code, resource, pointer, message, position?.source, position?.line]);
    if (!seen.has(key)) seen.set(key, finding);
  }
  return [...seen.values()];
}

function byPlace(a: Finding, b: Finding): number {
  const [from, to] = [a.position, b.position];
  return (
    compare(from?.source ?? '', to?.source ?? '') ||
    (from?.line ?? 0) - (to?.line ?? 0) ||
    compare(a.resource ?? '', b.resource ?? '') ||
    compare(a.pointer ?? '', b.pointer ?? '')
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
