import {
  formatGroupKind,
  type GroupKind,
  groupKindKey,
  type Issue,
  PolicyMachineryError,
} from '@policy-machinery/resource';
import type { Kinds } from './kinds.ts';
import { ownerOf } from './target-kind.ts';

/**
 * Checks that kinds are kinds.
 *
 * @throws {PolicyMachineryError} `invalid-kinds` with all values that are not kinds.
 */
export function checkedKinds<Kind extends GroupKind>(
  field: string,
  kinds: Iterable<Kind>,
  maker: string,
): readonly Kind[] {
  const given: unknown = kinds;
  if (typeof given !== 'object' || given === null || !(Symbol.iterator in given)) {
    throw new PolicyMachineryError('invalid-kinds', `${field} is not a list; pass a list of kinds`);
  }
  const list = [...kinds];
  const issues = list.flatMap((kind, index): readonly Issue[] => {
    const { group, kind: name }: Partial<Record<keyof GroupKind, unknown>> = kind ?? {};
    if (typeof group === 'string' && typeof name === 'string') return [];
    const message = `${field}[${index}] is not a kind; pass the result of ${maker}`;
    return [{ code: 'invalid-kinds', severity: 'error', message }];
  });
  if (issues.length > 0) throw new PolicyMachineryError('invalid-kinds', 'The topology cannot be made', issues);
  return list;
}

/**
 * Returns kinds by key.
 *
 * @throws {PolicyMachineryError} `duplicate-kind` if two kinds have the same key.
 */
export function indexKinds<Kind extends GroupKind>(kinds: Iterable<Kind>): ReadonlyMap<string, Kind> {
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

export function kindIn<Kind extends GroupKind>(index: ReadonlyMap<string, Kind>, sought: GroupKind): Kind | undefined {
  const candidate = index.get(groupKindKey(sought));
  return candidate?.kind === sought.kind && candidate.group === sought.group ? candidate : undefined;
}

/**
 * Checks that the topology has all kinds that policies can target: otherwise all policies would miss their targets.
 *
 * @throws {PolicyMachineryError} `unknown-kind` with all kinds that are missing.
 */
export function checkTargets({ targets, policies }: Pick<Kinds, 'targets' | 'policies'>): void {
  const missing = new Set<string>();
  for (const policyKind of policies.values()) {
    for (const target of [...policyKind.targets, ...(policyKind.effectiveTargets ?? [])]) {
      const kind = ownerOf(target);
      if (kindIn(targets, kind) !== undefined) continue;
      missing.add(`${formatGroupKind(policyKind)} targets ${formatGroupKind(kind)}; add that kind to targetKinds`);
    }
  }
  if (missing.size === 0) return;
  const issues = [...missing].map((message) => ({ code: 'unknown-kind', severity: 'error', message }) as const);
  throw new PolicyMachineryError('unknown-kind', 'The topology lacks kinds of targets', issues);
}
