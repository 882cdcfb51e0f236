import { describeRule, type EffectiveField, type PlacedLayer } from '@policy-machinery/effective-policy';
import { type JsonValue, parsePointer } from '@policy-machinery/resource';
import { formatTarget } from '@policy-machinery/topology';
import type { Colors } from './colors.ts';
import type { Row } from './table.ts';

/**
 * A field of an effective policy, for people: what it is in the end and who set it, then everyone who would have had it otherwise.
 *
 * @param field The field.
 * @param colors Colours, or none.
 * @param options Whether its policies write defaults and overrides, and strategies go by GEP-713's names. Default: yes.
 * @returns Rows of a table with four columns.
 */
export function fieldRows(
  { pointer, value, by, over }: EffectiveField<unknown>,
  colors: Colors,
  { stanzas = true }: { readonly stanzas?: boolean } = {},
): readonly Row[] {
  const name = parsePointer(pointer).join('.') || 'all';
  const places = by.map(({ stanza, level: { target, via } }) => {
    const place = `${via === 'policyRef' ? 'named by' : 'on'} ${formatTarget(target)}`;
    return stanzas ? `${stanzaNames[stanza]} ${place}` : place;
  });
  const origin: Row = by.length === 0 ? [] : [[namesOf(by), colors.cyan], places.join(' and ')];
  const holder: Row =
    value === undefined
      ? [[name, colors.dim], ['unset', colors.dim], ...origin]
      : [name, [text(value), colors.green], ...origin];
  const losers = over.map((lost): Row => {
    const hasOwnName = lost.strategy === 'Custom' || !stanzas;
    const strategy = (hasOwnName ? lost.dialectName : undefined) ?? lost.strategy;
    const reason = `lost: ${namesOf(lost.to, 'with')} ${describeRule(lost.rule)} (${strategy})`;
    return ['', [text(lost.value), colors.strikethrough], [namesOf([lost.layer]), colors.dim], [reason, colors.dim]];
  });
  return [holder, ...losers];
}

const stanzaNames = { defaults: 'default', overrides: 'override' } as const;

function namesOf(layers: readonly PlacedLayer<unknown>[], conjunction = 'and'): string {
  return layers.map(({ policy }) => policy.name).join(` ${conjunction} `);
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
