import { groupKindKey, type KubernetesObject, namespaceOf } from '@policy-machinery/resource';
import { referenceGrantKind } from '@policy-machinery/target-ref';
import { namespacePrefix } from '../model/kinds.ts';
import { deletionIssue } from '../model/while-deleting.ts';
import { answerKeys } from '../references/lookup.ts';
import { termsOf } from '../references/selections.ts';
import { Target } from '../targets/target.ts';
import type { ChangeInProgress, ResourceChange } from './change-in-progress.ts';
import { referrersTo } from './referrers.ts';
import type { World } from './topology-state.ts';

/** Takes in what is given and taken away, and works out what follows from that, and who depends on it. */
export function renewResources(world: World, record: ChangeInProgress): void {
  if (world.virtual.areNone) {
    for (const change of record.given.values()) setGiven(world, change);
    record.resources = countingChanges(world, record);
  } else renewVirtual(world, record);
  if (world.kinds.goEarly) reportDeletions(world, record);
  renewGrants(world, record);
  for (const change of record.resources.values()) findDependents(world, change, record);
}

function setGiven({ given }: World, { locator, now }: ResourceChange): void {
  if (now === undefined) given.delete(locator);
  else given.set(locator, now);
}

/** What is given and taken away, as far as it counts before or afterwards. */
function countingChanges({ kinds }: World, { given }: ChangeInProgress): Map<string, ResourceChange> {
  if (!kinds.goEarly) return given;
  const counting = new Map<string, ResourceChange>();
  const ifCounting = (resource: KubernetesObject | undefined) =>
    resource === undefined || kinds.isGone(resource) ? undefined : resource;
  for (const [locator, change] of given) {
    const [was, now] = [ifCounting(change.was), ifCounting(change.now)];
    if (was !== now) counting.set(locator, { ...change, was, now });
  }
  return counting;
}

/** Reports which resources no longer count, since their deletion has begun. */
function reportDeletions({ kinds, issues }: World, record: ChangeInProgress): void {
  for (const { locator, now } of record.given.values()) {
    const found = now !== undefined && kinds.isGone(now) ? [deletionIssue(locator)] : none;
    record.report(issues.set('deletion', locator, found));
  }
}

function renewVirtual(world: World, record: ChangeInProgress): void {
  const before = beforeVirtual(world, record);
  for (const change of record.given.values()) {
    const { locator } = change;
    setGiven(world, change);
    record.report(world.issues.set('derived', locator, world.virtual.set(locator, world.counting(locator))));
  }
  resourceChanges(world, before, record);
}

/** What there was before by the names of what is given, and of what was derived from it. */
function beforeVirtual(world: World, record: ChangeInProgress): Map<string, KubernetesObject | undefined> {
  const before = new Map<string, KubernetesObject | undefined>();
  for (const locator of record.given.keys()) {
    before.set(locator, world.resource(locator));
    for (const derived of world.virtual.from(locator)) before.set(derived, world.resource(derived));
  }
  return before;
}

function resourceChanges(
  world: World,
  before: ReadonlyMap<string, KubernetesObject | undefined>,
  record: ChangeInProgress,
): void {
  const add = (locator: string, was: KubernetesObject | undefined): void => {
    const now = world.resource(locator);
    if (was === now) return;
    const known = world.kinds.of((now ?? was) as KubernetesObject);
    if (known !== undefined) record.resources.set(locator, { locator, known, was, now });
  };
  for (const [locator, was] of before) add(locator, was);
  for (const source of record.given.keys()) {
    for (const locator of world.virtual.from(source)) {
      // One that was derived from elsewhere before has its turn there, or is the first no longer.
      if (!record.resources.has(locator) && !before.has(locator)) add(locator, world.target(locator)?.resource);
    }
  }
}

function renewGrants(world: World, record: ChangeInProgress): void {
  const namespaces = new Set<string>();
  for (const { locator, known, was, now } of record.given.values()) {
    if (known.prefix !== grantPrefix) continue;
    const namespace = namespaceOf((now ?? was) as KubernetesObject);
    world.grants.set(namespace, locator, now);
    namespaces.add(namespace);
  }
  for (const namespace of namespaces) {
    record.report(world.issues.set('grants', namespace, world.grants.read(namespace)));
    spreadTo(world, answerKeys.grants(namespace), record);
  }
}

const grantPrefix = `${groupKindKey(referenceGrantKind)}:`;

function findDependents(world: World, { locator, known, was, now }: ResourceChange, record: ChangeInProgress): void {
  const target = was === undefined ? undefined : world.target(locator);
  for (const who of target === undefined ? none : referrersTo(target.object, world.loops)) record.stale.add(who);
  spreadTo(world, locator, record);
  if (known.prefix === namespacePrefix && labelsOf(was) !== labelsOf(now)) {
    spreadTo(world, answerKeys.labels(((now ?? was) as KubernetesObject).metadata.name), record);
  }
  if (known.policy !== undefined) {
    record.stalePolicies.add(locator);
    if (was === undefined || now === undefined) spreadTo(world, answerKeys.policy(locator), record);
  }
  if (known.target === undefined || !world.selections.isUsed) return;
  for (const resource of [was, now]) {
    for (const term of resource === undefined ? none : termsOf(resource)) spreadTo(world, term, record);
  }
}

const none: readonly never[] = [];

/** All labels of a Namespace in one text; nothing where there is no Namespace. */
function labelsOf(namespace: KubernetesObject | undefined): string | undefined {
  return namespace && JSON.stringify(Object.entries(namespace.metadata.labels ?? {}).sort());
}

function spreadTo({ lookup }: World, key: string, record: ChangeInProgress): void {
  for (const who of lookup.dependents(key)) {
    if (who instanceof Target) record.stale.add(who);
    else record.stalePolicies.add(who.locator);
  }
}
