import { type GatewayListener, type GatewayRoute, gatewayListeners, requestPaths } from '@policy-machinery/gateway-api';
import { groupKindKey, groupKindOf, groupOf, type KubernetesObject } from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import type { Choices } from './choices.ts';
import { internedLists } from './interned.ts';
import type { Names } from './names.ts';
import type { GatewayRow, ListenerRow, NodeId, RequestData, RouteRow } from './report-data.ts';
import { routeRow } from './route-rows.ts';

const group = 'gateway.networking.k8s.io';
const gatewayKey = groupKindKey({ group, kind: 'Gateway' });

/** How many paths of requests to one rule are followed at most. */
const followedPaths = 1_000;

/** A Gateway, and its listeners for any request. */
export interface GatewayEntry {
  readonly gateway: TargetNode;
  readonly listeners: readonly GatewayListener[];
}

/** Returns the Gateways among targets. */
export function gatewaysAmong(targets: readonly TargetNode[]): readonly GatewayEntry[] {
  return targets
    .filter(({ section, resource }) => section === undefined && groupKindKey(groupKindOf(resource)) === gatewayKey)
    .map((gateway) => ({ gateway, listeners: gatewayListeners(gateway) }));
}

/** Returns the routes at the listeners of some Gateways. */
export function routesAt(gateways: readonly GatewayEntry[]): ReadonlySet<TargetNode> {
  const places = gateways.flatMap(({ listeners }) => listeners.flatMap(({ placeOf }) => [...placeOf.values()]));
  return new Set(places.map(({ node }) => node));
}

/** Collects the data that answers to requests need, with the contexts that requests meet. */
export function requestData(
  topology: Topology,
  gateways: readonly GatewayEntry[],
  names: Names,
  choices: readonly Choices[],
): RequestData {
  const routes = internedLists<RouteRow>();
  const routeLists = internedLists<readonly number[]>();
  const entries = internedLists<readonly NodeId[]>();
  const placed = new Map<KubernetesObject, number>();

  const follow = ({ node: listener }: GatewayListener, { node: route, via }: GatewayRoute): void => {
    const entry = entries.place([listener, ...via].map((it) => names.node(it)));
    for (const rule of route.sections) {
      let left = followedPaths;
      for (const path of requestPaths(topology, { listener, via, route, rule })) {
        for (const each of choices) each.add(path, rule, entry);
        left -= 1;
        if (left === 0) break;
      }
    }
  };
  const listOf = (listener: GatewayListener, some: readonly KubernetesObject[]): number => {
    const ids: number[] = [];
    for (const route of some) {
      const place = listener.placeOf.get(route);
      if (place === undefined || groupOf(route.apiVersion) !== group) continue;
      const known = placed.get(route) ?? routes.place(routeRow(route, place, names));
      placed.set(route, known); // Many listeners have the same route.
      ids.push(known);
      follow(listener, place);
    }
    return routeLists.place(ids);
  };
  const rowOf = (listener: GatewayListener): ListenerRow => {
    const { node, name, port, hostname, transport, lostBy, delegated = [] } = listener;
    return {
      ...{ node: names.node(node), name, port, routes: listOf(listener, listener.routes) },
      ...(hostname !== undefined && { hostname }),
      ...(transport !== undefined && { transport }),
      ...(lostBy !== undefined && { lostBy }),
      ...(delegated.length > 0 && { delegated: listOf(listener, delegated) }),
    };
  };
  const rows = gateways.map(({ gateway, listeners }): GatewayRow => [names.node(gateway), listeners.map(rowOf)]);
  return { gateways: rows, routes: routes.values, routeLists: routeLists.values, entries: entries.values };
}
