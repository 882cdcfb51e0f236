import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  namespaceOf,
  stringIn,
} from '@policy-machinery/resource';
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

/**
 * Returns a function that looks up in the status of a route why a parent is not accepted: a controller refused it, or none has decided yet.
 *
 * @param route The route; its status may be anything.
 * @param controllerName The controller whose status counts. Default: any; one that has accepted a parent is enough.
 * @returns The refusal of a parent, with the reason of its condition `Accepted`; `undefined` if the condition is true. O(1), except for the
 * first call.
 */
export function parentAcceptance(
  route: KubernetesObject,
  controllerName: string | undefined,
): (wanted: WantedParent) => Refusal | undefined {
  let byKey: ReadonlyMap<string, Refusal | undefined> | undefined;
  return (wanted) => {
    byKey ??= acceptanceIn(route, controllerName);
    const key = parentKey(wanted, route);
    return key !== undefined && byKey.has(key) ? byKey.get(key) : pending;
  };
}

function acceptanceIn(
  route: KubernetesObject,
  controllerName: string | undefined,
): ReadonlyMap<string, Refusal | undefined> {
  const byKey = new Map<string, Refusal | undefined>();
  for (const { controllerName: controller, parentRef, conditions } of itemsOf(statusOf(route).parents)) {
    if (controllerName !== undefined && controller !== controllerName) continue;
    const key = isJsonObject(parentRef) ? keyIn(parentRef, route) : undefined;
    if (key === undefined) continue;
    const refusal = refusedIn(conditions);
    if (!byKey.has(key) || refusal === undefined) byKey.set(key, refusal);
  }
  return byKey;
}

/**
 * Returns why the status of a ListenerSet does not accept it.
 *
 * @param resource The ListenerSet; its status may be anything.
 * @returns The refusal, with the reason of the condition `Accepted`; `undefined` if the condition is true.
 */
export function refusedInConditions(resource: KubernetesObject): Refusal | undefined {
  return refusedIn(statusOf(resource).conditions);
}

const pending: Refusal = { reason: 'Pending', message: 'no controller has accepted it in its status yet' };

function refusedIn(conditions: JsonValue | undefined): Refusal | undefined {
  const accepted = itemsOf(conditions).find(({ type }) => type === 'Accepted');
  if (accepted === undefined) return pending;
  if (accepted.status === 'True') return undefined;
  const reason = stringIn(accepted.reason)?.slice(0, 1024) ?? 'Pending';
  return { reason, message: `its status says that it is not accepted, with the reason ${reason}` };
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
