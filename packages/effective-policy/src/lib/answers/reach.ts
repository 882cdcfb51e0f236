import type { Issue } from '@policy-machinery/resource';
import type { EffectiveField } from '../reasons/fields.ts';
import { inUnits, type Loss } from '../reasons/loss.ts';
import type { ScopeOutcome } from '../reasons/policy-share.ts';
import { isKept } from '../reasons/shares-of.ts';
import { isWithin } from '../support/pointers.ts';
import type { EffectivePolicy } from './effective-policy.ts';

/** One scope of a policy: a target in one context, and the share of the policy there. */
export interface PolicyScope<Spec> {
  /** The effective policy in the scope, with the target and the paths. */
  readonly effective: EffectivePolicy<Spec>;
  readonly outcome: ScopeOutcome;
  /** The losses of the policy there, with the winning layers and the rule. */
  readonly losses: readonly Loss<Spec>[];
  /** The parts of the policy that could not be carried out there. */
  readonly issues: readonly Issue[];
}

/**
 * Returns the scopes of a policy, or of a part of it, each with the outcome there.
 *
 * @param effective The effective policies of the scopes.
 * @param locator The locator of the policy.
 * @param pointer JSON Pointer to the part.
 */
export function scopesOf<Spec>(
  effective: readonly EffectivePolicy<Spec>[],
  locator: string,
  pointer: string,
): readonly PolicyScope<Spec>[] {
  const cache = new Map<unknown, readonly EffectiveField<Spec>[]>();
  return effective.flatMap((policy): readonly PolicyScope<Spec>[] => {
    if (pointer !== '') return partIn(policy, policy.fieldsIn(cache), locator, pointer);
    const share = policy.shares.find((it) => it.policy.locator === locator);
    if (share === undefined) return [];
    const { outcome, losses, issues } = share;
    return [{ effective: policy, outcome, losses, issues }];
  });
}

/** Returns the scope of a part of a policy, with its outcome; none if the policy neither sets nor loses a field of the part. */
function partIn<Spec>(
  effective: EffectivePolicy<Spec>,
  allFields: readonly EffectiveField<Spec>[],
  locator: string,
  pointer: string,
): readonly PolicyScope<Spec>[] {
  const fields = allFields.filter((field) => isWithin(field.pointer, pointer));
  const isHeld = fields.some(({ by, agreeing }) =>
    [...by, ...agreeing].some(({ policy }) => policy.locator === locator),
  );
  const lost = fields.flatMap(({ by, over }) =>
    over
      .filter(({ layer }) => layer.policy.locator === locator)
      .map((loss) => ({ loss, isMissing: !isKept(loss, () => by) })),
  );
  const losses = inUnits([...new Set(lost.map(({ loss }) => loss))]);
  if (!isHeld && losses.length === 0) return [];
  const whole = effective.shares.find((share) => share.policy.locator === locator);
  const without = whole?.outcome === 'conflicted' ? 'conflicted' : 'overridden';
  const isAll = lost.every(({ isMissing }) => !isMissing);
  const outcome = isAll ? 'enforced' : isHeld ? 'partly-enforced' : without;
  return [{ effective, outcome, losses, issues: whole?.issues ?? [] }];
}
