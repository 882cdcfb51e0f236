import { HTTPRoute, Namespace, Service } from '@policy-machinery/gateway-api';
import { groupKindOf, type JsonObject, type KubernetesObject } from '@policy-machinery/resource';
import { referenceGrantKind } from '@policy-machinery/target-ref';
import type { World } from './world.ts';

/** A new ReferenceGrant in a namespace. */
export function newGrant(world: World, name: string, namespace: string): KubernetesObject {
  return world.server.create(referenceGrantKind, { name, namespace }, { spec: grantSpec(world) });
}

/**
 * What a ReferenceGrant may say: HTTPRoutes, or resources of a kind that there is, may refer from one or two namespaces to
 * Services, or to resources of a kind that there is; now and then to one of them only.
 */
export function grantSpec({ random, state }: World): JsonObject {
  const namespaces = state.list(Namespace).map(({ metadata }) => metadata.name);
  const anyKind = () => groupKindOf(random.pick(state.all));
  const { group, kind } = random.chance(0.6) ? HTTPRoute : anyKind();
  const from = random.shuffle(['default', ...namespaces]).slice(0, 1 + random.int(2));
  const to = random.chance(0.6) ? Service : anyKind();
  const named = random.chance(0.2) ? state.list(to) : [];
  return {
    from: from.map((namespace) => ({ group, kind, namespace })),
    to: [
      {
        group: to.group,
        kind: to.kind,
        ...(named.length === 0 ? {} : { name: random.pick(named).metadata.name }),
      },
    ],
  };
}
