import { kgateway as vocabulary } from '@policy-machinery/conditions';
import { type EffectivePolicies, type EffectivePolicy, effectivePolicies } from '@policy-machinery/effective-policy';
import { type Colors, fieldRows, paragraphs, statusRows, table } from '@policy-machinery/example-printing';
import { planStatus } from '@policy-machinery/policy-status';
import { formatPath, type Topology } from '@policy-machinery/topology';
import { TrafficPolicy } from './traffic-policy.ts';

/** Always then, so that the output is always the same. */
const now = new Date('2026-04-01T12:00:00Z');

/** What each part of the output is about, and the route that it is about. */
const parts = [
  ['The example of EP-11268: an ExtensionRef, a section, a whole route', 'infra/example-route'],
  ['Delegation: one child, and four parents with an annotation each', 'team/child'],
] as const;

/**
 * What applies to each rule on each path, who set it, and who lost; then what the status of each policy says.
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
    [colors.bold('Statuses'), ...statusLines(effective, colors)],
  ];
  return paragraphs(blocks);
}

function contextLines(policy: EffectivePolicy<unknown>, colors: Colors): readonly string[] {
  return [
    ...[...policy.paths()].map((path) => `  ${formatPath(path)}`),
    ...table(
      policy.fields.flatMap((field) => fieldRows(field, colors, { stanzas: false })),
      4,
    ),
  ];
}

function statusLines(effective: EffectivePolicies<unknown>, colors: Colors): readonly string[] {
  const { writes } = planStatus(effective, { controllerName: 'kgateway.dev/kgateway', now, vocabulary });
  const policies = writes.filter(({ ref }) => ref.kind === TrafficPolicy.kind);
  return table(
    policies.flatMap(({ result }) => statusRows(result, colors)),
    2,
  );
}
