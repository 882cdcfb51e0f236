import {
  affectedConditionType,
  ancestorLimitReached,
  ancestorLimitType,
  type ConditionUpdate,
} from '@policy-machinery/conditions';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import {
  formatGroupKind,
  groupKindKey,
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  specOf,
} from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import { type AffectedObject, affectedObjects, conditionsOf, onAnyPart } from './affected-objects.ts';
import { type Saying, type StatusPlace, sayAt, sayInParents, sayInSections } from './places.ts';
import { generationOf, isOneOf, statusOf, type UnlistedAncestor } from './plan-policies.ts';
import type { PlanSettings, RefusedStatus, StatusPlan } from './plan-status.ts';
import { type StatusWrite, writeOf } from './status-write.ts';

/** Plans what objects say of the policies that affect them, and of those that have no room for them in their status. */
export function planAffected(
  topology: Topology,
  views: readonly EffectivePolicies<unknown>[],
  unlisted: readonly UnlistedAncestor[],
  settings: PlanSettings,
): StatusPlan {
  const domain = settings.controllerName;
  const affected = affectedObjects(views, domain);
  const owned = views.flatMap(({ kind }) => [
    affectedConditionType(domain, kind.kind),
    ancestorLimitType(domain, kind.kind),
  ]);
  const ancestorKinds = new Set(views.flatMap(({ kind }) => kind.ancestors.map(groupKindKey)));
  const signals = signalsByObject(unlisted, domain, topology);
  const refused: RefusedStatus[] = [];

  const writes = [...topology.targets].flatMap((node): readonly StatusWrite[] => {
    if (node.section !== undefined) return [];
    const plan = objectPlan(node, affected.get(node) ?? [], signals.get(node) ?? [], {
      settings,
      owned,
      ancestorKinds,
      refuse: (message) => refused.push({ resource: node.locator, message }),
    });
    return plan === undefined ? [] : [plan];
  });
  return { writes, refused };
}

interface ObjectSettings {
  readonly settings: PlanSettings;
  readonly owned: readonly string[];
  readonly ancestorKinds: ReadonlySet<string>;
  readonly refuse: (message: string) => void;
}

function objectPlan(
  node: TargetNode,
  affected: readonly AffectedObject[],
  signals: readonly ConditionUpdate[],
  { settings, owned, ancestorKinds, refuse }: ObjectSettings,
): StatusWrite | undefined {
  const { resource, ref, locator } = node;
  const place = placeOf(node, settings.places);
  if (place.object === 'annotation') return markOf(node, affected, owned, settings);

  const saying: Saying = {
    observedGeneration: generationOf(resource),
    now: settings.now,
    owned,
    controllerName: settings.controllerName,
    refused: (conditions) =>
      refuse(`its status has no room for the condition ${conditions.map(({ type }) => type).join(', ')}`),
  };
  const all = (policiesOf: (it: AffectedObject) => AffectedObject['whole']): readonly ConditionUpdate[] =>
    affected.flatMap((it) => conditionsOf(it.type, policiesOf(it), settings.vocabulary));
  const { sections: field } = place;
  const onObject = field === undefined ? onAnyPart : (it: AffectedObject) => it.whole;

  const before = statusOf(resource);
  const said =
    place.object === 'conditions'
      ? sayAt(before, [...all(onObject), ...signals], saying)
      : sayInParents(
          before,
          specOf(resource).parentRefs,
          (parentRef) => [
            ...all((it) =>
              onAnyPart(it).filter(({ ancestors }) => leadsThrough(parentRef, ancestors, node, ancestorKinds)),
            ),
            ...signals,
          ],
          saying,
        );
  const bySection = (name: string) => all((it) => it.sections.get(name) ?? []);
  const status = field === undefined ? said : sayInSections(said, field, bySection, saying);
  if (status === before) return undefined;
  const changed = { ...resource, status };
  const isWhole = place.object === 'parents';
  return writeOf({
    ref,
    locator,
    resource,
    subresource: 'status',
    changed,
    owns: ownedOf(status, place, owned),
    isWhole,
  });
}

