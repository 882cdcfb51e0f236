import { type FoundKinds, knownKinds } from '@policy-machinery/known-kinds';
import { groupKindKey, groupKindOf, type Issue, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { closestNames } from '../../model/closest.ts';

/**
 * Returns a warning for each policy of a kind without a definition, if the group has a kind with nearly the same name.
 *
 * @param found The policy kinds among them.
 */
export function misspelledKinds(objects: readonly KubernetesObject[], { kinds }: FoundKinds): readonly Issue[] {
  const meant = new Map<string, string>();
  for (const { kind, foundBy } of kinds) {
    if (foundBy !== 'objects') continue;
    const siblings = knownKinds.flatMap((sibling) => (sibling.group === kind.group ? sibling.kind : []));
    const [closest] = closestNames(kind.kind, siblings);
    if (closest !== undefined) meant.set(groupKindKey(kind), closest);
  }
  return objects.flatMap((object): readonly Issue[] => {
    const closest = meant.get(groupKindKey(groupKindOf(object)));
    if (closest === undefined) return [];
    const message = `the kind ${object.kind} is not known, and its definition is not in this input; did you mean ${closest}?`;
    return [{ code: 'misspelled-kind', severity: 'warning', message, resource: locatorOf(object), pointer: '/kind' }];
  });
}
