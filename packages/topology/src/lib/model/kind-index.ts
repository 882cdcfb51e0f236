import { type GroupKind, groupKindKey, PolicyMachineryError } from '@policy-machinery/resource';

/** Kinds by key. */
export type KindIndex<Kind extends GroupKind> = ReadonlyMap<string, Kind>;

/**
 * Returns kinds by key.
 *
 * @throws {PolicyMachineryError} `duplicate-kind` if two kinds have the same key.
 */
export function indexKinds<Kind extends GroupKind>(kinds: Iterable<Kind>): KindIndex<Kind> {
  const index = new Map<string, Kind>();
  for (const kind of kinds) {
    const key = groupKindKey(kind);
    if (index.has(key)) {
      throw new PolicyMachineryError('duplicate-kind', `The kind ${key} is given twice; leave one out`);
    }
    index.set(key, kind);
  }
  return index;
}

/** Returns a kind by its group and name. */
export function kindIn<Kind extends GroupKind>(index: KindIndex<Kind>, sought: GroupKind): Kind | undefined {
  const known = index.get(groupKindKey(sought));
  return known?.kind === sought.kind && known.group === sought.group ? known : undefined;
}
