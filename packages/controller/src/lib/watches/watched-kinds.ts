import type { WatchedKind } from '@policy-machinery/cluster';
import { guaranteeKind } from '@policy-machinery/guarantees/definition';
import { formatGroupKind, groupKindKey, PolicyMachineryError, type ResourceScope } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import type { PolicyControllerOptions } from '../controller-options.ts';
import { watchesGuarantees } from '../guarantees/guarantee-options.ts';
import { marksOf } from '../owned/owned-write.ts';
import type { Watch } from './watch.ts';

export type WatchSettings = Pick<
  PolicyControllerOptions,
  'name' | 'watches' | 'owns' | 'namespaces' | 'kinds' | 'guarantees'
>;

/**
 * Returns the kinds to watch: those that a topology needs, and further ones. Of Namespaces, only the metadata is read. Of a kind that is owned and not
 * watched otherwise, only the controller's objects are.
 *
 * @throws {PolicyMachineryError} `watched-already`, if a further kind is among those that the topology needs; `partly-watched`, if an owned kind is
 * watched as well, and not all of its objects are read with their contents.
 */
export function watchedKinds({ requiredKinds }: Topology, settings: WatchSettings): readonly WatchedKind[] {
  const { name, watches = [], owns = [], namespaces, kinds = {} } = settings;
  const watched = new Map(watches.map((watch) => [groupKindKey(watch.kind), watch]));
  const ownedOnly = owns.filter((kind) => !watched.has(groupKindKey(kind)));
  for (const kind of owns) checkWholeKind(formatGroupKind(kind), watched.get(groupKindKey(kind)));
  const needed = new Set(requiredKinds.map(groupKindKey));
  for (const kind of [...watches.map(({ kind }) => kind), ...ownedOnly]) {
    if (needed.has(groupKindKey(kind))) {
      const message = `${formatGroupKind(kind)} is watched already, as a target, a policy or between these, or twice in watches or owns; name it once, and select objects of target kinds in kinds`;
      throw new PolicyMachineryError('watched-already', message);
    }
    needed.add(groupKindKey(kind));
  }
  const within = (scope?: ResourceScope) => (namespaces === undefined || scope === 'Cluster' ? {} : { namespaces });
  const labelSelector = marksOf(name).label.join('=');
  return [
    ...requiredKinds.map(({ group, kind, versions, scope }): WatchedKind => {
      const metadataOnly = groupKindKey({ group, kind }) === 'namespace';
      const selection = kinds[formatGroupKind({ group, kind })] ?? {};
      const { whenAbsent: _absent, whenForbidden: _forbidden, ...selected } = selection;
      return { group, kind, versions, metadataOnly, ...within(scope), ...selected };
    }),
    ...watches.map(({ reconsider: _reconsider, requeue: _requeue, kind: readKind, ...selected }) => {
      const { group, kind, versions = ['v1'], scope } = readKind;
      return { ...within(scope), ...selected, group, kind, versions };
    }),
    ...ownedOnly.map(({ group, kind, versions = ['v1'], scope }) => {
      return { ...within(scope), group, kind, versions, labelSelector };
    }),
    ...(watchesGuarantees(settings)
      ? [{ group: guaranteeKind.group, kind: guaranteeKind.kind, versions: [guaranteeKind.version] }]
      : []),
  ];
}

/** Refuses a watch of an owned kind that does not read all objects with their contents. */
function checkWholeKind(kind: string, watch: Partial<Watch> = {}): void {
  const { metadataOnly, labelSelector, fieldSelector, namespaces } = watch;
  if (!metadataOnly && (labelSelector ?? fieldSelector ?? namespaces) === undefined) return;
  const message = `${kind} is in owns, so watches must read all of its objects; remove the selector`;
  throw new PolicyMachineryError('partly-watched', message);
}
