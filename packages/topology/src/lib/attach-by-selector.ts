import type { DeclaredTargetSelector } from '@policy-machinery/target-ref';
import { type Attaching, mayMean } from './attaching.ts';
import type { Attachment } from './attachment.ts';
import { outOfReach } from './reach.ts';
import { selectTargets } from './select.ts';
import { settle, unattached } from './settle.ts';

/**
 * Attaches a policy to the targets that one of its selectors selects (T-07). What is out of its reach counts as not being there,
 * lest the policy tell of it (T-25, E-08). Targets that the policy has met already are left out.
 */
export function attachBySelector(declared: DeclaredTargetSelector, policy: Attaching): readonly Attachment[] {
  const { kind, lookup, met, ref } = policy;
  const declaration = { declared, via: 'targetSelector' } as const;
  const sought = { asked: `selects ${declared.kind}`, ref: declared };
  if (!kind.targets.some((supported) => mayMean(supported, declared, false))) {
    return [unattached(declaration, 'UnsupportedTarget', sought, kind)];
  }
  const selected = selectTargets(declared, ref.namespace, lookup).filter(
    (target) => outOfReach(ref, target.ref, kind, lookup) === undefined,
  );
  if (selected.length === 0) return [unattached(declaration, 'NothingSelected', sought, kind)];
  const fresh = selected.filter((target) => !met.has(target));
  for (const target of fresh) met.add(target);
  return fresh.map((target) => settle(declaration, target, policy));
}
