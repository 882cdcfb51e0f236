export { atomic } from './lib/atomic.ts';
export { type CustomStrategyOptions, customStrategy, type Draft, type Recipe } from './lib/custom.ts';
export { mergePatch } from './lib/merge-patch.ts';
export { none } from './lib/none.ts';
export { contributors, type FieldOrigin, listFields, listOrigins, originsAt } from './lib/origin-queries.ts';
export { type OriginBranch, type OriginLeaf, type Origins, type Traced, trace } from './lib/origins.ts';
export { patch } from './lib/patch.ts';
export { type Combine, type MergeStrategy, type Stanza, type StrategyName, strategyName } from './lib/strategy.ts';
