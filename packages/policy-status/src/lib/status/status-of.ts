import { isJsonObject, type JsonObject, type KubernetesObject } from '@policy-machinery/resource';

/** The generation of an object; 0 for kinds that have none. */
export function generationOf({ metadata: { generation } }: KubernetesObject): number {
  return typeof generation === 'number' ? generation : 0;
}

const noStatus: JsonObject = {};

/** The status of an object; always the same empty one where there is none. */
export function statusOf({ status }: KubernetesObject): JsonObject {
  return isJsonObject(status) ? status : noStatus;
}
