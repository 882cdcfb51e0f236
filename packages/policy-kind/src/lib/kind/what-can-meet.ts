import type { MergeStrategy } from '@policy-machinery/merge';
import { PolicyMachineryError } from '@policy-machinery/resource';
import { refuseNoneBesideOthers, type StrategyChoice } from '../stanzas/strategy-choice.ts';
import type { AnyPolicyKindDefinition } from './policy-kind-definition.ts';
import { byEstablished } from './strategy-chooser.ts';

/**
 * Refuses rules that would otherwise prove impossible only when policies meet.
 *
 * @param definition The rules.
 * @param strategies All strategies of the kind.
 * @param chosen The strategies that the kind itself chooses, with their stanzas.
 */
export function refuseWhatCannotMeet(
  {
    kind,
    fold,
    withinObject,
    strategyChooser = byEstablished,
  }: Pick<AnyPolicyKindDefinition, 'kind' | 'fold' | 'withinObject' | 'strategyChooser'>,
  strategies: readonly MergeStrategy[],
  chosen: readonly StrategyChoice[],
): void {
  const refuse = (message: string): never => {
    throw new PolicyMachineryError('invalid-policy-kind', `${kind} ${message}`);
  };
  refuseNoneBesideOthers(strategies);
  const unsupported = chosen.find(({ strategy, stanza }) => strategy[stanza] === undefined);
  if (unsupported !== undefined) refuse(`chooses a strategy for ${unsupported.stanza} that does not support them`);
  // Its specs change the spec below them, so they cannot be merged with each other.
  const isInstruction = strategies.some(({ alone }) => alone !== undefined);
  const isLayerByLayer = fold !== 'gep-stack' && withinObject === undefined && strategyChooser.unit === 'layer';
  if (isInstruction && !isLayerByLayer) {
    refuse(
      'has a strategy, such as jsonPatch, with specs that must be merged one by one with the policies below; remove gep-stack, withinObject and strategyChooser, or that strategy',
    );
  }
}
