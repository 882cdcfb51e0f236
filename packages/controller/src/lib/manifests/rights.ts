import type { WatchedKind } from '@policy-machinery/cluster';
import { customResourceDefinition } from '@policy-machinery/crd';
import { guaranteeKind } from '@policy-machinery/guarantees/definition';
import { statusLocations } from '@policy-machinery/policy-status';
import { formatGroupKind, type GroupKind, groupKindKey } from '@policy-machinery/resource';
import { pluralOf } from '@policy-machinery/resource/inner';
import { createTopology, isSectionKind, type Targetable } from '@policy-machinery/topology';
import type { PolicyControllerOptions } from '../controller-options.ts';
import { finalizedKinds } from '../finalizers/finalizers.ts';
import { watchesGuarantees } from '../guarantees/guarantee-options.ts';
import { type ConfiguredKind, configuredKindOf } from '../kinds/configured-kind.ts';
import { leaseOf } from '../object-names.ts';
import { watchedKinds } from '../watches/watched-kinds.ts';

/** The options of a controller that its rights follow from. */
export type DeclaredController = Pick<
  PolicyControllerOptions,
  | 'name'
  | 'targetKinds'
  | 'policyKinds'
  | 'watches'
  | 'owns'
  | 'finalizer'
  | 'namespaces'
  | 'kinds'
  | 'lease'
  | 'shards'
  | 'events'
  | 'status'
  | 'guarantees'
  | 'probes'
  | 'drain'
>;

/** A right that a controller needs. */
export interface Right {
  /** The namespace; `undefined` for all, and for cluster-scoped objects. */
  readonly namespace: string | undefined;
  readonly group: string;
  /** The resource, or its subresource: `gateways/status`. */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** The names of the objects. Default: all. */
  readonly names?: readonly string[];
}

const read = ['list', 'watch'];

/**
 * Returns the rights that a controller needs, and no others: to read the objects that it watches, to write statuses, marks, owned objects and its
 * finalizer, to read the definitions of its policy kinds, to record events, and to hold its lease or its shard's.
 */
export function rightsOf(controller: DeclaredController): readonly Right[] {
  const { owns = [], finalizer, status, events = true, lease, shards } = controller;
  const policyKinds = controller.policyKinds.map(configuredKindOf);
  const kinds = policyKinds.map(({ policyKind }) => policyKind);
  const topology = createTopology({ targetKinds: controller.targetKinds, policyKinds: kinds });
  const plurals = new Map(topology.requiredKinds.map((kind) => [groupKindKey(kind), kind.plural]));
  const watched = watchedKinds(topology, controller);

  const rightsFor = (kind: GroupKind, verbs: readonly string[], subresource = ''): readonly Right[] => {
    const resource = `${plurals.get(groupKindKey(kind)) ?? pluralOf(kind.kind)}${subresource}`;
    return placesOf(watched, kind).map((namespace) => ({ namespace, group: kind.group, resource, verbs }));
  };
  /** A write that meets another one reads its object again. */
  const statusRights = (kind: GroupKind) => [...rightsFor(kind, ['get']), ...rightsFor(kind, ['patch'], '/status')];
  const marked = markedKinds(policyKinds, [...topology.targetKinds], status);
  const written = [...kinds, ...marked];
  return [
    ...watched.flatMap((kind) => rightsFor(kind, read)),
    ...kinds.flatMap(statusRights),
    ...(watchesGuarantees(controller) ? statusRights(guaranteeKind) : []),
    ...marked.flatMap((kind) => {
      const place = status?.places?.[formatGroupKind(kind)] ?? statusLocations[formatGroupKind(kind)];
      if (place !== undefined && place.object !== 'annotation') return statusRights(kind);
      const onObject = rightsFor(kind, ['get', 'patch']);
      return place === undefined ? [...onObject, ...rightsFor(kind, ['patch'], '/status')] : onObject;
    }),
    ...owns.flatMap((kind) => rightsFor(kind, ['get', 'patch', 'create', 'delete'])),
    ...(finalizer === undefined
      ? []
      : kinds.flatMap(finalizedKinds).flatMap((kind) => rightsFor(kind, ['get', 'patch']))),
    definitionRight(policyKinds),
    ...(events
      ? eventRights(
          written.flatMap((kind) => placesOf(watched, kind)),
          lease?.namespace,
        )
      : []),
    ...(lease === undefined ? [] : leaseRights(leaseOf(controller.name, lease))),
    ...(shards === undefined ? [] : [shardRight(shards)]),
  ];
}

/** Returns the namespaces that objects of a kind are read in; `undefined` stands for all. */
function placesOf(watched: readonly WatchedKind[], kind: GroupKind): readonly (string | undefined)[] {
  const key = groupKindKey(kind);
  return watched.find((it) => groupKindKey(it) === key)?.namespaces ?? [undefined];
}

/** Whether ancestors say which policies had no room for them. */
function signalsOmissions(status: DeclaredController['status']): boolean {
  return (status?.overflow ?? 'refuse-and-signal') === 'refuse-and-signal';
}

/** Returns the kinds of objects that have conditions or marks about policies. */
function markedKinds(
  policyKinds: readonly ConfiguredKind[],
  targetKinds: readonly Targetable[],
  status: DeclaredController['status'],
): readonly GroupKind[] {
  const { affected = 'targets' } = status ?? {};
  const targets = affected === 'all' ? targetKinds : policyKinds.flatMap(({ policyKind }) => policyKind.targets);
  const ancestors = signalsOmissions(status) ? policyKinds.flatMap(({ policyKind }) => policyKind.ancestors) : [];
  const objects = targets.map((kind) => (isSectionKind(kind) ? kind.of : kind)).filter(({ derive }) => !derive);
  const kinds = affected === 'off' ? ancestors : [...objects, ...ancestors];
  return [...new Map(kinds.map((kind) => [groupKindKey(kind), kind])).values()];
}

/** Returns the right to compare the installed definitions with the declared ones. */
function definitionRight(policyKinds: readonly ConfiguredKind[]): Right {
  const names = policyKinds.map(({ policyKind, options }) => {
    return customResourceDefinition(policyKind, options.definition).definition.metadata.name;
  });
  const group = 'apiextensions.k8s.io';
  return { namespace: undefined, group, resource: 'customresourcedefinitions', verbs: ['get'], names };
}

/** Returns the rights to record events: about objects in some namespaces, about cluster-scoped ones, and about the lease. */
function eventRights(places: readonly (string | undefined)[], leaseNamespace: string | undefined): readonly Right[] {
  const isEverywhere = places.includes(undefined);
  const namespaces = isEverywhere ? [undefined] : [...places, leaseNamespace ?? 'default', 'default'];
  return [...new Set(namespaces)].map((namespace) => {
    return { namespace, group: 'events.k8s.io', resource: 'events', verbs: ['create', 'patch'] };
  });
}

/** Returns the right to the Leases of all replicas: their names are not known before. */
function shardRight({ namespace }: { readonly namespace: string }): Right {
  const verbs = ['create', 'get', 'list', 'update', 'delete'];
  return { namespace, group: 'coordination.k8s.io', resource: 'leases', verbs };
}

/** A right to create cannot be bound to a name. */
function leaseRights({ namespace, name }: { readonly namespace: string; readonly name: string }): readonly Right[] {
  const leases = { namespace, group: 'coordination.k8s.io', resource: 'leases' };
  return [
    { ...leases, verbs: ['create'] },
    { ...leases, verbs: ['get', 'update'], names: [name] },
  ];
}
