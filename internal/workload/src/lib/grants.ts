import { HTTPRoute, Namespace, Service } from '@policy-machinery/gateway-api';
import { type GroupKind, groupKindOf, type JsonObject, type KubernetesObject } from '@policy-machinery/resource';
import { referenceGrantKind } from '@policy-machinery/target-ref/inner';
import type { World } from './world.ts';

/** Returns a new ReferenceGrant in a namespace. */
export function newGrant(world: World, name: string, namespace: string): KubernetesObject {
  return world.server.create(referenceGrantKind, { name, namespace }, { spec: grantSpec(world) });
}

/**
 * What a ReferenceGrant may say: HTTPRoutes and resources of one more kind may refer, from one or two namespaces, to Services
 * and to resources of one more kind; now and then to one of them only.
 */
export function grantSpec({ random, state }: World): JsonObject {
  const namespaces = state.list(Namespace).map(({ metadata }) => metadata.name);
  const from = random.shuffle(['default', ...namespaces]).slice(0, 1 + random.int(2));
  const kindsBeside = (usual: GroupKind): readonly GroupKind[] =>
    state.all.length === 0 ? [usual] : [usual, groupKindOf(random.pick(state.all))];
  return {
    from: kindsBeside(HTTPRoute).flatMap(({ group, kind }) => from.map((namespace) => ({ group, kind, namespace }))),
    to: kindsBeside(Service).map(({ group, kind }) => {
      const named = random.chance(0.2) ? state.list({ kind }) : [];
      return { group, kind, ...(named.length === 0 ? {} : { name: random.pick(named).metadata.name }) };
    }),
  };
}
