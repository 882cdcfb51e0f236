import {
  groupKindOf,
  type KubernetesObject,
  type LabelSelector,
  matchesSelector,
  namespaceOf,
} from '@policy-machinery/resource';
import { namespaceSelectorTest } from '@policy-machinery/resource/inner';

/** The namespaces where a policy looks for targets. */
export type TargetNamespaces =
  | { readonly from: 'Same' | 'All' }
  | { readonly from: 'Selector'; readonly selector: LabelSelector };

/** Selects targets by their labels, as in Envoy Gateway's policies: whole targets, or the section of one name in each. */
export interface TargetSelector extends LabelSelector {
  /** API group; `''` is the core group. */
  readonly group: string;
  readonly kind: string;
  readonly namespaces: TargetNamespaces;
  /** A listener, a route rule, a port …: only this part of each selected target. Default: the whole target. */
  readonly sectionName?: string;
}

/** A validated `TargetSelector`, with its pointer in the policy. */
export interface DeclaredTargetSelector extends TargetSelector {
  /** JSON Pointer to the selector: `/spec/targetSelectors/0`. */
  readonly pointer: string;
  /** The port of the sections that are meant, instead of `sectionName`. Default: see `sectionName`. */
  readonly port?: number;
}

/** A resource that a policy may select. */
export interface SelectionCandidate {
  readonly policyNamespace: string;
  /** A resource of a namespaced kind. */
  readonly target: KubernetesObject;
  /** Labels of the Namespace of the target; `undefined` if that Namespace is unknown. */
  readonly namespaceLabels: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns whether a selector matches a resource: by kind, by namespace, and by labels. Without conditions on labels it
 * matches all resources of the kind.
 *
 * The function does not check whether the resource has the section of `sectionName`, nor does it check ReferenceGrants. Envoy
 * Gateway ignores a target in another namespace unless a grant there permits the reference; use
 * `referenceGrants(…).permits` for that.
 *
 * @param selector The selector, as `readTargetSelectors` returns it.
 * @param candidate The resource.
 * @returns Whether the selector matches. A namespace with unknown labels is selected by its name only.
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

/** The facts about a namespace that decide, in addition to its name. */
export interface NamespaceFacts {
  /** The namespace that `Same` means; `undefined` if it means none. */
  readonly own: string | undefined;
  /** Labels of the Namespace; `undefined` if it is unknown. */
  readonly labels: SelectionCandidate['namespaceLabels'];
}

/**
 * Prepares a test for the namespaces of a selector, for many candidates.
 *
 * @param namespaces The namespaces, as `readTargetSelectors` returns them.
 * @returns A function that returns whether the selector covers a namespace.
 */
export function namespaceTest(namespaces: TargetNamespaces): (namespace: string, facts: NamespaceFacts) => boolean {
  if (namespaces.from !== 'Selector') {
    const isAny = namespaces.from === 'All';
    return (namespace, { own }) => isAny || namespace === own;
  }
  const isSelected = namespaceSelectorTest(namespaces.selector);
  return (namespace, { labels }) => isSelected(namespace, labels) === true;
}
