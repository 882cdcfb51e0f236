export { namedParents } from './lib/contexts/named-ancestors.ts';
export { describeUndecidedLink } from './lib/contexts/undecided-link.ts';
export { describeRule, describeStrategy } from './lib/fold/rule.ts';
export { createFollower, Follower, StaleRows } from './lib/follow/follower.ts';
export { objectWithoutSection } from './lib/levels/declared-policy.ts';
export { describeHolders } from './lib/reasons/describe-loss.ts';
export { type Rival, rivalsIn } from './lib/reasons/rivals.ts';
export { statusQueries } from './lib/status-queries-of.ts';
