import type { EffectivePolicies, ExplainedPolicy } from '@policy-machinery/effective-policy';
import { printable } from '@policy-machinery/resource';
import { type Colors, formatFields } from '@policy-machinery/text';
import { formatTarget } from '@policy-machinery/topology';

/**
 * Answers the question of the application's owner: what applies to my route? The answer has the policies that affect the route, and what they set.
 *
 * @param effective The effective policies.
 * @param route Locator of the route.
 * @param colors Colours, or none.
 * @returns The answer, line by line.
 */
export function ownerAsks(effective: EffectivePolicies<unknown>, route: string, colors: Colors): readonly string[] {
  const { policies, effective: explanations } = effective.explain(route);
  const names = policies.map(({ name }) => colors.cyan(printable(name)));
  const blocks = new Map<string, ExplainedPolicy<unknown>[]>();
  for (const explained of explanations) {
    const block = formatFields(explained, { colors, indent: 4 });
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
