import type { DeclaredPolicy } from '@policy-machinery/effective-policy';
import type { ResourceRef } from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import { type Finding, findingAt } from './finding.ts';
import type { ReportedPolicy } from './places.ts';

/**
 * Returns the findings for verdicts on a policy on a target, each at the places that the verdict is about.
 *
 * @param target The target, where there is one.
 */
export function verdictFindings(
  verdicts: Verdicts,
  target: TargetNode | undefined,
  places: readonly ResourceRef[],
  { effective: { topology } }: ReportedPolicy,
): readonly Finding[] {
  return verdicts.flatMap((verdict) => {
    const { ancestors } = verdict;
    const isAbout = ancestors === undefined ? () => true : placesAbout(ancestors, target, topology);
    return findingAt(places.filter(isAbout), saidBy(verdict));
  });
}

/**
 * Returns the findings for verdicts on a policy on a namespace, which does not have ancestors itself: each verdict is reported at the
 * targets that it is about, if paths to members of the namespace pass them.
 */
export function findingsOfMembers(
  verdicts: Verdicts,
  namespace: TargetNode,
  { effective, ancestorsOf }: ReportedPolicy,
): readonly Finding[] {
  const { topology } = effective;
  const members = verdicts.length === 0 ? [] : [...topology.membersOf(namespace)];
  if (members.length === 0) return [];
  return verdicts.flatMap((verdict) =>
    (verdict.ancestors ?? []).flatMap((locator) => {
      const judged = topology.get(locator);
      if (judged === undefined) return [];
      const met = new Set([judged.object, ...topology.ancestors(judged), ...topology.descendants(judged)]);
      if (!members.some((member) => met.has(member))) return [];
      const ours = ancestorsOf(judged).filter(({ object }) => effective.manages(object));
      return findingAt(
        ours.map(({ ref }) => ref),
        saidBy(verdict),
      );
    }),
  );
}

function saidBy({ outcome, reason, message }: Verdicts[number]): Omit<Finding, 'ancestors'> {
  return { outcome, reason, details: message };
}

/** The controller's verdicts on a policy. */
export type Verdicts = DeclaredPolicy<unknown>['verdicts'];

/** Returns whether a verdict applies wherever the policy is attached. */
export function isAboutAll({ ancestors }: Verdicts[number]): boolean {
  return ancestors === undefined;
}

/**
 * Returns a test of the places where a verdict about some targets is reported: those that share a path with the policy's target and one
 * of these targets. O(targets above).
 */
function placesAbout(
  locators: readonly string[],
  target: TargetNode | undefined,
  topology: Topology,
): (place: ResourceRef) => boolean {
  const judged = locators.flatMap((locator) => topology.get(locator) ?? []);
  const met = judged.filter((it) => target !== undefined && mayMeet(it, target, topology));
  return (place) => {
    const node = topology.get(place);
    return node !== undefined && met.some((it) => mayMeet(it, node, topology));
  };
}

/** Returns whether paths can pass both targets. */
function mayMeet(a: TargetNode, b: TargetNode, topology: Topology): boolean {
  if (a.object === b.object) return a === b || a.section === undefined || b.section === undefined;
  return topology.ancestors(a).includes(b) || topology.ancestors(b).includes(a);
}
