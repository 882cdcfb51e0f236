import { formatTarget, type Refusal, type TargetNode } from '@policy-machinery/topology';

/** A link between a section and a target that the section may refuse, because a fact that decides is not known. */
export interface UndecidedLink {
  readonly above: TargetNode;
  readonly below: TargetNode;
  /** The refusal, if the section refuses the target. */
  readonly refusal: Refusal;
}

/** Says why a link is undecided, in a sentence without a full stop: `Gateway infra/public#http may refuse GRPCRoute shop/calls: a route …`. */
export function describeUndecidedLink({ above, below, refusal }: UndecidedLink): string {
  return `${formatTarget(above)} may refuse ${formatTarget(below)}: ${refusal.message}`;
}
