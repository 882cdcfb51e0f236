import { type GatewayListener, type GatewayRoute, gatewayListeners } from '@policy-machinery/gateway-api';
import { requestPaths } from '@policy-machinery/gateway-api/inner';
import { groupKindKey, groupKindOf, groupOf, type KubernetesObject } from '@policy-machinery/resource';
import type { Path, TargetNode, Topology } from '@policy-machinery/topology';
import type { Choices } from './choices.ts';
import { internedLists } from './interned.ts';
import type { Names } from './names.ts';
import { type Patch, patchBetween } from './patch.ts';
import type { GatewayRow, ListenerRow, NodeId, RequestData, RouteRow } from './report-data.ts';
import { routeRow } from './route-rows.ts';
import { patchOfFields } from './rows.ts';

const group = 'gateway.networking.k8s.io';
const gatewayKey = groupKindKey({ group, kind: 'Gateway' });

/** How many paths of requests to one rule are followed at most, from each entry. */
const followedPaths = 1_000;

/** A way of requests to a route. */
interface Placement {
  readonly listener: TargetNode;
  readonly place: GatewayRoute;
  readonly entry: number;
}

/** A Gateway with its listeners, and where its routes are. */
interface KnownGateway {
  readonly row: GatewayRow;
  readonly placements: readonly Placement[];
  /** The routes of any kind at its listeners. */
  readonly routes: ReadonlySet<string>;
}

/** The data that answers to requests need, with the contexts that requests meet. */
export class RequestRows {
  readonly #topology: Topology;
  readonly #names: Names;
  readonly #choices: readonly Choices[];
  readonly #routes = internedLists<RouteRow>();
  readonly #routeLists = internedLists<readonly number[]>();
  readonly #entries = internedLists<readonly NodeId[]>();
  #gateways: ReadonlyMap<string, KnownGateway> = new Map();
  /** Where each route is, and the locators of the routes of any kind at listeners. */
  #placements: ReadonlyMap<TargetNode, readonly Placement[]> = new Map();
  #atListeners: ReadonlySet<string> = new Set();
  #taken: readonly GatewayRow[] = [];

  constructor(topology: Topology, names: Names, choices: readonly Choices[]) {
    this.#topology = topology;
    this.#names = names;
    this.#choices = choices;
  }

  /**
   * Reads the Gateways: those that have changed, or something below them.
   *
   * @param isChanged Returns whether a Gateway may have changed.
   * @returns The routes that came to a listener or left one, by locator.
   */
  setGateways(isChanged: (gateway: TargetNode) => boolean): ReadonlySet<string> {
    const previousGateways = this.#gateways;
    const gateways = new Map<string, KnownGateway>();
    for (const gateway of this.#topology.targetsOf([{ group, kind: 'Gateway' }])) {
      if (gateway.section !== undefined || groupKindKey(groupKindOf(gateway.resource)) !== gatewayKey) continue;
      const existingGateway = previousGateways.get(gateway.locator);
      gateways.set(
        gateway.locator,
        existingGateway === undefined || isChanged(gateway) ? this.#read(gateway) : existingGateway,
      );
    }
    this.#gateways = gateways;
    if (
      previousGateways.size !== gateways.size ||
      [...gateways].some(([locator, gateway]) => previousGateways.get(locator) !== gateway)
    )
      this.#index();
    const moved = new Set<string>();
    for (const locator of new Set([...previousGateways.keys(), ...gateways.keys()])) {
      const [was, is] = [previousGateways.get(locator), gateways.get(locator)];
      if (was === is) continue;
      const [some, others] = [placesIn(was), placesIn(is)];
      for (const [place, route] of [...some, ...others]) if (some.has(place) !== others.has(place)) moved.add(route);
      for (const route of [...(was?.routes ?? []), ...(is?.routes ?? [])]) {
        if (was?.routes.has(route) !== is?.routes.has(route)) moved.add(route);
      }
    }
    return moved;
  }

  /** The locators of the routes at listeners: for these, requests decide which policies apply below. */
  get atListeners(): ReadonlySet<string> {
    return this.#atListeners;
  }

