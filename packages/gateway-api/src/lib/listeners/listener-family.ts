import type { JsonObject } from '@policy-machinery/resource';
import type { NamedSection, TargetNode, Topology } from '@policy-machinery/topology';
import { reportedDecision, reportedListeners } from '../attachment/acceptance.ts';
import { compareAge, compareNames } from '../fields/compare-objects.ts';
import { gatewayGroup } from '../fields/group.ts';
import { gatewayKind, isSameKind, ownsListeners } from '../fields/hierarchy.ts';
import { certificatesOf } from './certificates.ts';
import type { DataPlane, GatewayFacts, ListenerUncertainty } from './data-plane.ts';
import { type ListenerConflict, listenerConflicts } from './listener-conflict.ts';
import { lacksTls } from './listener-protocol.ts';

/** A Gateway and the ListenerSets that it accepts: their listeners can conflict with one another. */
export interface ListenerFamily {
  /** The Gateway, then its ListenerSets: the oldest first, and then by `namespace/name` (GEP-1713). */
  readonly owners: readonly TargetNode[];
  /** The listeners in conflict with one of higher precedence. */
  readonly conflicts: ReadonlyMap<NamedSection | undefined, ListenerConflict>;
  /** The listeners in conflict with others of higher precedence that may not count. */
  readonly possibleConflicts: ReadonlyMap<NamedSection | undefined, ListenerConflict>;
  /** The uncertain listeners: whether they take requests is not known. Each has the fact that decides. */
  readonly uncertain: ReadonlyMap<NamedSection | undefined, ListenerUncertainty>;
  /** Returns the listeners that may be in conflict with listeners of ListenerSets that the Gateway may accept, and of Gateways that may share its proxies. */
  readonly openConflicts: (topology: Topology) => ReadonlySet<NamedSection | undefined>;
  readonly dataPlane: DataPlane;
}

/**
 * Returns the family of a Gateway, or of a ListenerSet that no Gateway accepts. O(its listeners).
 *
 * @param head The Gateway or ListenerSet.
 * @param facts Whether the current status of a listener decides, if it contains a decision, and the data plane of the Gateway.
 */
export function listenerFamily(head: TargetNode, { dataPlane, statusCounts }: GatewayFacts): ListenerFamily {
  const owners = [head, ...inOrder(head.linksTo.filter(({ ref }) => ownsListeners(ref)))] as const;
  const listeners = owners.map(listenersOf);
  const isRefused = ({ value }: NamedSection) => dataPlane.listenersWithoutTls === 'refused' && lacksTls(value);
  const claiming = listeners.map((own) => own.filter((listener) => !isRefused(listener)));
  const lost = listenerConflicts(claiming);
  const uncertain = uncertainAmong(claiming, lost, dataPlane);
  const conflicts = new Map<NamedSection, ListenerConflict>([
    ...[...lost].filter(([listener]) => !uncertain.has(listener)),
    ...listeners.flat().flatMap((listener) => (isRefused(listener) ? [[listener, 'no tls'] as const] : [])),
  ]);
  const possibleConflicts = new Map([...lost].filter(([listener]) => uncertain.has(listener)));
  const computed = { conflicts, possibleConflicts, uncertain };
  const decided = statusCounts ? withReported(computed, owners) : computed;
  const openConflicts = (topology: Topology) => openConflictsIn(topology, owners, dataPlane);
  return { owners, dataPlane, ...decided, openConflicts };
}

const classKind = { group: gatewayGroup, kind: 'GatewayClass' } as const;

/** Returns the listeners in conflict if all count that may: of ListenerSets in their order, and of other Gateways before them. Returns all listeners if Gateways may be missing. */
function openConflictsIn(
  topology: Topology,
  [head, ...sets]: readonly [TargetNode, ...TargetNode[]],
  { sharedProxies }: DataPlane,
): ReadonlySet<NamedSection> {
  const gatewayClass = head.linksFrom.find(({ ref }) => ref.kind === classKind.kind);
  const isClassOpen = gatewayClass === undefined && sharedProxies === undefined && !topology.isComplete(classKind);
  const mayMerge = isClassOpen || sharedProxies === 'by class';
  if (mayMerge && !topology.isComplete(gatewayKind)) return new Set([head, ...sets].flatMap(listenersOf));
  const merged = mayMerge ? (gatewayClass?.linksTo ?? []).filter((it) => it !== head) : [];
  const open = topology.refused.flatMap(({ from, to, isUndecided }) =>
    isUndecided && ownsListeners(from.ref) && topology.get(to)?.object === head ? [from.object] : [],
  );
  if (merged.length + open.length === 0) return new Set();
  const rivals = merged.flatMap((it) => [it, ...it.linksTo.filter(({ ref }) => ownsListeners(ref))]);
  const owners = [...rivals, head, ...inOrder([...sets, ...open])];
  return new Set(listenerConflicts(owners.map(listenersOf)).keys());
}