function placeOf({ kind, resource }: TargetNode, places: PlanSettings['places']): StatusPlace {
  const known = 'of' in kind ? undefined : places[formatGroupKind(kind)];
  return known ?? { object: Array.isArray(statusOf(resource).conditions) ? 'conditions' : 'annotation' };
}

/** The mark on an object that has no conditions (D-05). */
function markOf(
  { resource, ref, locator }: TargetNode,
  affected: readonly AffectedObject[],
  owned: readonly string[],
  { markedBy }: PlanSettings,
): StatusWrite | undefined {
  const wanted = new Set(affected.filter((it) => onAnyPart(it).length > 0).map(({ type }) => type));
  const stored = resource.metadata[markedBy] ?? {};
  const isRight = owned.every(
    (type) => (stored[type] === 'true') === wanted.has(type) && (wanted.has(type) || !(type in stored)),
  );
  if (isRight) return undefined;
  const others = Object.entries(stored).filter(([type]) => !owned.includes(type));
  const marks = [...wanted].map((type) => [type, 'true'] as const);
  const changed = {
    ...resource,
    metadata: { ...resource.metadata, [markedBy]: Object.fromEntries([...others, ...marks]) },
  };
  const owns = { metadata: { [markedBy]: Object.fromEntries(marks) } };
  return writeOf({ ref, locator, resource, subresource: undefined, changed, owns, isWhole: false });
}

/** Whether a parent reference of a route leads to an ancestor through which a policy affects the route. */
function leadsThrough(
  { group = 'gateway.networking.k8s.io', kind = 'Gateway', namespace, name }: JsonObject,
  ancestors: ReadonlySet<TargetNode>,
  { ref }: TargetNode,
  ancestorKinds: ReadonlySet<string>,
): boolean {
  if (ancestors.size === 0 || !ancestorKinds.has(groupKindKey({ group: String(group), kind: String(kind) })))
    return true;
  const inNamespace = namespace ?? ref.namespace;
  return [...ancestors].some(({ ref: it }) => {
    return it.name === name && it.namespace === inNamespace && it.kind === kind && it.group === group;
  });
}

/** What a controller owns of a status: its conditions, and a list as a whole where it cannot be owned in parts. */
function ownedOf(status: JsonObject, { object, sections }: StatusPlace, owned: readonly string[]): JsonObject {
  if (object === 'parents') return { status: { parents: status.parents ?? [] } };
  const isOwned = isOneOf(owned);
  const own = (holder: JsonObject) => (Array.isArray(holder.conditions) ? holder.conditions.filter(isOwned) : []);
  const inSections = (field: string): JsonObject => {
    const entries = Array.isArray(status[field]) ? status[field].filter(isJsonObject) : [];
    return {
      [field]: entries.flatMap((it) => (own(it).length > 0 ? [{ name: it.name ?? '', conditions: own(it) }] : [])),
    };
  };
  return { status: { conditions: own(status), ...(sections === undefined ? {} : inSections(sections)) } };
}

/** What is to be said on ancestors for which policies have no room in their status (S-10, N-02). */
function signalsByObject(
  unlisted: readonly UnlistedAncestor[],
  domain: string,
  topology: Topology,
): ReadonlyMap<TargetNode, readonly ConditionUpdate[]> {
  const policies = new Map<TargetNode, Map<string, string[]>>();
  for (const { policy, ancestorRef } of unlisted) {
    const object = topology.get(ancestorRef)?.object;
    if (object === undefined) continue;
    const type = ancestorLimitType(domain, policy.kind.kind);
    const byType = policies.get(object) ?? new Map<string, string[]>();
    policies.set(object, byType.set(type, [...(byType.get(type) ?? []), nameOf(policy.resource)]));
  }
  const conditions = (byType: ReadonlyMap<string, readonly string[]>) =>
    [...byType].flatMap(([type, names]) => ancestorLimitReached(type, names));
  return new Map([...policies].map(([object, byType]) => [object, conditions(byType)]));
}

function nameOf({ metadata: { namespace, name } }: KubernetesObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
