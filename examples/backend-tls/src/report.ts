import {
  type Context,
  type EffectivePolicies,
  EffectivePolicy,
  effectivePolicies,
} from '@policy-machinery/effective-policy';
import { planStatus } from '@policy-machinery/policy-status';
import { type Colors, formatFields, formatParagraphs, formatStatuses } from '@policy-machinery/text';
import { formatTarget, type Topology } from '@policy-machinery/topology';
import { BackendTLSPolicy } from './backend-tls-policy.ts';

/** A fixed time, so that the output is always the same. */
const now = new Date('2026-02-01T12:00:00Z');

/**
 * Returns how Gateways connect to each port of each Service, with the policies that decide; then the status of each policy for each Gateway.
 *
 * @param topology The cluster.
 * @param colors Colours, or none.
 * @returns Text for people, with a line break at its end.
 */
export function report(topology: Topology, colors: Colors): string {
  const effective = effectivePolicies(topology, BackendTLSPolicy);
  const { writes } = planStatus(effective, { controllerName: 'example.com/gateway-controller', now });
  const policies = writes.filter(({ ref }) => ref.kind === BackendTLSPolicy.kind);
  const parts = [
    ...contextsIn(effective).map((context) => contextLines(context, colors)),
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

/** Returns the contexts of all ports, with and without a policy. */
function contextsIn(effective: EffectivePolicies<unknown>): readonly Context<unknown>[] {
  return [...effective.targets].flatMap((port) => [...effective.of(port), ...effective.uncovered(port)]);
}

function contextLines(context: Context<unknown>, colors: Colors): readonly string[] {
  const gateways = context.ancestors.filter(({ ref }) => ref.kind === 'Gateway');
  const ways = gateways.map(formatTarget).join(' and ') || 'no Gateway';
  const fields =
    context instanceof EffectivePolicy
      ? formatFields(context, { colors, indent: 2, stanzas: false })
      : `  ${colors.dim('no TLS')}`;
  return [`${colors.bold(formatTarget(context.target))} through ${ways}`, fields];
}
