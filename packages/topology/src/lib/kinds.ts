import {
  formatGroupKind,
  type GroupKind,
  groupKindKey,
  PolicyMachineryError,
  type Scope,
} from '@policy-machinery/resource';
import { referenceGrantKind } from '@policy-machinery/target-ref';
import type { AttachableKind } from './attachment.ts';
import { isSectionKind, type TargetKind } from './target-kind.ts';

/** Kinds by their keys. */
export type KindIndex<Kind extends GroupKind> = ReadonlyMap<string, Kind>;

/** The kinds of a topology. */
export interface Kinds {
  readonly targets: KindIndex<TargetKind>;
  readonly policies: KindIndex<AttachableKind>;
}

/**
 * The kinds that every topology takes in, whether or not they are targets: links and attachments depend on the labels of
 * Namespaces and on ReferenceGrants.
 */
export const backgroundKinds: KindIndex<GroupKind & { readonly scope: Scope }> = indexKinds([
  { group: '', kind: 'Namespace', scope: 'Cluster' },
  { ...referenceGrantKind, scope: 'Namespaced' },
]);

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

/**
 * Checks that policies can only target what the topology holds: else they would all miss their targets.
 *
 * @throws {PolicyMachineryError} `unknown-kind`, with every kind that is missing.
 */
export function checkTargets({ targets, policies }: Kinds): void {
  const missing = new Set<string>();
  for (const policyKind of policies.values()) {
    for (const target of [...policyKind.targets, ...(policyKind.effectiveTargets ?? [])]) {
      const kind = isSectionKind(target) ? target.of : target;
      if (kindIn(targets, kind) !== undefined) continue;
      missing.add(`${formatGroupKind(policyKind)} targets ${formatGroupKind(kind)}; add that kind to targetKinds`);
    }
  }
  if (missing.size === 0) return;
  const issues = [...missing].map((message) => ({ code: 'unknown-kind', severity: 'error', message }) as const);
  throw new PolicyMachineryError('unknown-kind', 'The topology lacks kinds of targets', issues);
}

/** Looks a kind up in its own spelling: a kind in another case is another kind. */
export function kindIn<Kind extends GroupKind>(index: KindIndex<Kind>, sought: GroupKind): Kind | undefined {
  const known = index.get(groupKindKey(sought));
  return known?.kind === sought.kind && known.group === sought.group ? known : undefined;
}