  /**
   * Collects the policies that requests to some rules meet.
   *
   * @param targets The rules, and other targets, which are skipped. Default: the rules of all routes.
   * @returns How many rules were collected.
   */
  setChoices(targets: Iterable<TargetNode> = [...this.#placements.keys()].flatMap(({ sections }) => sections)): number {
    let count = 0;
    for (const rule of targets) {
      const entries = rule.section === undefined ? undefined : this.#placements.get(rule.object);
      if (entries === undefined) continue;
      count += 1;
      const paths = entries.flatMap((entry) => this.#pathsOf(entry, rule));
      for (const each of this.#choices) each.set(rule, paths);
    }
    return count;
  }

  #index(): void {
    const placements = new Map<TargetNode, Placement[]>();
    for (const placement of [...this.#gateways.values()].flatMap((gateway) => gateway.placements)) {
      const { node } = placement.place;
      const nodePlacements = placements.get(node);
      if (nodePlacements === undefined) placements.set(node, [placement]);
      else nodePlacements.push(placement);
    }
    this.#placements = placements;
    this.#atListeners = new Set([...this.#gateways.values()].flatMap(({ routes }) => [...routes]));
  }

  /** How much there is in lists that only grow. */
  get weight(): number {
    return this.#routes.weight + this.#routeLists.weight + this.#entries.weight;
  }

  get rows(): RequestData {
    return {
      gateways: Array.from(this.#gateways.values(), ({ row }) => row),
      routes: this.#routes.values,
      routeLists: this.#routeLists.values,
      entries: this.#entries.values,
    };
  }

  /** Returns the changes after the last call. */
  take(): Patch | undefined {
    const gateways = this.rows.gateways;
    const changed = patchBetween(this.#taken, gateways);
    this.#taken = gateways;
    const lists = { routes: this.#routes.take(), routeLists: this.#routeLists.take(), entries: this.#entries.take() };
    return patchOfFields({ gateways: changed, ...lists });
  }

  #pathsOf({ listener, place: { via, node: route }, entry }: Placement, rule: TargetNode): (readonly [Path, number])[] {
    const paths: (readonly [Path, number])[] = [];
    for (const path of requestPaths(this.#topology, { listener, via, route, rule })) {
      paths.push([path, entry]);
      if (paths.length === followedPaths) break;
    }
    return paths;
  }

  #read(gateway: TargetNode): KnownGateway {
    const names = this.#names;
    const placements: Placement[] = [];
    const routes = new Set<string>();
    const placed = new Map<GatewayRoute['node'], Map<string, number>>();
    const rowFor = (route: KubernetesObject, place: GatewayRoute): number => {
      const via = place.via.map(({ locator }) => locator).join(' ');
      const rowsByVia = placed.get(place.node) ?? new Map<string, number>();
      placed.set(place.node, rowsByVia); // Several listeners have the same route.
      const row = rowsByVia.get(via) ?? this.#routes.place(routeRow(route, place, names));
      rowsByVia.set(via, row);
      return row;
    };
    const listOf = ({ node: listener, placeOf }: GatewayListener, some: readonly KubernetesObject[]): number => {
      const ids: number[] = [];
      for (const route of some) {
        const place = placeOf.get(route);
        if (place === undefined || groupOf(route.apiVersion) !== group) continue;
        ids.push(rowFor(route, place));
        const entry = this.#entries.place([listener, ...place.via].map((it) => names.node(it)));
        placements.push({ listener, place, entry });
      }
      return this.#routeLists.place(ids);
    };
    const rowOf = (listener: GatewayListener): ListenerRow => {
      const { node, name, port, hostname, transport, lostBy, dependsOn, dataPlane, delegated = [] } = listener;
      for (const place of listener.placeOf.values()) routes.add(place.node.locator);
      return {
        ...{ node: names.node(node), name, port, routes: listOf(listener, listener.routes) },
        ...(hostname !== undefined && { hostname }),
        ...(transport !== undefined && { transport }),
        ...(lostBy !== undefined && { lostBy }),
        ...(dependsOn !== undefined && { dependsOn }),
        ...(dataPlane !== undefined && Object.keys(dataPlane).length > 0 && { dataPlane }),
        ...(delegated.length > 0 && { delegated: listOf(listener, delegated) }),
      };
    };
    const row: GatewayRow = [names.node(gateway), gatewayListeners(gateway).map(rowOf)];
    return { row, placements, routes };
  }
}

/** Returns the routes of a Gateway by listener and way. */
function placesIn(gateway: KnownGateway | undefined): ReadonlyMap<string, string> {
  return new Map(
    gateway?.placements.map(({ place: { node }, entry }) => [`${entry} ${node.locator}`, node.locator]) ?? [],
  );
}
