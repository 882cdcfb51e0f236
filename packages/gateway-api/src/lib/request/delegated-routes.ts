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
import { itemsOf } from '../fields/items.ts';
import { childRulesOf, delegatedMatch, inheritsMatches, matchesOf } from '../matching/delegated-match.ts';
import { checkHttpMatch } from '../matching/http-match.ts';
import type { Question } from './question.ts';

/** A route as a request finds it at a listener: by itself, or as the child of another. */
export interface FoundRoute {
  readonly node: TargetNode;
  /** The routes that delegate to it, each with the rule that does. */
  readonly via: readonly TargetNode[];
  /** The route with the hostnames and matches that it has there. What is no match any more is `null`. */
  readonly resource: KubernetesObject;
  /** Why matches were removed, by `rule/match`. */
  readonly gone: ReadonlyMap<string, Gone>;
}

/**
 * A match whose children take its place; one that has none, though it delegates; one of a child that is no part of its
 * parent's; or one of a route with too many children to go through.
 */
export type Gone = 'delegated' | 'childless' | 'outside' | 'unbounded';

/** The limits of children of a route for one request, counted once per delegation, and of matches and routes above them. */
const limits = { children: 10_000, steps: 100_000 };

/**
 * Returns a route and those that its rules delegate to, as kgateway has it (H-10): a child takes what a match of its parent takes, and
 * its own matches must ask for all that this asks for, unless it inherits them. Matches of parents that the request does
 * not fit are left as they are.
 *
 * @param route A route that is attached to a listener.
 * @param question The request; `undefined` for any.
 * @param options Whether the hostnames of the route count there.
 * @returns The route first; with more than 10,000 children it alone, without any match, so that others do not wait for its
 * answer. Others than HTTPRoutes have no children.
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
    for (const rule of childRulesOf(child.resource)) steps += matchesOf(rule).length;
    if (isBounded()) queue.push(make()); // What is added is gone through as well.
  };
  for (const next of queue) {
    const { length } = queue;
    try {
      found.push(delegating(next, question, addChild));
    } catch {
      queue.length = length; // It is no JSON, and throws where it is read: it has no children.
      found.push(next);
    }
    if (!isBounded()) return [unbounded(route)];
  }
  return found;
}

/** Returns a route of which nothing can be said. */
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
  return { node, via: [], gone, resource: { ...resource, spec: { ...spec, rules } } };
}

/** Returns a route by itself. */
export function foundRoute(node: TargetNode): readonly FoundRoute[] {
  return [{ node, via: [], resource: node.resource, gone: new Map() }];
}

/** Adds a child and its parent, unless there are too many. */
type AddChild = (child: TargetNode, through: readonly TargetNode[], make: () => FoundRoute) => void;

/** The route without the matches that it delegates; adds the children that these are delegated to. */
function delegating(route: FoundRoute, question: Question | undefined, addChild: AddChild): FoundRoute {
  const { node, via, resource } = route;
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
      for (const child of those) addChild(child, through, () => childOf(child, through, match, spec.hostnames));
      return null;
    });
    return { ...rule, matches };
  });
  return { node, via, gone, resource: { ...resource, spec: { ...spec, rules } } };
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
  parentMatch: JsonObject,
  hostnames: JsonValue | undefined,
): FoundRoute {
  const { resource } = node;
  const gone = new Map<string, Gone>();
  const rules = childRulesOf(resource).map((rule, ruleIndex) => {
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
    resource: { ...resource, spec: { ...specOf(resource), hostnames: hostnames ?? null, rules } },
  };
}
