import type { Loss } from './losses.ts';

/** The losses that went on to others, and to whom. Kept beside them: a loss itself says who prevailed first. */
const followed = new WeakMap<Loss<never>, readonly Loss<never>[]>();

/**
 * Returns who holds in the end what a loss tells of: a layer that prevailed may have lost it in turn, to a layer further up.
 *
 * @param loss A loss of an effective policy, which says who prevailed first.
 * @returns The same loss where that one holds it; else one with the holders, their strategy and their rule, or one for each field where
 * they differ.
 */
export function finalLosses<Spec>(loss: Loss<Spec>): readonly Loss<Spec>[] {
  return (followed.get(loss as Loss<never>) as readonly Loss<Spec>[] | undefined) ?? [loss];
}

/** Notes who holds in the end what a loss tells of. */
export function noteFinal<Spec>(loss: Loss<Spec>, final: readonly Loss<Spec>[]): void {
  followed.set(loss as Loss<never>, final as readonly Loss<never>[]);
}
