import { type Context, type EffectivePolicies, EffectivePolicy } from '@policy-machinery/effective-policy';
import { type Colors, formatFields, formatParagraphs } from '@policy-machinery/text';
import { formatPath, formatTarget, type TargetNode } from '@policy-machinery/topology';

/**
 * Returns what applies to each target in each context: the value of every field, the policy it came from, and what lost.
 *
 * @param kinds The effective policies, one item for each policy kind.
 * @param colors Colours, or none.
 * @returns Text for people, with a line break at its end.
 */
export function report(kinds: readonly EffectivePolicies<unknown>[], colors: Colors): string {
  const blocks = targetsOf(kinds).map((target) => {
    const contexts = kinds.flatMap((effective) => {
      const found = [...effective.of(target), ...effective.uncovered(target)];
      return found.map((context) => contextBlock(effective.kind.kind, context, colors));
    });
    return [colors.bold(formatTarget(target)), ...contexts];
  });
  return formatParagraphs(blocks);
}

function targetsOf(kinds: readonly EffectivePolicies<unknown>[]): readonly TargetNode[] {
  const contexts = kinds.flatMap((effective) => [...effective, ...effective.uncovered()]);
  const targets = new Set(contexts.map(({ target }) => target));
  return [...targets].sort((a, b) => (a.locator < b.locator ? -1 : 1));
}

/** Formats one policy kind in one context: the paths to it, then a table of fields. */
function contextBlock(kind: string, context: Context<unknown>, colors: Colors): string {
  const ways = [...context.paths()].map((path) =>
    formatPath(path.filter(({ object }) => object !== context.target.object)),
  );
  const title = `  ${colors.underline(kind)} through ${ways.join('\n    and ')}`;
  if (!(context instanceof EffectivePolicy)) return `${title}\n    ${colors.dim('no policy')}`;
  return `${title}\n${formatFields(context, { colors, indent: 4 })}`;
}
