import type { ContextLayer } from '../fold/context-layer.ts';
import { isOwnLayer } from '../fold/context-layer.ts';
import type { Loss } from './loss.ts';

/** A reason for a loss: the layer that prevails over a policy, or a condition that does not hold. */
export interface Rival<Spec> {
  /** Another policy, another stanza of the policy itself, a target's own value, or a condition that does not hold. */
  readonly kind: 'another' | 'itself' | 'target' | 'condition';
  /** The name of the other policy, `namespace/name`; `''` if the rival is none. */
  readonly name: string;
  /** The layer that prevails; for a condition that does not hold, the layer with the condition. */
  readonly layer: ContextLayer<Spec>;
  /** The fields that the rival took, with the strategy and the rule. */
  readonly loss: Loss<Spec>;
}

/**
 * Returns the policies that took the lost fields of a policy.
 *
 * @param losses The losses, such as the losses of a share.
 * @returns One entry for each loss and winner.
 */
export function rivalsIn<Spec>(losses: readonly Loss<Spec>[]): readonly Rival<Spec>[] {
  const rivals: Rival<Spec>[] = [];
  for (const loss of losses) {
    if (loss.rule === 'condition-not-met') rivals.push({ kind: 'condition', name: '', layer: loss.layer, loss });
    else for (const layer of loss.winners) rivals.push(rivalBy(layer, loss));
  }
  return rivals;
}

function rivalBy<Spec>(layer: ContextLayer<Spec>, loss: Loss<Spec>): Rival<Spec> {
  const { policy } = layer;
  if (policy === loss.layer.policy) return { kind: 'itself', name: '', layer, loss };
  if (isOwnLayer(layer)) return { kind: 'target', name: '', layer, loss };
  return { kind: 'another', name: policy.name, layer, loss };
}
