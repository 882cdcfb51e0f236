import { isJsonObject, type KubernetesObject, objectsIn } from '@policy-machinery/resource';
import type { ChangingWorld } from './edit.ts';

/** Another controller has said something in the status of a resource. What others say there stays. */
export function withStatusOfOthers({ random, server }: ChangingWorld, resource: KubernetesObject): KubernetesObject {
  const status = isJsonObject(resource.status) ? resource.status : {};
  const type = random.pick(['Accepted', 'Ready', 'Synced']);
  const others = objectsIn(status.conditions).filter((condition) => condition.type !== type);
  const said = { type, status: random.pick(['True', 'False']), reason: 'Said', message: '' };
  const lastTransitionTime = '2025-06-01T00:00:00Z';
  return server.restatus(resource, { ...status, conditions: [...others, { ...said, lastTransitionTime }] });
}

/** The status of a resource is gone, with all that anybody has said in it. */
export function withoutStatus({ server }: ChangingWorld, resource: KubernetesObject): KubernetesObject | undefined {
  return resource.status === undefined ? undefined : server.restatus(resource);
}
