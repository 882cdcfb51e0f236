import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { groupKindKey, parseLocator } from '@policy-machinery/resource';
import {
  formatRef,
  formatTarget,
  isSectionKind,
  type ResolvedReference,
  type TargetKind,
  type TargetNode,
  type Topology,
  type Unseen,
} from '@policy-machinery/topology';
import { formatUnseen, mayBeBelow, unseenRoutes } from '@policy-machinery/topology/inner';

/** Finds the unknown parts of the paths in a topology with a part of the resources. In a topology with all resources, nothing is unknown. */
export interface NotKnown {
  /** Returns why a target that no path leads to may have one, in a sentence; `undefined` if none does for certain. O(targets above). */
  readonly above: (target: TargetNode) => string | undefined;
  /** Returns why a policy may affect targets below a target that has none in the topology, in a sentence; `undefined` if it has none for certain. */
  readonly below: (target: TargetNode) => string | undefined;
  /**
   * Returns why a policy may have further scopes by a target, in a sentence: a reference of a target above or below that leads to something that is
   * not given. `undefined` if it certainly does not have others. O(targets above and below).
   */
  readonly around: (target: TargetNode) => string | undefined;
}

/** Returns the unknown parts of the paths to the effective targets of a policy kind. */
export function notKnownOf({ topology, kind }: Pick<EffectivePolicies<unknown>, 'topology' | 'kind'>): NotKnown {
  const incomplete = [...topology.targetKinds].filter((each) => !topology.isComplete(each));
  const isWhole = incomplete.length === 0 && decisive.every((each) => topology.isComplete(each));
  const unseen = unseenRoutes(topology);
  const below = (target: TargetNode) => sentenceAboutUnseen(unseen.find((it) => mayBeBelow(it, target)));
  const above = (target: TargetNode) => sentenceAboutUnseen(unseen.find((it) => mayLeadTo(it, target, topology)));
  if (isWhole) return { above, below, around: below };
  const effective = kind.effectiveTargets.map((it) => (isSectionKind(it) ? it.of : it));
  return {
    above: (target) =>
      above(target) ??
      (mayBeReached(target.object, { topology, incomplete })
        ? `Whether a path leads to ${formatTarget(target)} is not known, because its parents may not be in this input.`
        : undefined),
    below: (target) =>
      below(target) ??
      `Whether ${formatTarget(target)} has targets that this policy can affect is not known, because they may not be in this input.`,
    around: (target) => missingAround(target, topology, effective) ?? below(target),
  };
}

/** Returns whether a route that is unseen may lead to a target. */
function mayLeadTo({ creation }: Unseen, { object: { kind } }: TargetNode, topology: Topology): boolean {
  if (isSectionKind(kind)) return false;
  const key = groupKindKey(creation ?? kind);
  const route = [...topology.targetKinds].find((each) => groupKindKey(each) === key);
  return route?.mayReferTo?.(kind, 'down') ?? true;
}

function sentenceAboutUnseen(unseen: Unseen | undefined): string | undefined {
  return unseen && `Not known in all scopes: ${formatUnseen(unseen)}.`;
}

/** The kinds that decide about references. */
const decisive = [
  { group: 'gateway.networking.k8s.io', kind: 'ReferenceGrant' },
  { group: '', kind: 'Namespace' },
];

interface Given {
  readonly topology: Topology;
  readonly incomplete: readonly TargetKind[];
}

/** Returns whether a parent that is not given may lead to an object. */
function mayBeReached(object: TargetNode, given: Given, seen = new Set<TargetNode>()): boolean {
  if (seen.has(object)) return false;
  seen.add(object);
  const { kind } = object;
  const mayLeadTo = (parent: TargetKind) => !isSectionKind(kind) && (parent.mayReferTo?.(kind, 'down') ?? true);
  if (given.incomplete.some(mayLeadTo)) return true;
  const up = given.topology.referencesOf(object).filter(({ reference }) => reference.direction === 'up');
  return up.some(({ isUndecided, ends }) => isUndecided || ends.some((end) => mayBeReached(end.object, given, seen)));
}

function missingAround(target: TargetNode, topology: Topology, effective: readonly TargetKind[]): string | undefined {
  const above = [target.object, ...topology.ancestors(target).filter(({ section }) => section === undefined)];
  for (const node of above) {
    if (isSectionKind(node.kind) || node.kind.needsParent !== true) continue;
    const parent = topology.referencesOf(node).find((it) => it.isUndecided && it.reference.direction === 'up');
    if (parent !== undefined) return sentenceAbout(node, parent);
  }
  const leads = (to: TargetKind | undefined) =>
    to !== undefined && effective.some((it) => it === to || topology.leadsTo(to, it));
  const kinds = new Map([...topology.targetKinds].map((each) => [groupKindKey(each), each]));
  for (const node of [target, ...topology.descendants(target)]) {
    const child = topology.referencesOf(node).find(({ isUndecided, reference: { direction, to } }) => {
      return isUndecided && direction === 'down' && leads(kinds.get(groupKindKey(to)));
    });
    if (child !== undefined) return sentenceAbout(node, child);
  }
  return undefined;
}

/** Returns a sentence about the missing object that a reference leads to. */
function sentenceAbout(node: TargetNode, { reference: { to }, missing, refusals }: ResolvedReference): string {
  const [refusal] = refusals.filter(({ isUndecided }) => isUndecided);
  const locator = missing ?? refusal?.to ?? '';
  const named = 'name' in to ? formatRef({ ...parseLocator(locator), kind: to.kind }) : `objects of ${to.kind}`;
  const what = refusal === undefined ? 'which is not in this input' : `and ${refusal.message} in this input`;
  return `Not known in all scopes: ${formatTarget(node)} refers to ${named}, ${what}.`;
}
