import type { DeclaredTargetSelector } from '@policy-machinery/target-ref';
import { type Attaching, mayMean } from './attaching.ts';
import type { Attachment } from './attachment.ts';
import { outOfReach } from './reach.ts';
import { selectTargets } from './select.ts';
import { settle, unattached } from './settle.ts';
import type { Target, WholeTarget } from './target.ts';

/** What one selector of a policy selects, or why nothing. */
export type Selection =
  | Attachment
  | { readonly declared: DeclaredTargetSelector; readonly targets: readonly WholeTarget[] };

/**
 * Selects targets for a policy (T-07). What is out of its reach counts as not being there, lest the policy tell of it (T-25, E-08).
 * Targets that the policy has met already are left out.
 */
export function selectionOf(declared: DeclaredTargetSelector, policy: Attaching): Selection {
  const { kind, lookup, met, ref } = policy;
  if (!kind.targets.some((supported) => mayMean(supported, declared, false)))
    return failed(declared, 'UnsupportedTarget', policy);
  const selected = selectTargets(declared, ref.namespace, lookup).filter(
    (target) => target.namespaceName === ref.namespace || outOfReach(ref, target.ref, kind, lookup) === undefined,
  );
  if (selected.length === 0) return failed(declared, 'NothingSelected', policy);
  const targets = met.size === 0 ? selected : selected.filter((target) => !met.has(target));
  return { declared, targets };
}

/** Attaches a policy to the targets of a selection, as far as it is admitted there. */
export function attachSelection(
  selection: Selection,
  policy: Attaching,
  admitted: ReadonlySet<Target>,
): readonly Attachment[] {
  if ('outcome' in selection) return [selection];
  const { declared, targets } = selection;
  const declaration = { declared, via: 'targetSelector' } as const;
  const here = admitted.size === 0 ? [] : targets.filter((target) => admitted.has(target));
  const attached = here.map((target) => settle(declaration, target, policy));
  return here.length === targets.length ? attached : [...attached, failed(declared, 'TooManyPolicies', policy)];
}

function failed(
  declared: DeclaredTargetSelector,
  outcome: 'UnsupportedTarget' | 'NothingSelected' | 'TooManyPolicies',
  { kind }: Attaching,
): Attachment {
  const sought = { asked: `selects ${declared.kind}`, ref: declared };
  return unattached({ declared, via: 'targetSelector' }, outcome, sought, kind);
}
