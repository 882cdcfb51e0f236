import {
  type ContextLayer,
  describeLoss,
  type EffectiveField,
  type EffectivePolicy,
  type LossTextOptions,
} from '@policy-machinery/effective-policy';
import { parsePointer } from '@policy-machinery/resource';
import { formatTarget } from '@policy-machinery/topology';
import { type Colors, noColors } from './colors.ts';
import { formatValue } from './format-value.ts';
import { formatTable, type Row, type TextOptions } from './table.ts';

/** How fields are formatted. */
export interface FieldTextOptions extends TextOptions, LossTextOptions {}

/**
 * Formats the fields of an effective policy: the value of each field and the policy that set it, then each value that lost,
 * with the reason.
 *
 * @param policy The effective policy, or some of its fields.
 * @param options Layout, colours, and the names of strategies.
 * @returns One line for each field and for each loss, without a line break at the end.
 */
export function formatFields(
  { fields }: Pick<EffectivePolicy<unknown>, 'fields'>,
  options: FieldTextOptions = {},
): string {
  return formatTable(
    fields.flatMap((field) => fieldRows(field, options)),
    options,
  );
}

/**
 * Returns one field as rows, for a table with more columns than {@link formatFields} has.
 *
 * @param options Colours, and the names of strategies.
 * @returns Rows with four columns: the field, a value, the policy of the value, and where the policy is attached or why it
 * lost.
 */
export function fieldRows(
  { pointer, value, by, over }: EffectiveField<unknown>,
  { colors = noColors, stanzas = true }: FieldTextOptions = {},
): readonly Row[] {
  const name = parsePointer(pointer).join('.') || 'all';
  const places = by.map(({ stanza, level: { target, via } }) => {
    const place = `${via === 'policyRef' ? 'named by' : 'on'} ${formatTarget(target)}`;
    return stanzas ? `${stanzaNames[stanza]} ${place}` : place;
  });
  const origin: Row = by.length === 0 ? [] : [[policiesOf(by), colors.cyan], places.join(' and ')];
  const holder: Row =
    value === undefined
      ? [[name, colors.dim], ['unset', colors.dim], ...origin]
      : [name, [formatValue(value), colors.green], ...origin];
  return [holder, ...over.map((loss) => lossRow(loss, colors, stanzas))];
}

function lossRow(loss: EffectiveField<unknown>['over'][number], colors: Colors, stanzas: boolean): Row {
  return [
    '',
    [formatValue(loss.value), colors.strikethrough],
    [loss.layer.policy.name, colors.dim],
    [`lost: ${describeLoss(loss, { stanzas })}`, colors.dim],
  ];
}

const stanzaNames = { defaults: 'default', overrides: 'override' } as const;

function policiesOf(layers: readonly ContextLayer<unknown>[]): string {
  return [...new Set(layers.map(({ policy }) => policy.name))].join(' and ');
}
