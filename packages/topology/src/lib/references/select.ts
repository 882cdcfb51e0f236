import { selectorTest } from '@policy-machinery/resource/inner';
import { namespaceTest } from '@policy-machinery/target-ref/inner';
import type { SelectedTargets } from '../model/reference.ts';
import type { WholeTarget } from '../targets/target.ts';
import type { Lookup } from './lookup.ts';

/**
 * Returns the whole resources that a selector selects, by locator.
 *
 * @param namespace The namespace of the selector's holder; `undefined` for a cluster-scoped holder, where `Same` selects nothing.
 */
export function selectTargets(
  selector: SelectedTargets,
  namespace: string | undefined,
  lookup: Lookup,
): readonly WholeTarget[] {
  const hasLabels = selectorTest(selector);
  const isWithin = namespaceTest(selector.namespaces);
  const needsLabels = selector.namespaces.from === 'Selector';
  const isSelected = ({ namespaceName, resource }: WholeTarget): boolean => {
    if (namespaceName !== undefined) {
      const labels = needsLabels ? lookup.namespaceLabels(namespaceName) : undefined;
      if (!isWithin(namespaceName, { own: namespace, labels })) return false;
    }
    return hasLabels(resource.metadata.labels) && selector.where?.(resource) !== false;
  };
  const candidates = lookup.candidates(selector, namespace);
  const kind = candidates[0]?.kind; // All candidates are of one kind. A name in another case is another kind.
  return kind?.group === selector.group && kind.kind === selector.kind ? candidates.filter(isSelected) : [];
}
