import type { ContextLayer } from '../fold/context-layer.ts';
import { isOwnLayer } from '../fold/context-layer.ts';
import { finalLosses, type Loss } from './losses.ts';

/** Who or what prevails over a policy where it has lost something. */
export interface Rival<Spec> {
  /** Another policy, the policy itself by another of its stanzas, what a target says itself, or a condition that does not hold. */
  readonly kind: 'another' | 'itself' | 'target' | 'condition';
  /** The name of another policy, `namespace/name`; `''` for all else. */
  readonly name: string;
  /** The layer that prevails; of a condition that does not hold, the one that it is on. */
  readonly layer: ContextLayer<Spec>;
  /** What it holds, and by which strategy and rule it came to that. */
  readonly loss: Loss<Spec>;
}

/**
 * Returns who or what holds in the end what a policy lost.
 *
 * @param losses The losses, such as those of a share.
 * @returns One entry for each loss and winner.
 */
export function rivalsIn<Spec>(losses: readonly Loss<Spec>[]): readonly Rival<Spec>[] {
  const rivals: Rival<Spec>[] = [];
  for (const loss of losses.flatMap((it) => finalLosses(it))) {
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
