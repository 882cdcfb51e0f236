export { namedParents } from './lib/contexts/named-ancestors.ts';
export { describeUndecidedLink } from './lib/contexts/undecided-link.ts';
export { describeRule, describeStrategy } from './lib/fold/rule.ts';
export { objectWithoutSection } from './lib/levels/declared-policy.ts';
export { describeHolders } from './lib/reasons/describe-loss.ts';
export { rivalsIn } from './lib/reasons/rivals.ts';
