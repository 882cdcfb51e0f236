import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  namespaceOf,
  stringIn,
} from '@policy-machinery/resource';
import type { NamedTarget, Refusal } from '@policy-machinery/topology';
import { gatewayKind } from './hierarchy.ts';
import { itemsOf } from './items.ts';
import { isUnset, targetOf } from './object-reference.ts';

/** A parent of a route, as `spec.parentRefs` and `status.parents` write it. */
export interface WantedParent {
  readonly to: NamedTarget;
  readonly sectionName?: JsonValue | undefined;
  readonly port?: JsonValue | undefined;
}

/**
 * Tells what the status of a route has against a parent: that a controller has not accepted it, or that none has spoken yet.
 *
 * @param route The route; its status may be anything.
 * @param wanted The parent.
 * @param controllerName Whose word counts. Default anyone's; one who has accepted it is enough.
 * @returns The reason of the condition `Accepted`; `undefined` where that is true.
 */
export function refusedInParents(
  route: KubernetesObject,
  wanted: WantedParent,
  controllerName: string | undefined,
): Refusal | undefined {
  const key = keyOf(wanted, route);
  const refusals = itemsOf(statusOf(route).parents)
    .filter((parent) => controllerName === undefined || parent.controllerName === controllerName)
    .filter(({ parentRef }) => key !== undefined && isJsonObject(parentRef) && keyIn(parentRef, route) === key)
    .map(({ conditions }) => refusedIn(conditions));
  return refusals.includes(undefined) ? undefined : (refusals[0] ?? pending);
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
  return { reason, message: `its status says that it is not accepted, for the reason ${reason}` };
}

function statusOf({ status }: KubernetesObject): JsonObject {
  return isJsonObject(status) ? status : {};
}

function keyIn(parentRef: JsonObject, route: KubernetesObject): string | undefined {
  const to = targetOf(parentRef, gatewayKind);
  const { sectionName, port } = parentRef;
  return to === undefined ? undefined : keyOf({ to, sectionName, port }, route);
}

/** The parent that is meant; `undefined` where that cannot be told. */
function keyOf({ to, sectionName, port }: WantedParent, route: KubernetesObject): string | undefined {
  const { group, kind, namespace = namespaceOf(route), name } = to;
  const part = [sectionName, port].map((value) => (isUnset(value) ? undefined : value));
  const isReadable = part.every(
    (value) => value === undefined || typeof value === 'string' || typeof value === 'number',
  );
  return isReadable ? JSON.stringify([group, kind, namespace, name, ...part]) : undefined;
}
