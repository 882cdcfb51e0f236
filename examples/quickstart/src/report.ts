import {
  type Context,
  describeRule,
  type EffectiveField,
  type EffectivePolicies,
  EffectivePolicy,
  type PlacedLayer,
} from '@policy-machinery/effective-policy';
import { type JsonValue, parsePointer } from '@policy-machinery/resource';
import { formatPath, formatTarget, type TargetNode } from '@policy-machinery/topology';
import type { Colors } from './colors.ts';

/**
 * Writes what applies to each target in each context: the value of every field, the policy it came from, and what lost.
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
    return [colors.bold(formatTarget(target)), ...contexts].join('\n');
  });
  return `${blocks.join('\n\n')}\n`;
}

function targetsOf(kinds: readonly EffectivePolicies<unknown>[]): readonly TargetNode[] {
  const contexts = kinds.flatMap((effective) => [...effective, ...effective.uncovered()]);
  const targets = new Set(contexts.map(({ target }) => target));
  return [...targets].sort((a, b) => (a.locator < b.locator ? -1 : 1));
}

/** One policy kind in one context: the ways there, then a table of fields. */
function contextBlock(kind: string, context: Context<unknown>, colors: Colors): string {
  const ways = [...context.paths()].map((path) =>
    formatPath(path.filter(({ object }) => object !== context.target.object)),
  );
  const title = `  ${colors.underline(kind)} by way of ${ways.join('\n    and ')}`;
  if (!(context instanceof EffectivePolicy)) return `${title}\n    ${colors.dim('no policy')}`;
  return [title, ...table(context.fields.flatMap((field) => fieldRows(field, colors)))].join('\n');
}

/** A line of the table: the text of each cell, and how to colour it. */
type Row = readonly (readonly [text: string, paint: (text: string) => string])[];

/** A field: what it is in the end, then everyone who would have had it otherwise. */
function fieldRows({ pointer, value, by, over }: EffectiveField<unknown>, colors: Colors): readonly Row[] {
  const name = parsePointer(pointer).join('.');
  const origin = by.map(({ stanza, level }) => `${stanzaNames[stanza]} on ${formatTarget(level.target)}`);
  const holder: Row =
    value === undefined
      ? [
          [name, colors.dim],
          ['unset', colors.dim],
        ]
      : [
          [name, String],
          [text(value), colors.green],
          [namesOf(by), colors.cyan],
          [origin.join(' and '), String],
        ];
  const losers = over.map((lost): Row => {
    const reason = `lost: ${namesOf(lost.to)} ${describeRule(lost.rule)} (${lost.strategy})`;
    return [
      ['', String],
      [text(lost.value), colors.strikethrough],
      [namesOf([lost.layer]), colors.dim],
      [reason, colors.dim],
    ];
  });
  return [holder, ...losers];
}

const stanzaNames = { defaults: 'default', overrides: 'override' } as const;

function namesOf(layers: readonly PlacedLayer<unknown>[]): string {
  return layers.map(({ policy }) => policy.name).join(' and ');
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** Aligns the columns. Colours come last: their codes have no width. */
function table(rows: readonly Row[]): readonly string[] {
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.[0].length ?? 0));
  const widths = [width(0), width(1), width(2)];
  return rows.map((row) => {
    const cells = row.map(([content, paint], column) => {
      const padding = column === row.length - 1 ? '' : ' '.repeat((widths[column] ?? 0) - content.length);
      return paint(content) + padding;
    });
    return `    ${cells.join('  ')}`;
  });
}
