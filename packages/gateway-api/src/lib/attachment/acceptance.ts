import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  namespaceOf,
  stringIn,
} from '@policy-machinery/resource';
import { isCurrent } from '@policy-machinery/resource/inner';
import type { NamedTarget, Refusal } from '@policy-machinery/topology';
import { gatewayKind } from '../fields/hierarchy.ts';
import { itemsOf } from '../fields/items.ts';
import { isUnset, targetOf } from '../fields/object-reference.ts';

/** A parent of a route, as `spec.parentRefs` and `status.parents` write it. */
export interface WantedParent {
  readonly to: NamedTarget;
  readonly sectionName?: JsonValue | undefined;
  readonly port?: JsonValue | undefined;
}

/** The decision that a controller reports in a status about the current generation of its object: it accepts the object, or why it does not. */
export type ReportedDecision = 'accepted' | Refusal;

/** An entry of `status.parents`. */
interface ReportedParent {
  readonly controllerName: JsonValue | undefined;
  readonly decision: ReportedDecision;
}

/**
 * Returns a function that looks up the decision about a parent in the status of a route.
 *
 * @param route The route; its status may be anything.
 * @returns The decision of the parent's controller, or of any controller if that one is not known: then one that accepts the route is enough.
 * `undefined` if the status does not contain a decision about the current generation. O(1), except for the first call.
 */
export function reportedByParents(
  route: KubernetesObject,
): (wanted: WantedParent, controllerOf: () => string | undefined) => ReportedDecision | undefined {
  let byKey: ReadonlyMap<string, readonly ReportedParent[]> | undefined;
  return (wanted, controllerOf) => {
    byKey ??= decisionsIn(route);
    const key = byKey.size === 0 ? undefined : parentKey(wanted, route);
    const reported = key === undefined ? undefined : byKey.get(key);
    if (reported === undefined) return undefined;
    const controllerName = controllerOf();
    const own = reported.filter((it) => controllerName === undefined || it.controllerName === controllerName);
    return (own.find(({ decision }) => decision === 'accepted') ?? own[0])?.decision;
  };
}

function decisionsIn(route: KubernetesObject): ReadonlyMap<string, readonly ReportedParent[]> {
  const byKey = new Map<string, ReportedParent[]>();
  for (const { controllerName, parentRef, conditions } of itemsOf(statusOf(route).parents)) {
    const key = isJsonObject(parentRef) ? keyIn(parentRef, route) : undefined;
    const decision = reportedIn(conditions, route, 'the route');
    if (key === undefined || decision === undefined) continue;
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, [{ controllerName, decision }]);
    else known.push({ controllerName, decision });
  }
  return byKey;
}

/**
 * Returns the decision in the status of a Gateway or ListenerSet.
 *
 * @param owner The resource; its status may be anything.
 * @returns `undefined` if the status does not contain a decision about the current generation.
 */
export function reportedDecision(owner: KubernetesObject): ReportedDecision | undefined {
  return reportedIn(statusOf(owner).conditions, owner, `the ${owner.kind}`);
}

/** Returns the conditions of the listeners in the status of a Gateway or ListenerSet that are about its current generation, by listener. */
export function reportedListeners(owner: KubernetesObject): ReadonlyMap<unknown, readonly JsonObject[]> {
  return new Map(
    itemsOf(statusOf(owner).listeners).map(({ name, conditions }) => [
      name,
      itemsOf(conditions).filter((condition) => isCurrent(condition, owner)),
    ]),
  );
}

function reportedIn(
  conditions: JsonValue | undefined,
  object: KubernetesObject,
  name: string,
): ReportedDecision | undefined {
  const accepted = itemsOf(conditions).find(({ type }) => type === 'Accepted');
  if (accepted === undefined || !isCurrent(accepted, object)) return undefined;
  if (accepted.status === 'True') return 'accepted';
  if (accepted.status !== 'False') return undefined;
  const reason = stringIn(accepted.reason)?.slice(0, 1024) ?? 'NotAccepted';
  return { reason, message: `the status of ${name} reports Accepted=False with the reason ${reason}` };
}

function statusOf({ status }: KubernetesObject): JsonObject {
  return isJsonObject(status) ? status : {};
}

function keyIn(parentRef: JsonObject, route: KubernetesObject): string | undefined {
  const to = targetOf(parentRef, gatewayKind);
  const { sectionName, port } = parentRef;
  return to === undefined ? undefined : parentKey({ to, sectionName, port }, route);
}

/** Returns a key that references to one parent share; `undefined` if a field cannot be read. */
export function parentKey({ to, sectionName, port }: WantedParent, route: KubernetesObject): string | undefined {
  const { group, kind, namespace = namespaceOf(route), name } = to;
  const part = [sectionName, port].map((value) => (isUnset(value) ? undefined : value));
  const isReadable = part.every(
    (value) => value === undefined || typeof value === 'string' || typeof value === 'number',
  );
  return isReadable ? JSON.stringify([group, kind, namespace, name, ...part]) : undefined;
}
