import type { EffectivePolicies, EffectivePolicy } from '@policy-machinery/effective-policy';
import { type EffectiveChange, impact, type OutcomeChange } from '@policy-machinery/policy-status/impact';
import { isJsonObject } from '@policy-machinery/resource';
import { type Colors, formatColumns, formatTable } from '@policy-machinery/text';
import { formatTarget } from '@policy-machinery/topology';

/**
 * Answers the question of the cluster's operator: what would happen if I removed this policy?
 *
 * @param effective The effective policies.
 * @param policy Locator of the policy.
 * @param colors Colours, or none.
 * @returns The answer, line by line.
 */
export function operatorAsks(effective: EffectivePolicies<unknown>, policy: string, colors: Colors): readonly string[] {
  const { effective: changes, outcomes } = impact(effective, { remove: [policy] });
  const isChanged = (policy: EffectivePolicy<unknown>) => changes.some(({ before }) => before?.isSame(policy));
  const others = [...effective].filter((policy) => !isChanged(policy)).map(({ target }) => target.ref.name);
  return [
    `  ${changes.length} of ${changes.length + others.length} effective policies would change`,
    ...groupsOf(changes).flatMap(({ place, before, after, names }) => [
      `  ${colors.bold(String(names.length))} below ${place}: ${colors.red(before)} → ${colors.green(after)}`,
      formatColumns(names, 6, { indent: 4 }),
    ]),
    `  ${colors.bold(String(others.length))} would stay the same: ${others.join(', ')}`,
    '  The outcomes of these policies would change:',
    formatTable(outcomes.map(rowOf), { indent: 4 }),
  ];
}

interface Group {
  /** The ancestors through which the Services are reached. */
  readonly place: string;
  readonly before: string;
  readonly after: string;
  /** The Services. */
  readonly names: readonly string[];
}

/** Groups equal changes in the same place, the most frequent first. */
function groupsOf(changes: readonly EffectiveChange[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { before, after } of changes) {
    const context = before ?? after;
    if (context === undefined) continue;
    const place = context.ancestors.map(formatTarget).join(' and ');
    const group = { place, before: retriesIn(before?.spec), after: retriesIn(after?.spec) };
    const key = JSON.stringify(group);
    groups.set(key, { ...group, names: [...(groups.get(key)?.names ?? []), context.target.ref.name] });
  }
  return [...groups.values()].sort((a, b) => b.names.length - a.names.length);
}

function retriesIn(spec: unknown): string {
  if (!isJsonObject(spec)) return 'no retries';
  return Object.entries(spec)
    .map(([field, value]) => `${field} ${Array.isArray(value) ? value.join(' ') : value}`)
    .join(', ');
}

function rowOf({ policy, before, after }: OutcomeChange): readonly string[] {
  return [policy.replace(/^.*:/, ''), `${before?.outcome ?? 'absent'} → ${after?.outcome ?? 'removed'}`];
}
