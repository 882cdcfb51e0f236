import type { GatewayListener, ListenerLoss } from '@policy-machinery/gateway-api';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import type { RankedMatch } from './contender.ts';
import { type ContestOptions, createContest, floorsFor } from './contest.ts';
import { clientsIn, entriesAt } from './entries.ts';
import { unusedIn } from './least-request.ts';
import { type Reached, reach } from './reach.ts';
import { everything } from './region.ts';
import { textsIn } from './texts.ts';

/** A rule that receives no requests, a route without rules, or a listener that takes none. */
export interface UnreachedTarget {
  /** The rule; the route, if it lacks rules; or the listener. */
  readonly target: TargetNode;
  /** The rules that receive the requests of its matches, each once, or routes without rules; none if a request cannot meet all conditions of a match. */
  readonly takers: readonly TargetNode[];
  /** The listener that takes no requests, with the reason, if the rule is below no other one. */
  readonly at?: { readonly listener: TargetNode; readonly lostBy: ListenerLoss };
  /** The unknown fact that decides whether the takers receive the requests. Default: they do. */
  readonly dependsOn?: 'age';
}

/**
 * Returns the rules that receive no requests at any Gateway or Service, because matches of other rules take all of theirs, or because their listeners take
 * none. Such listeners are included.
 *
 * A rule is left out if unknown facts other than ages of routes decide, such as regular expressions.
 *
 * @param topology A topology with the kinds of `gatewayApi`.
 * @param options The behavior that Gateway API leaves to implementations.
 * @returns The rules, in the order of their Gateways. O(matches), each compared with the matches that can take its requests.
 * @example
 * ```ts
 * for (const { target, takers } of unreachedTargets(topology)) console.log(formatTarget(target), takers.map(formatTarget));
 * ```
 */
export function unreachedTargets(topology: Topology, options: ContestOptions = {}): readonly UnreachedTarget[] {
  const clientsOf = clientsIn(topology);
  const reached = new Set<TargetNode>();
  const takers = new Map<TargetNode, Set<TargetNode>>();
  const open = new Set<TargetNode>();
  const lost = new Map<TargetNode, NonNullable<UnreachedTarget['at']>>();
  for (const node of topology.targets) {
    const floors = floorsFor(options);
    const entries = entriesAt(topology, node, clientsOf);
    for (const { listeners } of entries) for (const listener of listeners) noteLost(listener, lost);
    const contests = entries.map((entry) => createContest(entry, options, floors));
    if (contests.length === 0) continue;
    const unused = unusedIn(textsIn(contests));
    for (const contest of contests) {
      for (const contender of contest.contenders) {
        const target = targetOf(contender);
        if (reached.has(target)) continue;
        const result = reach(contest, contender, { cell: everything, except: [], unused });
        const before = takersIn(result).map(targetOf);
        if (result.by !== 'none' && before.length === 0) reached.add(target);
        else {
          const known = takers.get(target) ?? new Set();
          takers.set(target, known);
          for (const taker of before) if (taker !== target) known.add(taker);
        }
        if (result.by !== 'none') open.add(target);
      }
    }
  }
  const isReached = (target: TargetNode) => reached.has(target);
  const shadowed = [...takers].flatMap(([target, by]): readonly UnreachedTarget[] =>
    isReached(target) ? [] : [{ target, takers: [...by], ...(open.has(target) && { dependsOn: 'age' }) }],
  );
  const below = [...lost].flatMap(([target, at]) =>
    isReached(target) || takers.has(target) ? [] : [{ target, takers: [], at }],
  );
  return [...shadowed, ...below];
}

/** Notes a listener that takes no requests, with the rules below it. */
function noteLost(
  { node, lostBy, placeOf }: GatewayListener,
  lost: Map<TargetNode, NonNullable<UnreachedTarget['at']>>,
): void {
  if (lostBy === undefined || lostBy === 'consumer routes') return;
  const routes = [...placeOf.values()].map((place) => place.node);
  const targets = routes.flatMap((route) => (route.sections.length === 0 ? [route] : route.sections));
  for (const target of [node, ...targets]) lost.set(target, { listener: node, lostBy });
}

function targetOf({ rule, route }: RankedMatch): TargetNode {
  return rule ?? route;
}

/** Returns the matches that take all requests of a match, or do if their routes are older; none if the match receives some, or if other facts decide. */
function takersIn(result: Reached): readonly RankedMatch[] {
  if (result.by === 'none') return result.takers ?? [];
  if (result.by === 'request' || result.hiddenBy.some(({ dependsOn }) => dependsOn !== 'age')) return [];
  return result.hiddenBy.flatMap(({ match, other }) => [match, ...(other === undefined ? [] : [other])]);
}
