import { kgatewayVocabulary as vocabulary } from '@policy-machinery/conditions';
import { type EffectivePolicies, type EffectivePolicy, effectivePolicies } from '@policy-machinery/effective-policy';
import { planStatus } from '@policy-machinery/policy-status';
import type { KubernetesObject } from '@policy-machinery/resource';
import { type Colors, formatFields, formatParagraphs, formatStatuses } from '@policy-machinery/text';
import { formatPath, type Topology } from '@policy-machinery/topology';
import { TrafficPolicy } from './traffic-policy.ts';

/** A fixed time, so that the output is always the same. */
const now = new Date('2026-04-01T12:00:00Z');

/** The title of each part of the output, and its route. */
const parts = [
  ['The example of EP-11268: an ExtensionRef, a section, a whole route', 'infra/example-route'],
  ['Delegation: one child, and four parents with an annotation each', 'team/child'],
] as const;

/**
 * Returns what applies to each rule on each path, who set it, and what lost; then the status of each policy.
 *
 * @param topology The cluster.
 * @param colors Colours, or none.
 * @returns Text for people, with a line break at its end.
 */
export function report(topology: Topology, colors: Colors): string {
  const effective = effectivePolicies(topology, TrafficPolicy);
  const blocks = [
    ...parts.map(([title, route]) => [
      colors.bold(title),
      ...[...effective]
        .filter(({ target: { ref } }) => `${ref.namespace}/${ref.name}` === route)
        .flatMap((policy) => contextLines(policy, colors)),
    ]),
    [colors.bold('Statuses'), formatStatuses(resourcesIn(effective), { colors, indent: 2 })],
  ];
  return formatParagraphs(blocks);
}

function contextLines(policy: EffectivePolicy<unknown>, colors: Colors): readonly string[] {
  return [
    ...[...policy.paths()].map((path) => `  ${formatPath(path)}`),
    formatFields(policy, { colors, indent: 4, stanzas: false }),
  ];
}

/** Returns the policies with their statuses. */
function resourcesIn(effective: EffectivePolicies<unknown>): readonly KubernetesObject[] {
  const { writes } = planStatus(effective, { controllerName: 'kgateway.dev/kgateway', now, vocabulary });
  return writes.flatMap(({ ref, result }) => (ref.kind === TrafficPolicy.kind ? [result] : []));
}
