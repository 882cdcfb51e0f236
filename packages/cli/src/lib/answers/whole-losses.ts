import type { EffectiveField, EffectivePolicy, Loss } from '@policy-machinery/effective-policy';

type Field = EffectiveField<unknown>;

/** A policy, or one of its stanzas, that lost all that it sets. */
export interface WholeLoss {
  readonly loss: Loss<unknown>;
  /** How many fields it lost. */
  readonly count: number;
}

/**
 * Separates the losses of whole policies, as under an atomic strategy, from losses of fields. If a policy lost a single field to a value
 * that is there, its loss stays with the field.
 *
 * @param fields The fields that are shown. If these are not all, each field keeps its losses.
 * @returns The losses of whole policies, and the other fields with the other losses.
 */
export function lossesIn(
  policy: EffectivePolicy<unknown>,
  fields: readonly Field[],
): { readonly whole: readonly WholeLoss[]; readonly parts: readonly Field[] } {
  if (fields.length !== policy.fields.length) return { whole: [], parts: fields };
  const whole = policy.losses
    .filter(({ pointer }) => pointer === '')
    .map((loss) => ({ loss, at: fields.filter(({ over }) => over.some(({ layer }) => layer === loss.layer)) }))
    .filter(({ at }) => at.length > 1 || at.some(isUnset));
  const lost = new Set(whole.map(({ loss }) => loss.layer));
  return {
    whole: whole.map(({ loss, at }) => ({ loss, count: at.length })),
    parts: fields
      .map((field) => ({ ...field, over: field.over.filter(({ layer }) => !lost.has(layer)) }))
      .filter((field) => !isUnset(field) || field.over.length > 0),
  };
}

/** Returns whether a field is only listed for its losses. */
function isUnset({ value, by }: Field): boolean {
  return value === undefined && by.length === 0;
}
