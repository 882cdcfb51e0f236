import { type GroupKind, groupKindKey, PolicyMachineryError } from '@policy-machinery/resource';

/** Kinds by their keys. */
export type KindIndex<Kind extends GroupKind> = ReadonlyMap<string, Kind>;

/**
 * Puts kinds under their keys.
 *
 * @throws {PolicyMachineryError} `duplicate-kind`, when two have the same.
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

/** Looks a kind up in its own spelling. */
export function kindIn<Kind extends GroupKind>(index: KindIndex<Kind>, sought: GroupKind): Kind | undefined {
  const known = index.get(groupKindKey(sought));
  return known?.kind === sought.kind && known.group === sought.group ? known : undefined;
}
