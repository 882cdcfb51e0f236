import { nginxGatewayFabricVocabulary as vocabulary } from '@policy-machinery/conditions';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { planStatus } from '@policy-machinery/policy-status';
import { type Colors, formatFields, formatParagraphs, formatStatuses } from '@policy-machinery/text';
import { formatPath, type Topology } from '@policy-machinery/topology';
import { ClientSettingsPolicy } from './client-settings-policy.ts';
import { UpstreamSettingsPolicy } from './upstream-settings-policy.ts';

/** A fixed time, so that the output is always the same. */
const now = new Date('2026-03-01T12:00:00Z');
const controllerName = 'gateway.nginx.org/nginx-gateway-controller';

/**
 * Returns what applies to each route and Service, who set it, and what lost; then the status of each policy.
 *
 * @param topology The cluster.
 * @param colors Colours, or none.
 * @returns Text for people, with a line break at its end.
 */
export function report(topology: Topology, colors: Colors): string {
  const effective = [
    effectivePolicies(topology, ClientSettingsPolicy),
    effectivePolicies(topology, UpstreamSettingsPolicy),
  ];
  const kinds: readonly string[] = [ClientSettingsPolicy.kind, UpstreamSettingsPolicy.kind];
  const { writes } = planStatus(effective, { controllerName, now, vocabulary });
  const policies = writes.filter(({ ref }) => kinds.includes(ref.kind));
  const parts = [
    ...effective
      .flatMap((view) => [...view])
      .map((policy) => [
        ...[...policy.paths()].map((path) => colors.bold(formatPath(path))),
        formatFields(policy, { colors, indent: 2, stanzas: false }),
      ]),
    [
      colors.bold('Statuses'),
      formatStatuses(
        policies.map(({ result }) => result),
        { colors, indent: 2 },
      ),
    ],
  ];
  return formatParagraphs(parts);
}
