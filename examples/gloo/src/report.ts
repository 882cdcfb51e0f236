import { effectivePolicies } from '@policy-machinery/effective-policy';
import { reportPolicies } from '@policy-machinery/policy-status';
import { type Colors, formatEffectivePolicy, formatParagraphs, formatTable } from '@policy-machinery/text';
import type { Topology } from '@policy-machinery/topology';
import { RouteOption } from './route-option.ts';

/**
 * Returns what applies to each target, who set it, and what lost; then what became of each policy.
 *
 * @param topology The cluster.
 * @param colors Colours, or none.
 * @returns Text for people, with a line break at its end.
 */
export function report(topology: Topology, colors: Colors): string {
  const effective = effectivePolicies(topology, RouteOption);
  const outcomes = reportPolicies(effective).map(({ policy: { resource }, outcome, message }) => {
    const { namespace, name } = resource.metadata;
    return [`${namespace}/${name}`, outcome, message];
  });
  return formatParagraphs([
    ...[...effective].map((policy) => [formatEffectivePolicy(policy, { colors, stanzas: false })]),
    [colors.bold('What became of each policy'), formatTable(outcomes, { indent: 2 })],
  ]);
}
