import { gatewayStatus, listenerStatuses, routeStatuses, Secret } from '@policy-machinery/gateway-api';
import { type KubernetesObject, locatorOf, objectIn } from '@policy-machinery/resource';
import { createTopology, type StatusCondition } from '@policy-machinery/topology';
import { everything } from '../input/completeness.ts';
import { findKinds } from '../input/kinds/kinds.ts';
import { noOwnKinds } from '../input/kinds/own-kinds.ts';

/**
 * Returns the objects of a whole world with the statuses that the controller of its class writes. Where implementations may choose, it chooses by the
 * name of the object.
 */
export function withStatuses(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const { targetKinds } = findKinds(objects, noOwnKinds, {});
  const topology = createTopology({ targetKinds: [...targetKinds, Secret], isComplete: everything });
  topology.apply({ upsert: objects });
  const { controllerName } = objectIn(objects.find(({ kind }) => kind === 'GatewayClass')?.spec);
  return objects.map((object) => {
    const locator = locatorOf(object, 'Namespaced');
    const choice = object.metadata.name.endsWith('0') ? 'True' : 'False';
    const written = (conditions: readonly StatusCondition[] = []) =>
      conditions.map((it) => ({
        ...it,
        status: it.status === 'Unknown' ? choice : it.status,
        observedGeneration: 1,
        lastTransitionTime: '2026-01-05T00:00:00Z',
      }));
    const parents = routeStatuses(topology, locator).map(({ parentRef, conditions }) => {
      return { parentRef, controllerName, conditions: written(conditions) };
    });
    const listeners = listenerStatuses(topology, locator).map((it) => ({ ...it, conditions: written(it.conditions) }));
    const conditions = written(gatewayStatus(topology, locator)?.conditions);
    const isOwner = object.kind === 'Gateway' || object.kind === 'ListenerSet';
    if (parents.length === 0 && !isOwner) return object;
    const status = isOwner ? { conditions, listeners } : { parents };
    return { ...object, metadata: { ...object.metadata, generation: 1 }, status } as unknown as KubernetesObject;
  });
}
