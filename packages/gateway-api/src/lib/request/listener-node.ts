import type { KubernetesObject } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import type { RequestListener } from './answer.ts';
import type { FoundRoute } from './delegated-routes.ts';

/** A listener with the targets of the listener and its routes. */
export interface ListenerNode extends RequestListener {
  readonly node: TargetNode;
  readonly placeOf: ReadonlyMap<KubernetesObject, RoutePlace>;
}

/** A route of a request, and the listener or frontend above it. */
export type RoutePlace = FoundRoute & { readonly listener: TargetNode };

export type ListenerWithoutRoutes = Omit<ListenerNode, 'routes' | 'delegated' | 'rootOf' | 'placeOf'>;

/** Returns a listener with the routes below it. */
export function listenerNode(listener: ListenerWithoutRoutes, places: readonly RoutePlace[]): ListenerNode {
  const attached = new Map(places.flatMap(({ node, resource, via }) => (via.length === 0 ? [[node, resource]] : [])));
  const placeOf = new Map(places.map((place) => [place.resource, place]));
  return {
    ...listener,
    routes: [...attached.values()],
    delegated: places.flatMap(({ resource, via }) => (via.length === 0 ? [] : resource)),
    rootOf(route) {
      const root = placeOf.get(route)?.via[0];
      return root && attached.get(root);
    },
    placeOf,
  };
}
