import { isJsonObject, type JsonObject, type KubernetesObject, specOf } from '@policy-machinery/resource';
import { gatewayKind, httpRouteKind, isSameKind } from '../fields/hierarchy.ts';
import { itemsOf } from '../fields/items.ts';
import { targetOf } from '../fields/object-reference.ts';
import { delegatedMatch, inheritsMatches, matchesOf } from '../matching/delegated-match.ts';

/** The matches that a rule delegates; `any` if there are too many to list. */
export type ArrivingMatches = readonly JsonObject[] | 'any';

/** The limit of matches of one rule that children are compared with. Inherited matches multiply from parent to child. */
const maxMatches = 1000;

/** Returns the matches that a rule lists itself. */
export function ownMatches(rule: JsonObject): readonly JsonObject[] {
  return matchesOf(rule).filter(isJsonObject);
}

/**
 * Returns the effective matches of a rule under the matches that delegate to its route, as in kgateway: each own match is combined
 * with each arriving match. If the route has other parents as well, or none, its own matches also count unchanged.
 *
 * @param arriving The matches of each rule that delegates to the route.
 * @returns The matches, each once. O(matches of the rule · matches that arrive).
 */
export function matchesAt(
  rule: JsonObject,
  route: KubernetesObject,
  arriving: readonly ArrivingMatches[],
): ArrivingMatches {
  const own = ownMatches(rule);
  if (arriving.length === 0) return own;
  const inherits = inheritsMatches(route);
  if (arriving.includes('any')) return inherits ? 'any' : own;
  const found = new Map<string, JsonObject>();
  const add = (match: JsonObject): void => {
    found.set(JSON.stringify(match), match);
  };
  if (hasOtherParents(route)) own.forEach(add);
  for (const matches of arriving as readonly (readonly JsonObject[])[]) {
    for (const ofParent of matches) {
      for (const match of own) {
        const delegated = delegatedMatch(match, ofParent, { inherits });
        if (delegated !== undefined) add(delegated);
      }
      if (found.size > maxMatches) return inherits ? 'any' : own;
    }
  }
  return [...found.values()];
}

function hasOtherParents(route: KubernetesObject): boolean {
  return itemsOf(specOf(route).parentRefs).some((parentRef) => {
    const parent = targetOf(parentRef, gatewayKind);
    return parent !== undefined && !isSameKind(parent, httpRouteKind);
  });
}
