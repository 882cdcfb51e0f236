import { kuadrantVocabulary as vocabulary } from '@policy-machinery/conditions';
import { type EffectivePolicies, effectivePolicies } from '@policy-machinery/effective-policy';
import { planStatus } from '@policy-machinery/policy-status';
import {
  type Colors,
  formatFields,
  formatParagraphs,
  formatStatuses,
  formatTable,
  type Row,
} from '@policy-machinery/text';
import { formatTarget, type Topology } from '@policy-machinery/topology';
import { cases } from './cases.ts';
import { AuthPolicy, RateLimitPolicy } from './policy-kinds.ts';

/** A fixed time, so that the output is always the same. */
const now = new Date('2026-02-01T12:00:00Z');

/**
 * Returns for each case what applies to the route, who set it, and the status of each policy; then where one of the rules is in force.
 *
 * @param topology The cluster, with a namespace for each case.
 * @param colors Colours, or none.
 * @returns Text for people, with a line break at its end.
 */
export function report(topology: Topology, colors: Colors): string {
  const views = [effectivePolicies(topology, AuthPolicy), effectivePolicies(topology, RateLimitPolicy)];
  const options = {
    controllerName: 'kuadrant.io/policy-controller',
    now,
    vocabulary,
    rendering: 'conditions',
  } as const;
  const statuses = planStatus(views, options).writes.filter(({ ref }) => ref.group === AuthPolicy.group);
  const parts = Object.entries(cases).map(([namespace, title]) => [
    colors.bold(title),
    ...views.flatMap((effective) => effectiveIn(namespace, effective, colors)),
    formatStatuses(
      statuses.flatMap(({ ref, result }) => (ref.namespace === namespace ? [result] : [])),
      { colors, indent: 2 },
    ),
  ]);
  return formatParagraphs([...parts, ruleReach(views, colors)]);
}

/** Returns what applies to the routes of a namespace. */
function effectiveIn(namespace: string, effective: EffectivePolicies<unknown>, colors: Colors): readonly string[] {
  const policies = [...effective].filter(({ target }) => target.ref.namespace === namespace);
  return policies.flatMap((policy) => [
    `  ${formatTarget(policy.target)}`,
    formatFields(policy, { colors, indent: 4 }),
  ]);
}

/** Returns the scopes in which a policy rule is in force, by the name of the rule (view-policy-rule-reach). */
function ruleReach(views: readonly EffectivePolicies<unknown>[], colors: Colors): readonly string[] {
  const rows = views.flatMap((effective) =>
    effective.policies.flatMap(({ node: { locator }, policy }) =>
      effective.reach(locator, ruleA[effective.kind.kind]).map(({ effective: { target }, outcome }): Row => {
        const paint = outcome === 'enforced' ? colors.green : colors.red;
        return [`${effective.kind.kind} ${policy?.name}`, formatTarget(target), [outcome, paint]];
      }),
    ),
  );
  return [colors.bold('Where is the rule "a" of each policy in force?'), formatTable(rows, { indent: 2 })];
}

/** The pointer of rule `a` in each kind. */
const ruleA: Readonly<Record<string, string>> = {
  AuthPolicy: '/rules/authentication/a',
  RateLimitPolicy: '/limits/a',
};
