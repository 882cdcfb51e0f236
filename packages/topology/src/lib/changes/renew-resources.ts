import { groupKindKey, type KubernetesObject, namespaceOf } from '@policy-machinery/resource';
import { referenceGrantKind } from '@policy-machinery/target-ref/inner';
import { namespacePrefix } from '../model/kinds.ts';
import { deletionIssue } from '../model/while-deleting.ts';
import { answerKeys } from '../references/lookup.ts';
import { termsOf } from '../references/selections.ts';
import { none } from '../support/nothing.ts';
import { Target, type WholeTarget } from '../targets/target.ts';
import type { ChangeInProgress, ResourceChange } from './change-in-progress.ts';
import { Contest } from './contest.ts';
import { referrersTo } from './referrers.ts';
import type { TopologyState } from './topology-state.ts';

/** Updates the resources, derives virtual ones, and finds the targets and policies that depend on the changes. */
export function renewResources(change: ChangeInProgress): void {
  const { state } = change;
  if (state.kinds.areDerived || state.kinds.goEarly) change.resources = countingChanges(change);
  else {
    for (const resource of change.given.values()) setGiven(state, resource);
    change.resources = change.given;
  }
  if (state.kinds.goEarly) reportDeletions(change);
  renewGrants(change);
  for (const resource of change.resources.values()) findDependents(change, resource);
}

function setGiven({ given }: TopologyState, { locator, current }: ResourceChange): void {
  if (current === undefined) given.delete(locator);
  else given.set(locator, current);
}

/** Reports which resources no longer count, because their deletion has begun. */
function reportDeletions(change: ChangeInProgress): void {
  const { kinds } = change.state;
  for (const { locator, current } of change.given.values()) {
    const deletions = current !== undefined && kinds.isGone(current) ? [deletionIssue(locator)] : none;
    change.setIssues('deletion', locator, deletions);
  }
}

/** Returns the changes of resources that count before or after the change, and of resources derived from them. */
function countingChanges(change: ChangeInProgress): ChangeInProgress['resources'] {
  const { state } = change;
  const resourcesBefore = countedBefore(change);
  for (const resource of change.given.values()) {
    const { locator } = resource;
    setGiven(state, resource);
    change.setIssues('derived', locator, state.virtual.set(locator, state.counting(locator)));
  }
  return resourceChanges(change, resourcesBefore);
}

/** Returns the earlier resources of the changed locators, and of those derived from them. */
function countedBefore({ state, given }: ChangeInProgress): Map<string, KubernetesObject | undefined> {
  const resources = new Map<string, KubernetesObject | undefined>();
  for (const locator of given.keys()) {
    resources.set(locator, state.resource(locator));
    for (const derived of state.virtual.from(locator)) resources.set(derived, state.resource(derived));
  }
  return resources;
}

function resourceChanges(
  { state, given }: ChangeInProgress,
  resourcesBefore: ReadonlyMap<string, KubernetesObject | undefined>,
): ChangeInProgress['resources'] {
  const resources = new Map<string, ResourceChange>();
  const add = (locator: string, previous: KubernetesObject | undefined): void => {
    const current = state.resource(locator);
    if (previous === current) return;
    const knownKind = state.kinds.of((current ?? previous) as KubernetesObject);
    if (knownKind !== undefined) resources.set(locator, { locator, kind: knownKind, previous, current });
  };
  for (const [locator, previous] of resourcesBefore) add(locator, previous);
  for (const source of given.keys()) {
    for (const locator of state.virtual.from(source)) {
      // A resource with an earlier source is handled there, or has a new first source.
      if (!resources.has(locator) && !resourcesBefore.has(locator)) add(locator, state.target(locator)?.resource);
    }
  }
  return resources;
}

function renewGrants(change: ChangeInProgress): void {
  const { state } = change;
  const namespaces = new Set<string>();
  for (const { locator, kind, previous, current } of change.given.values()) {
    if (kind.prefix !== grantPrefix) continue;
    const namespace = namespaceOf((current ?? previous) as KubernetesObject);
    state.grants.set(namespace, locator, current);
    namespaces.add(namespace);
  }
  for (const namespace of namespaces) {
    change.setIssues('grants', namespace, state.grants.read(namespace));
    spreadTo(change, answerKeys.grants(namespace));
  }
}

const grantPrefix = `${groupKindKey(referenceGrantKind)}:`;

function findDependents(change: ChangeInProgress, { locator, kind, previous, current }: ResourceChange): void {
  const { state } = change;
  const target = previous === undefined ? undefined : state.target(locator);
  for (const who of target === undefined ? none : referrersTo(target.object, state)) change.stale.add(who);
  spreadTo(change, locator);
  if (kind.prefix === namespacePrefix && labelsOf(previous) !== labelsOf(current)) {
    spreadTo(change, answerKeys.labels(((current ?? previous) as KubernetesObject).metadata.name));
  }
  if (kind.target?.creates !== undefined) spreadTo(change, answerKeys.creators);
  if (target !== undefined) spreadToReferred(change, target.object);
  if (kind.policy !== undefined) {
    change.stalePolicies.add(locator);
    if (previous === undefined || current === undefined) spreadTo(change, answerKeys.policy(locator));
  }
  if (kind.target === undefined || !state.selections.isUsed) return;
  for (const resource of [previous, current]) {
    for (const term of resource === undefined ? none : termsOf(resource)) spreadTo(change, term);
  }
}

/** Returns all labels of a Namespace as one text; `undefined` without a Namespace. */
function labelsOf(namespace: KubernetesObject | undefined): string | undefined {
  return namespace && JSON.stringify(Object.entries(namespace.metadata.labels ?? {}).sort());
}

/** Marks the dependents of the referrers of the objects to which a changed object refers. */
export function spreadToReferred(change: ChangeInProgress, object: WholeTarget): void {
  const { kinds, lookup } = change.state;
  if (!kinds.hasRefusals) return;
  for (const { asked, above, below } of [object, ...object.sections]) {
    for (const locator of new Set([...asked, ...[...above, ...below].map((end) => end.object.locator)])) {
      lookup.forgetReferrers(locator);
      spreadTo(change, answerKeys.referrers(locator));
    }
  }
}

function spreadTo(change: ChangeInProgress, key: string): void {
  for (const who of change.state.lookup.dependents(key)) {
    if (who instanceof Target) change.stale.add(who);
    else if (who instanceof Contest) change.contest(who.end, undefined, true);
    else change.stalePolicies.add(who.locator);
  }
}
