import { isJsonObject, type JsonObject, type JsonValue, type KubernetesObject } from '@policy-machinery/resource';
import { itemsOf, rulesOf } from '../fields/items.ts';
import { headerPairs, isUnset, queryPairs } from './check.ts';
import { isBelow, matchesByPath, pathOf } from './match-path.ts';

const inheritance = 'delegation.kgateway.dev/inherit-parent-matcher';

/** Returns whether a child adds its matches to its parents' matches, instead of repeating the parents' matches. */
export function inheritsMatches({ metadata }: KubernetesObject): boolean {
  return ['true', 'yes', 'enabled'].includes(metadata.annotations?.[inheritance]?.toLowerCase() ?? '');
}

/** The limit of pairs of matches that are compared. Gateway API allows 64 matches in a rule, and 128 in a route. */
const maxCompared = 20_000;

/**
 * Returns a test of whether any match of a child is part of a match of its parent's rule. If none is, kgateway does not select the
 * child.
 *
 * @param ofParent The matches of the rule, which are parsed once for all children.
 * @returns The test. O(matches of the child) if the paths of the rule's matches differ. Its result is `too-many` after 20,000
 * comparisons of pairs with paths in common.
 */
export function delegatedMatchTest(
  ofParent: readonly JsonObject[],
): (child: KubernetesObject) => 'some' | 'none' | 'too-many' {
  const candidatesFor = matchesByPath(ofParent);
  return (child) => {
    const options = { inherits: inheritsMatches(child) };
    let compared = 0;
    for (const rule of rulesOf(child, true)) {
      for (const match of matchesOf(rule)) {
        if (!isJsonObject(match)) continue;
        for (const candidate of candidatesFor(match, options)) {
          if (delegatedMatch(match, candidate, options) !== undefined) return 'some';
          compared += 1;
          if (compared >= maxCompared) return 'too-many';
        }
      }
    }
    return 'none';
  };
}

/** Returns the matches of a rule: one empty match if the rule lists none. */
export function matchesOf({ matches }: JsonObject): readonly JsonValue[] {
  if (isUnset(matches)) return [{}];
  if (!Array.isArray(matches)) return [matches as JsonValue];
  return matches.length === 0 ? [{}] : matches;
}

/**
 * Returns the effective match of a child under a match of its parent, as in kgateway.
 *
 * @param inherits Whether the child adds to the parent's match. If so, the child's path is appended to the parent's path, the
 * parent's method prevails, and headers and query parameters of both count, the parent's first. If not, the child must repeat
 * the parent's conditions: a path that begins with the parent's prefix, the method, and all headers and query parameters.
 * @returns The match; `undefined` if the child's match is not part of the parent's match.
 */
export function delegatedMatch(
  child: JsonObject,
  parent: JsonObject,
  { inherits }: { readonly inherits: boolean },
): JsonObject | undefined {
  const [ofChild, ofParent] = [pathOf(child), pathOf(parent)];
  if (ofChild === undefined || ofParent === undefined) return undefined;
  if (inherits) {
    return {
      ...child,
      path: { ...ofChild, value: join(ofParent.value, ofChild.value) },
      ...(isUnset(parent.method) ? {} : { method: parent.method }),
      headers: together(parent.headers, child.headers, headerPairs.nameOf),
      queryParams: together(parent.queryParams, child.queryParams, queryPairs.nameOf),
    };
  }
  const repeats =
    ofParent.type === 'PathPrefix' &&
    isBelow(ofChild, ofParent.value) &&
    (isUnset(parent.method) || parent.method === child.method) &&
    hasAll(child.headers, parent.headers, headerPairs.nameOf) &&
    hasAll(child.queryParams, parent.queryParams, queryPairs.nameOf);
  return repeats ? child : undefined;
}

function join(parent: string, child: string): string {
  const path = [parent, child].flatMap((value) => value.split('/')).filter((segment) => segment !== '');
  return `/${path.join('/')}`;
}

type NameOf = (name: string) => string;

/** Returns the first conditions, followed by the second conditions with other names. */
function together(first: JsonValue | undefined, second: JsonValue | undefined, nameOf: NameOf): readonly JsonObject[] {
  const names = new Set(itemsOf(first).map(({ name }) => nameIn(name, nameOf)));
  return [...itemsOf(first), ...itemsOf(second).filter(({ name }) => !names.has(nameIn(name, nameOf)))];
}

function hasAll(has: JsonValue | undefined, wanted: JsonValue | undefined, nameOf: NameOf): boolean {
  const there = new Set(itemsOf(has).map((condition) => keyOf(condition, nameOf)));
  return itemsOf(wanted).every((condition) => {
    const key = keyOf(condition, nameOf);
    return key !== undefined && there.has(key);
  });
}

/** Returns the key for comparing a condition; `undefined` for an invalid condition, which no child can repeat. */
function keyOf({ type, name, value }: JsonObject, nameOf: NameOf): string | undefined {
  const parts = [type ?? 'Exact', nameIn(name, nameOf), value];
  return parts.every((part) => typeof part === 'string') ? JSON.stringify(parts) : undefined;
}

/** Returns the name for comparing a condition; `undefined` for an invalid name, which differs from all valid names. */
function nameIn(name: JsonValue | undefined, nameOf: NameOf): string | undefined {
  return typeof name === 'string' ? nameOf(name) : undefined;
}
