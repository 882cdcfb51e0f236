import { creationTimeOf, groupKindOf, type KubernetesObject, specOf } from '@policy-machinery/resource';
import { oldestFirst } from '@policy-machinery/resource/inner';
import type { Refusal, Rivals } from '@policy-machinery/topology';
import { compareNames, compareValues } from '../fields/compare-objects.ts';
import { gatewayGroup } from '../fields/group.ts';
import { intersectHostnames } from '../fields/hostname.ts';
import type { DataPlane } from './data-plane.ts';
import { HostnameClaims } from './hostname-claims.ts';
import { countedHostnames } from './listener-protocol.ts';

/** The kinds of routes that listeners of some data planes do not keep for the same hostname. */
export const exclusiveKinds = ['GRPCRoute', 'HTTPRoute'].map((kind) => ({ group: gatewayGroup, kind }));

/** A route with the facts that the rule depends on. */
interface Rival {
  readonly route: KubernetesObject;
  readonly kind: string;
  readonly createdAt: number | undefined;
  readonly isAccepted: boolean;
  readonly hostnames: readonly string[];
}

const refusal = (why: string): Refusal => ({
  reason: 'HostnameConflict',
  message: `a route of the other kind has a hostname in common with it, and ${why}`,
});

const refused = refusal('the listener takes HTTPRoutes or GRPCRoutes for a hostname: the kind of the older route');
const undecidedByAge = refusal(
  'the listener takes HTTPRoutes or GRPCRoutes for a hostname: the kind of the older route; the ages of the routes are not known',
);
const undecidedByDataPlane = refusal(
  'whether the listener takes HTTPRoutes and GRPCRoutes for one hostname is not known',
);

/**
 * The HTTPRoutes and GRPCRoutes at a listener. Where these cannot share a hostname, the oldest route is first, and then by `namespace/name`: a route is
 * kept unless a kept route of the other kind has a hostname in common with it (GEP-1016). Routes that a controller reports as accepted are kept.
 */
export class RouteRivals implements Rivals {
  refused: ReadonlyMap<KubernetesObject, Refusal> = new Map();
  undecided: ReadonlyMap<KubernetesObject, Refusal> = new Map();
  readonly #hostname: unknown;
  readonly #isAccepted: (route: KubernetesObject) => boolean;
  readonly #shared: DataPlane['sharedHostnames'];
  readonly #rivals = new Map<KubernetesObject, Rival>();
  /** The hostnames of all routes, by kind. */
  readonly #claims = new Claims();

  /**
   * @param hostname The hostname of the listener, which may be anything. Default: every host.
   * @param dataPlane Whether the two kinds can share a hostname.
   * @param isAccepted Whether a controller reports that it keeps a route.
   */
  constructor(
    hostname: unknown,
    { sharedHostnames = 'both' }: DataPlane,
    isAccepted: (route: KubernetesObject) => boolean = () => false,
  ) {
    this.#hostname = hostname;
    this.#isAccepted = isAccepted;
    this.#shared = sharedHostnames;
  }

  /** Removes and adds routes. O(labels of their hostnames); O(n log n) for n routes if one of them shares a hostname with the other kind. */
  change(gone: readonly KubernetesObject[], came: readonly KubernetesObject[]): boolean {
    if (this.#shared === 'allowed') return false;
    const were = gone.flatMap((route) => this.#rivals.get(route) ?? []);
    for (const rival of were) this.#set(rival, -1);
    const are = came.map((route) => this.#rivalIn(route));
    for (const rival of are) this.#set(rival, 1);
    const isLost = gone.some((route) => this.refused.has(route) || this.undecided.has(route));
    if (!isLost && ![...were, ...are].some((rival) => this.#claims.exclude(rival))) return false;
    this.#decide();
    return true;
  }

  #set(rival: Rival, by: 1 | -1): void {
    if (by === 1) this.#rivals.set(rival.route, rival);
    else this.#rivals.delete(rival.route);
    this.#claims.count(rival, by);
  }

  #rivalIn(route: KubernetesObject): Rival {
    const { kind } = groupKindOf(route);
    const hostnames = hostnamesOf(route, this.#hostname);
    return { route, kind, createdAt: creationTimeOf(route), isAccepted: this.#isAccepted(route), hostnames };
  }

  #decide(): void {
    const { lost, open } = decided([...this.#rivals.values()]);
    const isKnown = this.#shared === 'refused';
    this.refused = new Map(isKnown ? lost.map(({ route }) => [route, refused]) : []);
    this.undecided = isKnown
      ? new Map(open.map(({ route }) => [route, undecidedByAge]))
      : new Map([...lost, ...open].map(({ route }) => [route, undecidedByDataPlane]));
  }
}

/** Returns the rivals that are refused, and the undecided ones, if hostnames cannot be shared. */
function decided(rivals: readonly Rival[]): Readonly<Record<'lost' | 'open', readonly Rival[]>> {
  const lost: Rival[] = [];
  const open: Rival[] = [];
  const kept = new Claims();
  const possible = new Claims();
  const [accepted, others] = divided(rivals, ({ isAccepted }) => isAccepted);
  const [aged, ageless] = divided(others, ({ createdAt }) => createdAt !== undefined);
  for (const rival of accepted) for (const claims of [kept, possible]) claims.count(rival, 1);
  for (const rival of ageless) possible.count(rival, 1); // Each may be the oldest.
  for (const rival of aged.sort(byPrecedence)) {
    if (kept.exclude(rival)) {
      lost.push(rival);
      continue;
    }
    if (possible.exclude(rival)) open.push(rival);
    else kept.count(rival, 1);
    possible.count(rival, 1);
  }
  for (const rival of ageless) if (possible.exclude(rival)) open.push(rival);
  return { lost, open };
}

/** Returns the items that pass a test, and the others. */
function divided<Item>(items: readonly Item[], test: (item: Item) => boolean): readonly [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
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

/** Returns the hostnames of a route at a listener. A route that is not JSON and throws while it is read has every hostname. */
function hostnamesOf(route: KubernetesObject, hostname: unknown): readonly string[] {
  try {
    const counted = countedHostnames({ groupKind: groupKindOf(route), hostnames: specOf(route).hostnames });
    return intersectHostnames(hostname, counted);
  } catch {
    return intersectHostnames(hostname, undefined);
  }
}

function byPrecedence(a: Rival, b: Rival): number {
  return oldestFirst(a.createdAt, b.createdAt) || compareNames(a.route, b.route) || compareValues(a.kind, b.kind);
}
