import type { GroupKind, JsonObject } from '@policy-machinery/resource';
import { isSectionKind, type StatusCondition, type TargetNode } from '@policy-machinery/topology';
import { refusedByChild } from '../attachment/child-references.ts';
import { httpRouteKind, isSameKind } from '../fields/hierarchy.ts';
import { isFalse, isTrue, isUnknown } from './condition.ts';

/** A parent, with its decision about a route. */
export interface Parent {
  readonly parentRef: JsonObject;
  readonly parent: TargetNode | undefined;
  readonly accepted: StatusCondition;
}

/** Returns whether routes of a kind may delegate to a route. */
export function mayDelegateTo({ kind }: TargetNode, to: GroupKind): boolean {
  if (isSectionKind(kind) || !isSameKind(to, httpRouteKind) || !isSameKind(kind, httpRouteKind)) return false;
  return kind.mayReferTo?.(httpRouteKind, 'down') === true;
}

/**
 * Returns whether a route accepts another one as its child.
 *
 * @param mayExist Whether a missing parent may exist.
 */
export function acceptedByRoute(child: TargetNode, parent: TargetNode | undefined, mayExist: boolean): StatusCondition {
  if (parent === undefined && mayExist) return isUnknown('Accepted', 'The parent is not in this input.');
  if (parent !== undefined && delegatingRoutes(child).has(parent)) return accepted;
  const refusal = parent && refusedByChild(child.resource, parent.resource);
  return refusal === undefined ? notDelegated : isFalse('Accepted', 'UnsupportedValue', refusal.message);
}

/** Returns the routes that delegate to a route which names no parents, as kgateway refers to them. */
export function delegatingParents(child: TargetNode): readonly Parent[] {
  return [...delegatingRoutes(child)].map((parent) => {
    const { namespace = '', name } = parent.ref;
    return { parentRef: { ...httpRouteKind, namespace, name }, parent, accepted };
  });
}

function delegatingRoutes({ linksFrom }: TargetNode): ReadonlySet<TargetNode> {
  return new Set(linksFrom.map(({ object }) => object).filter(({ ref }) => isSameKind(ref, httpRouteKind)));
}

const accepted = isTrue('Accepted', 'Accepted', 'The route is accepted.');

/** The same for a parent that does not exist: parents that do not delegate need not be distinguished from parents that others may not know. */
const notDelegated = isFalse(
  'Accepted',
  'NoMatchingParent',
  'no HTTPRoute of that name delegates to the route with matches that it has',
);
