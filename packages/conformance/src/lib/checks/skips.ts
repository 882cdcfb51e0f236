import { hasTargets, type PolicyUnderTest, type StrategyName } from '../subject/policy-under-test.ts';

/** Returns why a check does not apply to a subject; `undefined` if it does. */
export type Skip = (subject: PolicyUnderTest) => string | undefined;

/** Never skips a check. */
export const never: Skip = () => undefined;

/** Skips a check unless policies may target all of some kinds. */
export const needsTargets =
  (...targets: readonly string[]): Skip =>
  (subject) =>
    hasTargets(subject, ...targets) ? undefined : `policies of the kind do not target ${targets.join(' and ')}`;

/** Skips a check unless the kind has all of some strategies. */
export const needsStrategies =
  (...names: readonly StrategyName[]): Skip =>
  ({ strategies }) => {
    const missing = names.filter((name) => strategies[name] === undefined);
    return missing.length === 0 ? undefined : `the kind does not have the strategy ${missing.join(' and ')}`;
  };

/** Skips a check if one of several reasons applies. */
export const anyOf =
  (...skips: readonly Skip[]): Skip =>
  (subject) =>
    skips.map((skip) => skip(subject)).find((why) => why !== undefined);

/** Skips a check unless statuses have entries for ancestors. */
export const needsAncestors: Skip = ({ rendering }) =>
  rendering === 'ancestors' ? undefined : 'the statuses of the kind do not list ancestors';
