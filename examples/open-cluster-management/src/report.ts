import { type EffectivePolicies, effectivePolicies } from '@policy-machinery/effective-policy';
import { impact } from '@policy-machinery/policy-status/impact';
import { type Cell, type Colors, formatParagraphs, formatTable, type Row } from '@policy-machinery/text';
import { formatTarget, type TargetNode } from '@policy-machinery/topology';
import { type PlacedPolicy, policiesOn, templatesOn } from './clusters.ts';
import { type Action, Policy, type Templates } from './policy-kind.ts';

type View = EffectivePolicies<Templates>;

/**
 * Returns what is on each cluster, from which policy and through which bindings; and what removing bindings would do.
 *
 * @param effective The effective policies.
 * @param removals Locators of bindings whose removal is examined, each separately.
 * @param colors Colours, or none.
 * @returns Text for people, with a line break at its end.
 */
export function report(effective: View, removals: readonly string[], colors: Colors): string {
  const parts = [
    ...[...effective.targets].map((cluster) => clusterLines(cluster, effective, colors)),
    ...removals.map((binding) => removalLines(binding, effective, colors)),
  ];
  return formatParagraphs(parts);
}

function clusterLines(cluster: TargetNode, effective: View, colors: Colors): readonly string[] {
  const policies = policiesOn(cluster, effective);
  const templates = templatesOn(policies);
  return [
    colors.bold(formatTarget(cluster)),
    formatTable(
      policies.flatMap((placed) => wayRows(placed, colors)),
      { indent: 2 },
    ),
    formatTable(
      templates.map(
        ({ template, action, from, over }): Row => [
          template,
          painted(action, colors),
          [from.policy.name, colors.cyan],
          ...over.map(({ policy }): Cell => [`replaces that of ${policy.name}`, colors.dim]),
        ],
      ),
      { indent: 4 },
    ),
  ];
}

/** Returns a policy, and each way in which it arrives. */
function wayRows({ policy, ways, templates }: PlacedPolicy, colors: Colors): readonly Row[] {
  return ways.map(
    ({ binding, placement, enforces }, index): Row => [
      index === 0 ? `Policy ${policy.name}` : '',
      index === 0 ? actionOf(templates) : '',
      `by ${formatTarget(binding)} > ${placement === undefined ? 'no Placement' : formatTarget(placement)}`,
      ...(enforces ? [['enforces it', colors.dim] as const] : []),
    ],
  );
}

function removalLines(binding: string, effective: View, colors: Colors): readonly string[] {
  const change = { remove: [binding] };
  const { effective: contexts } = impact(effective, change);
  const after = effectivePolicies(effective.topology.with(change).topology, Policy);
  const clusters = [...effective.targets].filter(({ locator }) => contexts.some(({ target }) => target === locator));
  const rows = clusters.flatMap((cluster) => changedRows(cluster, effective, after, colors));
  return [
    colors.bold(`What would removing PlacementBinding ${nameIn(binding)} do?`),
    rows.length === 0 ? '  Nothing on any cluster' : formatTable(rows, { indent: 2 }),
  ];
}

/** Returns the templates that would differ on a cluster, or come from another policy. */
function changedRows(cluster: TargetNode, before: View, after: View, colors: Colors): readonly Row[] {
  const [old, young] = [before, after].map((view) => {
    const templates = templatesOn(policiesOn(cluster, view));
    return new Map(templates.map((it) => [it.template, `${it.action} by ${it.from.policy.name}`]));
  });
  return [...new Set([...(old?.keys() ?? []), ...(young?.keys() ?? [])])].flatMap((template) => {
    const [was, is] = [old?.get(template) ?? 'absent', young?.get(template) ?? 'absent'];
    return was === is ? [] : [[formatTarget(cluster), template, [was, colors.red], '→', [is, colors.green]]];
  });
}

function actionOf(templates: Templates): string {
  const actions = new Set(Object.values(templates));
  return actions.size === 1 ? [...actions].join() : 'per template';
}

function painted(action: Action, colors: Colors): Cell {
  return [action, action === 'enforce' ? colors.green : colors.yellow];
}

function nameIn(locator: string): string {
  return locator.replace(/^.*:/, '');
}
