import { groupKindOf, matchesSelector } from '@policy-machinery/resource';
import { selectorMatches } from '@policy-machinery/target-ref';
import type { Lookup } from './lookup.ts';
import type { SelectedTargets } from './reference.ts';
import type { WholeTarget } from './target.ts';
import { byLocator } from './target-node.ts';

/**
 * The whole resources that a selector selects, by locator.
 *
 * @param namespace The namespace of what holds the selector; none if that is cluster-scoped, and then `Same` selects nothing.
 */
export function selectTargets(
  selector: SelectedTargets,
  namespace: string | undefined,
  lookup: Lookup,
): readonly WholeTarget[] {
  const selected = [...lookup.candidates(selector, namespace)].filter(({ ref, resource }) => {
    if (selector.where?.(resource) === false) return false;
    if (ref.namespace === undefined) {
      const { group, kind } = groupKindOf(resource);
      return group === selector.group && kind === selector.kind && matchesSelector(selector, resource.metadata.labels);
    }
    const namespaceLabels = selector.namespaces.from === 'Selector' ? lookup.namespaceLabels(ref.namespace) : undefined;
    return selectorMatches(selector, { policyNamespace: namespace ?? '', target: resource, namespaceLabels });
  });
  return selected.sort(byLocator);
}
