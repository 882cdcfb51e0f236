import {
  describeRule,
  type EffectiveField,
  type EffectivePolicies,
  type ExplainedPolicy,
} from '@policy-machinery/effective-policy';
import { type JsonValue, parsePointer } from '@policy-machinery/resource';
import { formatTarget } from '@policy-machinery/topology';
import type { Colors } from './colors.ts';
import { type Cell, table } from './table.ts';

/**
 * The question of the application's owner: what applies to my route? That policies affect it, which, and what they set.
 *
 * @param effective The effective policies.
 * @param route Locator of the route.
 * @param colors Colours, or none.
 * @returns The answer, line by line.
 */
export function ownerAsks(effective: EffectivePolicies<unknown>, route: string, colors: Colors): readonly string[] {
  const { policies, effective: beneath } = effective.explain(route);
  const names = policies.map(({ name }) => colors.cyan(name));
  const blocks = new Map<string, ExplainedPolicy<unknown>[]>();
  for (const explained of beneath) {
    const block = table(
      explained.fields.flatMap((field) => rowsOf(field, colors)),
      4,
    ).join('\n');
    blocks.set(block, [...(blocks.get(block) ?? []), explained]);
  }
  return [
    `  Affected by ${effective.kind.kind} ${names.join(', ') || 'none'}`,
    ...[...blocks].flatMap(([block, there]) => [
      `  ${there.map(({ policy }) => formatTarget(policy.target)).join(', ')}`,
      block,
    ]),
  ];
}

/** A field: what it is and who set it, then everyone who would have had it otherwise. */
function rowsOf({ pointer, value, by, over }: EffectiveField<unknown>, colors: Colors): readonly (readonly Cell[])[] {
  const setters = by.map(({ policy }) => policy.name).join(' and ');
  const places = by.map(({ stanza, level }) => `${stanza} on ${formatTarget(level.target)}`).join(' and ');
  const name = parsePointer(pointer).join('.');
  return [
    [name, [text(value), colors.green], [setters, colors.cyan], places],
    ...over.map((lost): readonly Cell[] => {
      const to = lost.to.map(({ policy }) => policy.name).join(' and ');
      const reason = `lost: ${to} ${describeRule(lost.rule)} (${lost.strategy})`;
      return ['', [text(lost.value), colors.strikethrough], [lost.layer.policy.name, colors.dim], [reason, colors.dim]];
    }),
  ];
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
