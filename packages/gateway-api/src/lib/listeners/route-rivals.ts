import {
  creationTimeOf,
  groupKindOf,
  type JsonObject,
  type KubernetesObject,
  specOf,
} from '@policy-machinery/resource';
import type { Refusal, Rivalry, Rivals } from '@policy-machinery/topology';
import { compareNames, compareValues } from '../fields/compare-objects.ts';
import { gatewayGroup } from '../fields/group.ts';
import { intersectHostnames } from '../fields/hostname.ts';
import { HostnameClaims } from './hostname-claims.ts';
import { countedHostnames, protocolOf } from './listener-protocol.ts';

/** The kinds of routes that cannot share a hostname on a listener. */
export const exclusiveKinds = ['GRPCRoute', 'HTTPRoute'].map((kind) => ({ group: gatewayGroup, kind }));

/**
 * The rule that a listener keeps HTTPRoutes or GRPCRoutes for a hostname, never both: the oldest first, and then by `namespace/name`, each route is
 * kept unless a kept route of the other kind has a hostname in common with it (GEP-1016, Core).
 */
export const routeRivalry: Rivalry = {
  among: exclusiveKinds,
  begin: ({ section }) => new RouteRivals(hostnameIn(section?.value ?? {})),
};

function hostnameIn(listener: JsonObject): unknown {
  return protocolOf(listener)?.hasHostname ? listener.hostname : undefined;
}

/** A route with what the rule depends on. */
interface Rival {
  readonly route: KubernetesObject;
  readonly kind: string;
  readonly age: number;
  readonly hostnames: readonly string[];
}

const refusal: Refusal = {
  reason: 'HostnameConflict',
  message:
    'the listener takes HTTPRoutes or GRPCRoutes for a hostname, and a route of the other kind that precedes this one has a hostname in common with it',
};

/** The HTTPRoutes and GRPCRoutes at a listener. */
export class RouteRivals implements Rivals {
  readonly refused = new Map<KubernetesObject, Refusal>();
  readonly #hostname: unknown;
  readonly #rivals = new Map<KubernetesObject, Rival>();
  /** The hostnames of all routes, by kind. */
  readonly #claims = new Claims();

  /** @param hostname The hostname of the listener, which may be anything. Default: every host. */
  constructor(hostname: unknown) {
    this.#hostname = hostname;
  }

  /** Removes and adds routes. O(labels of their hostnames); O(n log n) for n routes if one of them shares a hostname with the other kind. */
  change(gone: readonly KubernetesObject[], came: readonly KubernetesObject[]): boolean {
    const were = gone.flatMap((route) => this.#rivals.get(route) ?? []);
    for (const rival of were) this.#set(rival, -1);
    const are = came.map((route) => rivalIn(route, this.#hostname));
    for (const rival of are) this.#set(rival, 1);
    const isLost = gone.some((route) => this.refused.delete(route));
    if (![...were, ...are].some((rival) => this.#claims.exclude(rival))) return isLost;
    this.#decide();
    return true;
  }

  #set(rival: Rival, by: 1 | -1): void {
    if (by === 1) this.#rivals.set(rival.route, rival);
    else this.#rivals.delete(rival.route);
    this.#claims.count(rival, by);
  }

  #decide(): void {
    this.refused.clear();
    const kept = new Claims();
    for (const rival of [...this.#rivals.values()].sort(byPrecedence)) {
      if (kept.exclude(rival)) this.refused.set(rival.route, refusal);
      else kept.count(rival, 1);
    }
  }
}

/** The hostnames of routes, by kind. */
class Claims {
  readonly #byKind = new Map<string, HostnameClaims>();

  count({ kind, hostnames }: Rival, by: 1 | -1): void {
    const claims = this.#byKind.get(kind) ?? new HostnameClaims();
    this.#byKind.set(kind, claims);
    claims.count(hostnames, by);
  }

  /** Returns whether a route of another kind has a hostname in common with a route. */
  exclude({ kind, hostnames }: Rival): boolean {
    for (const [other, claims] of this.#byKind) if (other !== kind && claims.meets(hostnames)) return true;
    return false;
  }
}

function rivalIn(route: KubernetesObject, hostname: unknown): Rival {
  const { kind } = groupKindOf(route);
  return {
    route,
    kind,
    age: creationTimeOf(route) ?? Number.POSITIVE_INFINITY,
    hostnames: hostnamesOf(route, hostname),
  };
}

/** Returns the hostnames of a route at a listener. A route that is no JSON and throws while it is read has every hostname. */
function hostnamesOf(route: KubernetesObject, hostname: unknown): readonly string[] {
  try {
    const counted = countedHostnames({ groupKind: groupKindOf(route), hostnames: specOf(route).hostnames });
    return intersectHostnames(hostname, counted);
  } catch {
    return intersectHostnames(hostname, undefined);
  }
}

function byPrecedence(a: Rival, b: Rival): number {
  return compareValues(a.age, b.age) || compareNames(a.route, b.route) || compareValues(a.kind, b.kind);
}
