import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  specOf,
} from '@policy-machinery/resource';
import { isSectionKind, type TargetNode } from '@policy-machinery/topology';
import { httpRouteKind, isSameKind } from '../fields/hierarchy.ts';
import { hostnameMatches, intersectHostnames } from '../fields/hostname.ts';
import { itemsOf, rulesOf } from '../fields/items.ts';
import { delegatedMatch, inheritsMatches, matchesOf } from '../matching/delegated-match.ts';
import { checkHttpMatch } from '../matching/http-match.ts';
import type { Question } from './question.ts';

/** A route at a listener: attached itself, or as the child of another route. */
export interface FoundRoute {
  readonly node: TargetNode;
  /** The routes that delegate to this route, each followed by the delegating rule. */
  readonly via: readonly TargetNode[];
  /** The route with its effective hostnames and matches at this place. Removed matches are `null`. */
  readonly resource: KubernetesObject;
  /** The reasons why matches were removed, by `rule/match`. */
  readonly gone: ReadonlyMap<string, Gone>;
  /** The routes' matches that delegate from above: the route takes only requests that meet them, too. */
  readonly within: readonly JsonObject[];
}

/**
 * The reason why a match was removed: matches of children replace the match (`delegated`), the match delegates but lacks children
 * (`childless`), the match of a child is not part of the parent's match (`outside`), or the route has too many children (`unbounded`).
 */
export type Gone = 'delegated' | 'childless' | 'outside' | 'unbounded';

/** The limits for one route and request: its children, counted once per delegation, and the children's matches plus the routes and rules above. */
const limits = { children: 10_000, steps: 100_000 };

/**
 * Returns a route and the routes that its rules delegate to, as in kgateway. A child takes requests that a match of its parent
 * takes. Unless the child inherits the parent's match, its own matches must repeat the parent's conditions. Matches of parents that
 * do not match the request are left unchanged.
 *
 * @param route A route that is attached to a listener.
 * @param question The request; `undefined` for any.
 * @param options Whether the hostnames of the route count there.
 * @returns The route, followed by its children. A route with more than 10,000 children is returned alone and without matches, so that
 * other routes do not wait for its answer. Only HTTPRoutes have children.
 */
export function delegatedRoutes(
  route: TargetNode,
  question: Question | undefined,
  { hostnamesCount }: { readonly hostnamesCount: boolean },
): readonly FoundRoute[] {
  const queue = [...foundRoute(route)];
  const hostnames = hostnamesCount ? specOf(route.resource).hostnames : undefined;
  const isForHost =
    question === undefined ||
    intersectHostnames(undefined, hostnames).some((hostname) => hostnameMatches(hostname, question.request.host));
  if (!isForHost) return queue;
  const found: FoundRoute[] = [];
  let steps = 0;
  const isBounded = (): boolean => queue.length <= limits.children && steps <= limits.steps;
  const addChild: AddChild = (child, through, make) => {
    steps += through.length;
    for (const rule of rulesOf(child.resource, true)) steps += matchesOf(rule).length;
    if (isBounded()) queue.push(make()); // Added children are processed as well.
  };
  for (const next of queue) {
    const { length } = queue;
    try {
      found.push(delegating(next, question, addChild));
    } catch {
      queue.length = length; // It is not JSON, and throws where it is read: it does not have children.
      found.push(next);
    }
    if (!isBounded()) return [unbounded(route)];
  }
  return found;
}

/** Returns a route with too many children, without its matches. */
function unbounded(node: TargetNode): FoundRoute {
  const { resource } = node;
  const gone = new Map<string, Gone>();
  const spec = specOf(resource);
  const rules = itemsOf(spec.rules).map((rule, ruleIndex) => {
    const matches = matchesOf(rule).map((_, matchIndex) => {
      gone.set(`${ruleIndex}/${matchIndex}`, 'unbounded');
      return null;
    });
    return { ...rule, matches };
  });
  return { node, via: [], gone, within: [], resource: { ...resource, spec: { ...spec, rules } } };
}

/** Returns a route that is attached itself. */
export function foundRoute(node: TargetNode): readonly FoundRoute[] {
  return [{ node, via: [], resource: node.resource, gone: new Map(), within: [] }];
}

/** Adds a child and its parent, unless there are too many. */
type AddChild = (child: TargetNode, through: readonly TargetNode[], make: () => FoundRoute) => void;

/** Returns the route without the matches that it delegates, and adds the children. */
function delegating(route: FoundRoute, question: Question | undefined, addChild: AddChild): FoundRoute {
  const { node, via, resource, within } = route;
  const isDelegating = node.sections.map(delegates);
  if (!isDelegating.includes(true)) return route;
  const gone = new Map(route.gone);
  const spec = specOf(resource);
  const rules = itemsOf(spec.rules).map((rule, ruleIndex) => {
    const section = node.sections[ruleIndex];
    if (section === undefined || isDelegating[ruleIndex] !== true) return rule;
    const those = section.linksTo.filter(({ ref }) => isSameKind(ref, httpRouteKind));
    const through = [...via, node, section];
    const matches = matchesOf(rule).map((match, matchIndex) => {
      if (!isJsonObject(match) || !mayTake(match, question)) return match;
      gone.set(`${ruleIndex}/${matchIndex}`, those.length === 0 ? 'childless' : 'delegated');
      for (const child of those)
        addChild(child, through, () => childOf(child, through, [...within, match], spec.hostnames));
      return null;
    });
    return { ...rule, matches };
  });
  return { node, via, gone, within, resource: { ...resource, spec: { ...spec, rules } } };
}

/** Returns whether a rule refers to children, existing or not: then it serves no requests itself. */
function delegates({ kind, resource, section }: TargetNode, index: number): boolean {
  if (!isSectionKind(kind) || section === undefined) return false;
  return [...kind.references({ index, value: section.value }, resource)].some(({ to }) =>
    isSameKind(to, httpRouteKind),
  );
}

function mayTake(match: JsonObject, question: Question | undefined): boolean {
  if (question === undefined) return true;
  const { request, regularExpression } = question;
  const { checks } = checkHttpMatch(match, request, regularExpression);
  return checks.every(({ verdict }) => verdict === 'match' || verdict === 'undecided');
}

function childOf(
  node: TargetNode,
  via: readonly TargetNode[],
  within: readonly JsonObject[],
  hostnames: JsonValue | undefined,
): FoundRoute {
  const parentMatch = within.at(-1) ?? {};
  const { resource } = node;
  const gone = new Map<string, Gone>();
  const rules = rulesOf(resource, true).map((rule, ruleIndex) => {
    const matches = matchesOf(rule).map((match, matchIndex) => {
      if (!isJsonObject(match)) return match;
      const delegated = delegatedMatch(match, parentMatch, { inherits: inheritsMatches(resource) });
      if (delegated === undefined) gone.set(`${ruleIndex}/${matchIndex}`, 'outside');
      return delegated ?? null;
    });
    return { ...rule, matches };
  });
  return {
    node,
    via,
    gone,
    within,
    resource: { ...resource, spec: { ...specOf(resource), hostnames: hostnames ?? null, rules } },
  };
}
