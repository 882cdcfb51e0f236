import {
  groupKindOf,
  type KubernetesObject,
  type LabelSelector,
  matchesSelector,
  namespaceOf,
  selectorTest,
} from '@policy-machinery/resource';

/** The namespaces in which a policy looks for targets. */
export type TargetNamespaces =
  | { readonly from: 'Same' | 'All' }
  | { readonly from: 'Selector'; readonly selector: LabelSelector };

/**
 * Targets by their labels, as Envoy Gateway's policies write it (T-07): whole ones, or the section of one name of each (T-08).
 */
export interface TargetSelector extends LabelSelector {
  /** API group; `''` is the core group. */
  readonly group: string;
  readonly kind: string;
  readonly namespaces: TargetNamespaces;
  /** A listener, a route rule, a port …: only this part of each selected target. Default: the whole target. */
  readonly sectionName?: string;
}

/** A `TargetSelector` that has been checked, and where it stands in the policy. */
export interface DeclaredTargetSelector extends TargetSelector {
  /** JSON Pointer to the selector: `/spec/targetSelectors/0`. */
  readonly pointer: string;
}

/** A resource that a policy may select. */
export interface SelectionCandidate {
  readonly policyNamespace: string;
  /** A resource of a namespaced kind. */
  readonly target: KubernetesObject;
  /** Labels of the Namespace that the target is in; `undefined` where that Namespace is not known. */
  readonly namespaceLabels: Readonly<Record<string, string>> | undefined;
}

/**
 * Tells whether a selector selects a resource: by kind, by namespace, and by labels (T-07). Without conditions on
 * labels it selects all of the kind.
 *
 * Whether the resource has the section of `sectionName` is another matter. It does not ask for ReferenceGrants. Envoy Gateway ignores a target in another namespace unless a grant there permits
 * the policy to refer to it (E-08): where that holds, ask `referenceGrants(…).permits` too.
 *
 * @param selector The selector, as `readTargetSelectors` returns it.
 * @param candidate The resource.
 * @returns Whether it is selected. A namespace that is not known is never selected by labels.
 */
export function selectorMatches(
  selector: TargetSelector,
  { policyNamespace, target, namespaceLabels }: SelectionCandidate,
): boolean {
  const { group, kind } = groupKindOf(target);
  return (
    group === selector.group &&
    kind === selector.kind &&
    namespaceTest(selector.namespaces)(namespaceOf(target), { own: policyNamespace, labels: namespaceLabels }) &&
    matchesSelector(selector, target.metadata.labels)
  );
}

/** What decides about a namespace, beside its name. */
export interface NamespaceFacts {
  /** The namespace that `Same` means; `undefined` where it means none. */
  readonly own: string | undefined;
  /** Labels of the Namespace; `undefined` where it is not known. */
  readonly labels: SelectionCandidate['namespaceLabels'];
}

/**
 * Reads once which namespaces a selector means, for many candidates.
 *
 * @param namespaces As `readTargetSelectors` returns it.
 * @returns Tells whether the selector looks for targets in a namespace.
 */
export function namespaceTest(namespaces: TargetNamespaces): (namespace: string, facts: NamespaceFacts) => boolean {
  if (namespaces.from !== 'Selector') {
    const isAny = namespaces.from === 'All';
    return (namespace, { own }) => isAny || namespace === own;
  }
  const isSelected = selectorTest(namespaces.selector);
  return (namespace, { labels }) =>
    // The API server gives each Namespace this label; manifests seldom show it.
    labels !== undefined && isSelected({ ...labels, 'kubernetes.io/metadata.name': namespace });
}
