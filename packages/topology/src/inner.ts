export { statusesTouched } from './lib/changes/statuses-touched.ts';
export { withCreations, withStatus, withWhileDeleting } from './lib/model/define-target-kind.ts';
export { describeTargetable, isVirtualKind, targetableKey } from './lib/model/target-kind.ts';
export { byTopologyOrder } from './lib/model/target-node.ts';
export { ancestorsBy } from './lib/paths/ancestors-by.ts';
export {
  canBeEntered,
  isRootPosition,
  linksAfter,
  positionsBefore,
  rootPositions,
  targetsPassed,
} from './lib/paths/position.ts';
export { targetsAbove, targetsBelow } from './lib/paths/walks.ts';
export { meansSection } from './lib/references/section-criteria.ts';
export { unreachedReason } from './lib/references/unreached-reason.ts';
export { formatUnseen, mayBeBelow, unseenRoutes } from './lib/unseen.ts';
