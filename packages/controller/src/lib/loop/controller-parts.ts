import { type Clock, holdLease, type Lease, type Transport, type WatchedKind } from '@policy-machinery/cluster';
import { guaranteeKind } from '@policy-machinery/guarantees/definition';
import type { StatusPlannerOptions } from '@policy-machinery/policy-status';
import { formatGroupKind, groupKindKey, PolicyMachineryError, type ResourceScope } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import type { PolicyControllerOptions } from '../controller-options.ts';
import { watchesGuarantees } from '../guarantees/guarantee-options.ts';
import type { ConfiguredKind } from '../kinds/configured-kind.ts';
import { marksOf } from '../owned/owned-write.ts';
import { watchedKindOf } from '../watches/watches.ts';
import type { Reporter } from './reporter.ts';
import type { Telemetry } from './telemetry.ts';

/** The options with all defaults that a controller works with. */
export interface ControllerSettings extends PolicyControllerOptions<readonly ConfiguredKind[]> {
  readonly clock: Clock;
  readonly random: () => number;
  readonly drain: number;
  readonly reporter: Reporter;
  readonly telemetry: Telemetry;
}

/** Returns the lease of a controller, held or not; `undefined` if there is no election. */
export function createLease(settings: ControllerSettings, connection: Transport): Lease | undefined {
  const { lease, name, clock, random, reporter, telemetry, dryRun } = settings;
  if (lease === undefined || dryRun === true) return undefined;
  const onError = (error: unknown) => reporter.leaseFailed(error);
  const onSlowPath = () => telemetry.slowPath();
  return holdLease(connection, { ...leaseOf(name, lease), clock, random, onError, onSlowPath });
}

/** Returns the options of a lease with its name. Default: that of the controller. */
export function leaseOf<Lease extends { readonly name?: string }>(
  controller: string,
  lease: Lease,
): Lease & { readonly name: string } {
  return { ...lease, name: lease.name ?? objectNameOf(controller) };
}

/** Returns the options of the status planner. The writer keeps each write until it is sent, so only failed writes are planned again. */
export function plannerOptionsOf(settings: ControllerSettings): StatusPlannerOptions {
  const { name, controllerName = name, status = {}, clock } = settings;
  const { form: _form, ...options } = status;
  return { ...options, controllerName, now: () => new Date(clock.now()), repeat: 'after-failure' };
}

/**
 * Returns the kinds to watch: those that a topology needs, and further ones. Of Namespaces, only the metadata is read. Of a kind that is owned and not
 * watched otherwise, only the controller's objects are.
 *
 * @throws {PolicyMachineryError} `watched-already`, if a further kind is among those that the topology needs; `partly-watched`, if an owned kind is
 * watched as well, and not all of its objects are read with their contents.
 */
export function watchedKinds({ requiredKinds }: Topology, settings: WatchSettings): readonly WatchedKind[] {
  const { name, watches = [], owns = [], namespaces, kinds = {} } = settings;
  const needed = new Set(requiredKinds.map(groupKindKey));
  const watched = new Map(watches.map((watch) => [groupKindKey(watch.kind), watch]));
  const ownedOnly = owns.filter((kind) => !watched.has(groupKindKey(kind)));
  for (const kind of owns) {
    const { metadataOnly, labelSelector, fieldSelector, namespaces: some } = watched.get(groupKindKey(kind)) ?? {};
    if (!metadataOnly && (labelSelector ?? fieldSelector ?? some) === undefined) continue;
    const message = `${formatGroupKind(kind)} is in owns, so watches must read all of its objects; leave out what selects a part of them`;
    throw new PolicyMachineryError('partly-watched', message);
  }
  for (const kind of [...watches.map(({ kind }) => kind), ...ownedOnly]) {
    if (!needed.has(groupKindKey(kind))) {
      needed.add(groupKindKey(kind));
      continue;
    }
    const message = `${formatGroupKind(kind)} is watched already, as a target, a policy or between these, or twice in watches or owns; name it once, and select objects of target kinds in kinds`;
    throw new PolicyMachineryError('watched-already', message);
  }
  const within = (scope?: ResourceScope) => (namespaces === undefined || scope === 'Cluster' ? {} : { namespaces });
  const ofTopology = requiredKinds.map(({ group, kind, versions, scope }): WatchedKind => {
    const metadataOnly = groupKindKey({ group, kind }) === 'namespace';
    const {
      whenAbsent: _absent,
      whenForbidden: _forbidden,
      ...selected
    } = kinds[formatGroupKind({ group, kind })] ?? {};
    return { group, kind, versions, metadataOnly, ...within(scope), ...selected };
  });
  const labelSelector = marksOf(name).label.join('=');
  return [
    ...ofTopology,
    ...watches.map((watch) => ({ ...within(watch.kind.scope), ...watchedKindOf(watch) })),
    ...ownedOnly.map(({ group, kind, versions = ['v1'], scope }) => {
      return { ...within(scope), group, kind, versions, labelSelector };
    }),
    ...(watchesGuarantees(settings)
      ? [{ group: guaranteeKind.group, kind: guaranteeKind.kind, versions: [guaranteeKind.version] }]
      : []),
  ];
}

/** The options that say which objects are read. */
export type WatchSettings = Pick<
  PolicyControllerOptions,
  'name' | 'watches' | 'owns' | 'namespaces' | 'kinds' | 'guarantees'
>;

/** Returns the name of a controller as an object's name: `timeouts.example.com-controller`. */
export function objectNameOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9.-]/g, '-');
}