function inOrder(sets: readonly TargetNode[]): readonly TargetNode[] {
  return sets.toSorted((a, b) => compareAge(a.resource, b.resource) || compareNames(a.resource, b.resource));
}

function listenersOf({ sections }: TargetNode): readonly NamedSection[] {
  return sections.map(({ section }) => section as NamedSection);
}

/**
 * Returns the uncertain listeners: HTTPS listeners that the data plane may refuse; listeners that
 * lose to none but those, or to none but listeners that may lack their certificates; and the latter. Whether certificates exist is not known here.
 */
function uncertainAmong(
  claiming: readonly (readonly NamedSection[])[],
  lost: ReadonlyMap<NamedSection, ListenerConflict>,
  { claimsWithoutCertificate = 'both', listenersWithoutTls = 'both' }: DataPlane,
): ReadonlyMap<NamedSection, ListenerUncertainty> {
  const all = claiming.flat();
  const isOpen = (it: NamedSection) => listenersWithoutTls === 'both' && lacksTls(it.value);
  const uncertain = new Map<NamedSection, ListenerUncertainty>();
  for (const listener of all.filter(isOpen)) uncertain.set(listener, 'missing tls');
  if (lost.size === 0) return uncertain;
  const mayLack = (it: NamedSection) => claimsWithoutCertificate !== 'kept' && hasCertificates(it);
  const certain = listenerConflicts(claiming, (listener) => !isOpen(listener) && !mayLack(listener));
  const losers = [...lost.keys()].filter((listener) => !certain.has(listener));
  const ports = new Set(losers.map(({ value }) => value.port));
  const lacking = all.filter((it) => ports.has(it.value.port) && mayLack(it) && !lost.has(it));
  const fact = lacking.length > 0 || losers.some(mayLack) ? 'missing certificate' : 'missing tls';
  for (const listener of [...losers, ...lacking]) uncertain.set(listener, fact);
  return uncertain;
}

function hasCertificates({ value }: NamedSection): boolean {
  return certificatesOf({ index: 0, value }).length > 0;
}

type Decisions = Pick<ListenerFamily, 'conflicts' | 'possibleConflicts' | 'uncertain'>;

/** Returns the decisions in the statuses of the owners, and computed ones for listeners without a reported decision. */
function withReported(computed: Decisions, owners: readonly TargetNode[]): Decisions {
  const conflicts = new Map(computed.conflicts);
  const possibleConflicts = new Map(computed.possibleConflicts);
  const uncertain = new Map(computed.uncertain);
  for (const { resource, sections } of owners) {
    const isRefused = typeof reportedDecision(resource) === 'object';
    const byListener = reportedListeners(resource);
    for (const { section } of sections) {
      const reported = isRefused ? 'not accepted' : conflictIn(byListener.get(section?.name) ?? []);
      if (reported !== undefined) {
        uncertain.delete(section);
        possibleConflicts.delete(section);
      }
      if (reported === 'accepted') conflicts.delete(section);
      else if (reported !== undefined) conflicts.set(section, reported);
    }
  }
  return { conflicts, possibleConflicts, uncertain };
}

/** Returns the decision in the conditions of a listener. */
function conflictIn(conditions: readonly JsonObject[]): ListenerConflict | 'accepted' | undefined {
  const is = (wanted: string, status: string) =>
    conditions.find((condition) => condition.type === wanted && condition.status === status);
  const conflicted = is('Conflicted', 'True');
  if (conflicted !== undefined) {
    return conflicted.reason === 'ProtocolConflict' ? 'protocol conflict' : 'hostname conflict';
  }
  if (is('Accepted', 'False') !== undefined) return 'not accepted';
  return is('Accepted', 'True') === undefined ? undefined : 'accepted';
}

/** Returns the Gateway that accepts a ListenerSet; `undefined` if none does. */
export function gatewayOf(listenerSet: TargetNode): TargetNode | undefined {
  return listenerSet.linksFrom.find(({ ref }) => isSameKind(ref, gatewayKind));
}
