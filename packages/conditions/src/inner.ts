export { ancestorLimitType, isAboutPolicies } from './lib/affected-conditions.ts';
export type { TemplateOf } from './lib/vocabulary.ts';
