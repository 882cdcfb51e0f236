import { groupKindOf, selectorTest } from '@policy-machinery/resource';
import { targetSelectorTest } from '@policy-machinery/target-ref';
import type { Lookup } from './lookup.ts';
import type { SelectedTargets } from './reference.ts';
import type { WholeTarget } from './target.ts';

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
  const isSelected = targetSelectorTest(selector);
  const hasLabels = selectorTest(selector);
  const needsLabels = selector.namespaces.from === 'Selector';
  const policyNamespace = namespace ?? '';
  const mayBe = ({ namespaceName, resource }: WholeTarget): boolean => {
    if (namespaceName === undefined) {
      const { group, kind } = groupKindOf(resource);
      return group === selector.group && kind === selector.kind && hasLabels(resource.metadata.labels);
    }
    const namespaceLabels = needsLabels ? lookup.namespaceLabels(namespaceName) : undefined;
    return isSelected({ policyNamespace, target: resource, namespaceLabels });
  };
  return lookup
    .candidates(selector, namespace)
    .filter((target) => mayBe(target) && selector.where?.(target.resource) !== false);
}
