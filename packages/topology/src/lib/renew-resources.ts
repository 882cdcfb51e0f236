import { type KubernetesObject, namespaceOf } from '@policy-machinery/resource';
import { referenceGrantKind } from '@policy-machinery/target-ref';
import type { CheckedChange } from './change.ts';
import type { ChangeRecord, ResourceChange } from './change-record.ts';
import { answerKeys } from './lookup.ts';
import { referrersTo } from './referrers.ts';
import { termsOf } from './selections.ts';
import { Target } from './target.ts';
import type { World } from './world.ts';

/** Takes in what is given and taken away, and works out what follows from that, and who depends on it. */
export function renewResources(
  world: World,
  { upserts, removals }: Pick<CheckedChange, 'upserts' | 'removals'>,
  record: ChangeRecord,
): void {
  const { given } = world;
  for (const locator of removals) {
    const was = given.get(locator);
    if (was !== undefined && !upserts.has(locator)) record.given.set(locator, { was, now: undefined });
  }
  for (const [locator, now] of upserts) {
    const was = given.get(locator);
    if (was !== now) record.given.set(locator, { was, now });
  }
  if (world.virtual.areNone) {
    for (const [locator, change] of record.given) setGiven(world, locator, change);
    record.resources = record.given;
  } else renewVirtual(world, record);
  renewGrants(world, record);
  for (const [locator, change] of record.resources) findDependents(world, locator, change, record);
}

function setGiven({ given }: World, locator: string, { now }: ResourceChange): void {
  if (now === undefined) given.delete(locator);
  else given.set(locator, now);
}

function renewVirtual(world: World, record: ChangeRecord): void {
  const before = beforeVirtual(world, record);
  for (const [locator, change] of record.given) {
    setGiven(world, locator, change);
    record.report(world.issues.set('derived', locator, world.virtual.set(locator, change.now)));
  }
  resourceChanges(world, before, record);
}

/** What there was before by the names of what is given, and of what was derived from it. */
function beforeVirtual(world: World, record: ChangeRecord): Map<string, KubernetesObject | undefined> {
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
  record: ChangeRecord,
): void {
  const add = (locator: string, was: KubernetesObject | undefined): void => {
    const now = world.resource(locator);
    if (was !== now) record.resources.set(locator, { was, now });
  };
  for (const [locator, was] of before) add(locator, was);
  for (const source of record.given.keys()) {
    for (const locator of world.virtual.from(source)) {
      // One that was derived from elsewhere before has its turn there, or is the first no longer.
      if (!record.resources.has(locator) && !before.has(locator)) add(locator, world.target(locator)?.resource);
    }
  }
}

function renewGrants(world: World, record: ChangeRecord): void {
  const namespaces = new Set<string>();
  for (const [locator, { was, now }] of record.given) {
    const resource = (now ?? was) as KubernetesObject;
    if (resource.kind !== referenceGrantKind.kind || !locator.startsWith(grantPrefix)) continue;
    const namespace = namespaceOf(resource);
    world.grants.set(namespace, locator, now);
    namespaces.add(namespace);
  }
  for (const namespace of namespaces) {
    record.report(world.issues.set('grants', namespace, world.grants.read(namespace)));
    spreadTo(world, answerKeys.grants(namespace), record);
  }
}

const grantPrefix = 'referencegrant.gateway.networking.k8s.io:';
const namespacePrefix = 'namespace:';

function findDependents(world: World, locator: string, { was, now }: ResourceChange, record: ChangeRecord): void {
  const target = was === undefined ? undefined : world.target(locator);
  for (const who of target === undefined ? [] : referrersTo(target.object, world.loops)) record.stale.add(who);
  spreadTo(world, locator, record);
  if (locator.startsWith(namespacePrefix) && labelsOf(was) !== labelsOf(now)) {
    spreadTo(world, answerKeys.labels(locator.slice(namespacePrefix.length)), record);
  }
  const known = world.kinds.of((now ?? was) as KubernetesObject);
  if (known?.policy !== undefined) {
    record.stalePolicies.add(locator);
    if (was === undefined || now === undefined) spreadTo(world, answerKeys.policy(locator), record);
  }
  if (known?.target === undefined || !world.selections.isUsed) return;
  for (const resource of [was, now]) {
    for (const term of resource === undefined ? [] : termsOf(resource)) spreadTo(world, term, record);
  }
}

/** All labels of a Namespace in one text; nothing where there is no Namespace. */
function labelsOf(namespace: KubernetesObject | undefined): string | undefined {
  return namespace && JSON.stringify(Object.entries(namespace.metadata.labels ?? {}).sort());
}

function spreadTo({ lookup }: World, key: string, record: ChangeRecord): void {
  for (const who of lookup.dependents(key)) {
    if (who instanceof Target) record.stale.add(who);
    else record.stalePolicies.add(who.locator);
  }
}
