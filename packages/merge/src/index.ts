export { additive } from './lib/additive.ts';
export { atomic } from './lib/atomic.ts';
export { type CustomStrategyOptions, customStrategy, type Draft, type Recipe } from './lib/custom.ts';
export { append, appendText, type Combination, type FieldStrategy, type KeyedList, union } from './lib/field-rule.ts';
export { type FieldWiseOptions, fieldWise, namedRules, shallow } from './lib/field-wise.ts';
export { type JsonPatchOptions, jsonPatch } from './lib/json-patch.ts';
export { mergePatch } from './lib/merge-patch.ts';
export { none } from './lib/none.ts';
export { omitFields } from './lib/omit-fields.ts';
export { contributors, type FieldOrigin, listFields, listOrigins, originsAt } from './lib/origin-queries.ts';
export { type OriginBranch, type OriginLeaf, type Origins, type Traced, trace } from './lib/origins.ts';
export { patch } from './lib/patch.ts';
export {
  type Combine,
  type Combined,
  type MergeStrategy,
  type Stanza,
  type StrategyName,
  strategyName,
  type TwoSidedStrategy,
} from './lib/strategy.ts';
