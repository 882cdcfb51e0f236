import { formatPointer, type JsonObject, type KubernetesObject, namespaceOf, specOf } from '@policy-machinery/resource';
import type { LinkEnd, Reference, Refusal, SectionEntry } from '@policy-machinery/topology';
import { gatewayKind, httpRouteKind, isSameKind, labelKind } from '../fields/hierarchy.ts';
import { itemsOf } from '../fields/items.ts';
import { isUnset, targetOf } from '../fields/object-reference.ts';
import { delegatedMatchTest, inheritsMatches } from '../matching/delegated-match.ts';
import { type ArrivingMatches, matchesAt, ownMatches } from './arriving-matches.ts';

type MatchTest = ReturnType<typeof delegatedMatchTest>;

/** The label that kgateway's references by label mean. */
const label = 'delegation.kgateway.dev/label';

/** The namespace that means routes of all namespaces in a reference by label. */
const allNamespaces = 'all';

/**
 * Returns the references of a rule to the HTTPRoutes that it delegates to, as in kgateway: by name, by `*` for all of a namespace, or by label, in
 * agentgateway as `app=cart` in place of the name, which is not a valid name. No ReferenceGrant is needed: the child decides, and its matches must
 * be part of the rule's. A child that does not fit is refused if it is named, and otherwise not selected. Where delegation is cyclic, the reference
 * that leads back gives way.
 */
export function* childReferences({ index, value: rule }: SectionEntry, route: KubernetesObject): Iterable<Reference> {
  let ownTest: MatchTest | undefined;
  /**
   * Returns why a child does not fit, whatever the parents of the route are. Inherited matches are known only to the parents, so children
   * are compared with these later.
   */
  const mayBeOutside = (child: KubernetesObject): Refusal | undefined => {
    const refusal = refusedByChild(child, route);
    if (refusal !== undefined || inheritsMatches(route)) return refusal;
    ownTest ??= delegatedMatchTest(ownMatches(rule));
    return unmatched[ownTest(child)];
  };
  for (const [place, backendRef] of itemsOf(rule.backendRefs).entries()) {
    const to = childrenMeant(backendRef, namespaceOf(route));
    if (to === undefined) continue;
    const isSelecting = !('name' in to);
    const admits = ({ resource: child }: LinkEnd) => told(mayBeOutside(child), child, route);
    yield {
      direction: 'down',
      onCycle: 'drop',
      pointer: formatPointer(['spec', 'rules', index, 'backendRefs', place]),
      ...(isSelecting ? { to: { ...to, where: (child) => mayBeOutside(child) === undefined } } : { to, admits }),
      relay(arriving) {
        const matches = matchesAt(rule, route, arriving as readonly ArrivingMatches[]);
        const test = matches === 'any' ? undefined : delegatedMatchTest(matches);
        return {
          value: matches,
          admits: ({ resource: child }) => {
            const refusal = test && unmatched[test(child)];
            return isSelecting && refusal !== undefined ? 'absent' : told(refusal, child, route);
          },
        };
      },
    };
  }
}

/** Returns a refusal as the parent may see it: a child in another namespace that refuses counts as absent, so that its existence is not revealed. */
function told(
  refusal: Refusal | undefined,
  child: KubernetesObject,
  route: KubernetesObject,
): Refusal | 'absent' | undefined {
  return refusal !== undefined && namespaceOf(child) !== namespaceOf(route) ? 'absent' : refusal;
}

/** Returns the children that a backend of a rule refers to; `undefined` for other backends. */
function childrenMeant(backendRef: JsonObject, own: string): Reference['to'] | undefined {
  const to = targetOf(backendRef, { group: '', kind: '' });
  if (to === undefined) return undefined;
  const namespace = isUnset(to.namespace) ? own : (to.namespace ?? own);
  if (isSameKind(to, labelKind)) {
    const from = namespace === allNamespaces ? 'All' : 'Same';
    return { ...httpRouteKind, namespace, namespaces: { from }, matchLabels: { [label]: to.name } };
  }
  if (!isSameKind(to, httpRouteKind)) return undefined;
  const all = { ...httpRouteKind, namespace, namespaces: { from: 'Same' } } as const;
  if (to.name === '*' || to.name === '') return all;
  const [key = '', ...value] = to.name.split('=');
  return value.length === 0 ? { ...to, namespace } : { ...all, matchLabels: { [key]: value.join('=') } };
}

/** Returns why a child refuses a parent: it must inherit its hostnames, and may restrict its parents. */
export function refusedByChild(child: KubernetesObject, parent: KubernetesObject): Refusal | undefined {
  const { hostnames, parentRefs } = specOf(child);
  if (!isUnset(hostnames) && !isEmptyList(hostnames)) {
    return { reason: 'HostnamesNotInherited', message: 'it has its own hostnames, so it cannot be a child' };
  }
  if (isUnset(parentRefs) || isEmptyList(parentRefs)) return undefined;
  const isNamed = itemsOf(parentRefs).some((parentRef) => {
    const named = targetOf(parentRef, gatewayKind);
    if (named === undefined || !isSameKind(named, httpRouteKind)) return false;
    const namespace = isUnset(named.namespace) ? namespaceOf(child) : named.namespace;
    return named.name === parent.metadata.name && namespace === namespaceOf(parent);
  });
  return isNamed ? undefined : { reason: 'NotAllowedByParentRefs', message: 'its parentRefs name only other parents' };
}

/** The refusals of children that no request can reach through a rule. */
const unmatched: Readonly<Record<ReturnType<MatchTest>, Refusal | undefined>> = {
  some: undefined,
  none: {
    reason: 'NoDelegatedMatch',
    message: 'none of its matches requires everything that a match of the rule requires',
  },
  'too-many': { reason: 'TooManyMatches', message: 'it and the rule have too many matches with one path to compare' },
};

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
