import { type Colors, formatParagraphs, formatTable, type Row } from '@policy-machinery/text';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import { formatTarget } from '@policy-machinery/topology';
import { mayTalk, type Verdict } from './decide.ts';
import { type PodRule, rulesFor, type Tiers } from './pod-rules.ts';
import { AdminNetworkPolicy, BaselineAdminNetworkPolicy, priorityOf } from './policy-kinds.ts';
import type { Direction } from './rule-schema.ts';
import { Pod } from './target-kinds.ts';
import type { Traffic } from './traffic.ts';

/** A question: may one Pod talk to another? Pods by `namespace/name`, TCP. */
export interface Question {
  readonly from: string;
  readonly to: string;
  readonly port: number;
}

/**
 * Returns which rules apply to each Pod, in which order and from which policy; and the answers to questions.
 *
 * @param tiers The effective policies.
 * @param questions The questions.
 * @param colors Colours, or none.
 * @returns Text for people, with a line break at its end.
 */
export function report(tiers: Tiers, questions: readonly Question[], colors: Colors): string {
  const { topology } = tiers.admin;
  const pods = [...topology.targets].filter(({ kind }) => kind === Pod);
  const parts = [
    ...pods.map((pod) => [colors.bold(formatTarget(pod)), formatTable(rowsOf(pod, tiers, colors), { indent: 2 })]),
    ...questions.map((question) => answer(question, topology, tiers, colors)),
  ];
  return formatParagraphs(parts);
}

function rowsOf(pod: TargetNode, tiers: Tiers, colors: Colors): readonly Row[] {
  return (['ingress', 'egress'] as const).flatMap((direction): readonly Row[] => {
    const rules = rulesFor(pod, direction, tiers);
    if (rules.length === 0) return [[direction, '', ['Allow', colors.green], 'no rule']];
    const isIsolated = rules.some(({ tier }) => tier === tiers.network.kind.kind);
    return rules.map((rule, index) => {
      const isReached = !(isIsolated && rule.tier === BaselineAdminNetworkPolicy.kind);
      return [
        index === 0 ? direction : '',
        `${index + 1}.`,
        ...cellsOf(rule, colors),
        ...(isReached ? [] : [['never reached', colors.dim] as const]),
      ];
    });
  });
}

function answer({ from, to, port }: Question, topology: Topology, tiers: Tiers, colors: Colors): readonly string[] {
  const traffic: Traffic = { from: podOf(topology, from), to: podOf(topology, to), protocol: 'TCP', port };
  const { allowed, egress, ingress } = mayTalk(traffic, tiers);
  return [
    colors.bold(`May ${from} talk to ${to} on TCP ${port}? `) + (allowed ? colors.green('Yes') : colors.red('No')),
    formatTable([...reasons('egress', egress, colors), ...reasons('ingress', ingress, colors)], { indent: 2 }),
  ];
}

function reasons(direction: Direction, { decidedBy, passedBy, beaten }: Verdict, colors: Colors): readonly Row[] {
  const decision: Row = decidedBy === undefined ? [['Allow', colors.green], 'no rule'] : cellsOf(decidedBy, colors);
  return [
    ...(passedBy === undefined ? [] : [[`${direction} is passed on by`, ...cellsOf(passedBy, colors)]]),
    [`${direction} is decided by`, ...decision],
    ...beaten.map((rule): Row => ['  prevails over', ...cellsOf(rule, colors)]),
  ];
}

function cellsOf({ action, name, tier, policies }: PodRule, colors: Colors): Row {
  const paint = { Allow: colors.green, Deny: colors.red, Pass: colors.yellow }[action];
  const names = policies.map((policy) => policy.name).join(', ');
  const [first] = policies;
  const priority =
    tier === AdminNetworkPolicy.kind && first !== undefined ? ` (priority ${priorityOf(first.resource)})` : '';
  const paintNames = (text: string): string => {
    const end = text.length - priority.length;
    return `${tier} ${colors.cyan(text.slice(tier.length + 1, end))}${priority}`;
  };
  return [[action, paint], name, [`${tier} ${names}${priority}`, paintNames]];
}

function podOf(topology: Topology, name: string): TargetNode {
  const pod = topology.get(`pod:${name}`);
  if (pod === undefined) throw new Error(`There is no Pod ${name}`);
  return pod;
}
