export { ancestorLimitType, isAboutPolicies } from './lib/affected-conditions.ts';
