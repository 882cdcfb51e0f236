import {
  groupOf,
  type KubernetesObject,
  type LabelSelector,
  namespaceOf,
  selectorTest,
} from '@policy-machinery/resource';

/** The namespaces in which a policy looks for targets. */
export type TargetNamespaces =
  | { readonly from: 'Same' | 'All' }
  | { readonly from: 'Selector'; readonly selector: LabelSelector };

/**
 * Targets by their labels, as Envoy Gateway's policies write it (T-07). Always whole targets: there is no `sectionName`
 * (T-08).
 */
export interface TargetSelector extends LabelSelector {
  /** API group; `''` is the core group. */
  readonly group: string;
  readonly kind: string;
  readonly namespaces: TargetNamespaces;
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
 * It does not ask for ReferenceGrants. Envoy Gateway ignores a target in another namespace unless a grant there permits
 * the policy to refer to it (E-08): where that holds, ask `referenceGrants(…).permits` too.
 *
 * @param selector The selector, as `readTargetSelectors` returns it.
 * @param candidate The resource.
 * @returns Whether it is selected. A namespace that is not known is never selected by labels.
 */
export function selectorMatches(selector: TargetSelector, candidate: SelectionCandidate): boolean {
  return targetSelectorTest(selector)(candidate);
}

/**
 * Reads a selector once, for many candidates: see {@link selectorMatches}.
 *
 * @param selector The selector, as `readTargetSelectors` returns it.
 * @returns The test.
 */
export function targetSelectorTest(selector: TargetSelector): (candidate: SelectionCandidate) => boolean {
  const isSelected = selectorTest(selector);
  const isIncluded = namespaceTest(selector.namespaces);
  return (candidate) => {
    const { target } = candidate;
    return (
      target.kind === selector.kind &&
      groupOf(target.apiVersion) === selector.group &&
      isIncluded(candidate) &&
      isSelected(target.metadata.labels)
    );
  };
}

function namespaceTest(namespaces: TargetNamespaces): (candidate: SelectionCandidate) => boolean {
  if (namespaces.from !== 'Selector') {
    const { from } = namespaces;
    return ({ target, policyNamespace }) => from === 'All' || namespaceOf(target) === policyNamespace;
  }
  const isSelected = selectorTest(namespaces.selector);
  return ({ target, namespaceLabels }) =>
    // The API server gives each Namespace this label; manifests seldom show it.
    namespaceLabels !== undefined &&
    isSelected({ ...namespaceLabels, 'kubernetes.io/metadata.name': namespaceOf(target) });
}
