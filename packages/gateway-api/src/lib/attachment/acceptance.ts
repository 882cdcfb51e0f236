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
 * Tells what the status of a route has against its parents: that a controller has not accepted one, or that none has spoken yet.
 *
 * @param route The route; its status may be anything.
 * @param controllerName Whose word counts. Default anyone's; one who has accepted a parent is enough.
 * @returns For a parent, the reason of the condition `Accepted`; `undefined` where that is true. O(1), but for the first one.
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
 * Tells what the status of a ListenerSet has against it.
 *
 * @param resource The ListenerSet; its status may be anything.
 * @returns The reason of the condition `Accepted`; `undefined` where that is true.
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

/** A text that is the same for what means one parent; `undefined` where that cannot be told. */
export function parentKey({ to, sectionName, port }: WantedParent, route: KubernetesObject): string | undefined {
  const { group, kind, namespace = namespaceOf(route), name } = to;
  const part = [sectionName, port].map((value) => (isUnset(value) ? undefined : value));
  const isReadable = part.every(
    (value) => value === undefined || typeof value === 'string' || typeof value === 'number',
  );
  return isReadable ? JSON.stringify([group, kind, namespace, name, ...part]) : undefined;
}
