import { isJsonObject, type JsonObject, type KubernetesObject } from '@policy-machinery/resource';

/** Returns the generation of an object; 0 for kinds without generations. */
export function generationOf({ metadata: { generation } }: KubernetesObject): number {
  return typeof generation === 'number' ? generation : 0;
}

const noStatus: JsonObject = {};

/** Returns the status of an object; always the same empty one if it has none. */
export function statusOf({ status }: KubernetesObject): JsonObject {
  return isJsonObject(status) ? status : noStatus;
}
