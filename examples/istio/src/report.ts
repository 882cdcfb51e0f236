import { type EffectivePolicies, effectivePolicies } from '@policy-machinery/effective-policy';
import { reportPolicies } from '@policy-machinery/policy-status';
import { type Colors, formatEffectivePolicy, formatParagraphs, formatTable } from '@policy-machinery/text';
import type { Topology } from '@policy-machinery/topology';
import { policyKinds } from './cluster.ts';

/**
 * Returns what applies to each workload, Gateway and Service, by kind of policy; then what became of each policy.
 *
 * @param topology The mesh.
 * @param colors Colours, or none.
 * @returns Text for people, with a line break at its end.
 */
export function report(topology: Topology, colors: Colors): string {
  const views = policyKinds.map((kind): EffectivePolicies<unknown> => effectivePolicies<unknown>(topology, kind));
  return formatParagraphs([
    ...views.flatMap((view) => [
      [colors.bold(`── ${view.kind.kind} ──`)],
      ...[...view].map((policy) => [formatEffectivePolicy(policy, { colors, stanzas: false })]),
    ]),
    [colors.bold('── What became of each policy ──'), outcomes(views)],
  ]);
}

function outcomes(views: readonly EffectivePolicies<unknown>[]): string {
  const rows = views.flatMap((view) =>
    reportPolicies(view).map(({ policy, outcome, message }) => {
      const { name, namespace } = policy.resource.metadata;
      return [`${view.kind.kind} ${namespace}/${name}`, outcome, outcome === 'enforced' ? '' : message];
    }),
  );
  return formatTable(rows, { indent: 2 });
}
