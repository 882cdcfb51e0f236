import { type EffectivePolicies, effectivePolicies } from '@policy-machinery/effective-policy';
import { reportPolicies } from '@policy-machinery/policy-status';
import { type Colors, formatFields, formatParagraphs, formatTable } from '@policy-machinery/text';
import { formatTarget, type Topology } from '@policy-machinery/topology';
import { policyKinds } from './cluster.ts';
import { Server } from './server.ts';

/**
 * Returns the Pods of each Server, and what applies to it; then what became of each policy.
 *
 * @param topology The cluster.
 * @param colors Colours, or none.
 * @returns Text for people, with a line break at its end.
 */
export function report(topology: Topology, colors: Colors): string {
  const views = policyKinds.map((kind): EffectivePolicies<unknown> => effectivePolicies<unknown>(topology, kind));
  const servers = [...topology.targets].filter(({ ref }) => ref.kind === Server.kind);
  const outcomes = views.flatMap((view) =>
    reportPolicies(view).map(({ policy: { resource }, outcome, message }) => {
      return [`${view.kind.kind} ${resource.metadata.name}`, outcome, message];
    }),
  );
  return formatParagraphs([
    ...servers.map((server) => [
      `${colors.bold(formatTarget(server))} of ${server.linksTo.map(formatTarget).join(', ')}`,
      ...views.flatMap((view) => [
        `  ${view.kind.kind}`,
        ...view.of(server).map((policy) => formatFields(policy, { colors, indent: 4, stanzas: false })),
      ]),
    ]),
    [colors.bold('What became of each policy'), formatTable(outcomes, { indent: 2 })],
  ]);
}
