import { printable } from '@policy-machinery/resource';

/** The weights of warnings, the worst first. */
const weights = [
  'own-policy',
  'others-all',
  'uncovered',
  'others-fields',
  'fallback',
  'own-fields',
  'affects',
] as const;

/** A warning for the owner of an object. */
export interface Warning {
  readonly weight: (typeof weights)[number];
  readonly message: string;
}

/** The limits of a response: longer warnings are truncated by the API server if there are many. */
const max = { warnings: 5, characters: 256 };

/** Returns the texts of warnings, the worst first, each once. If there are too many, the last one is the number of the others. */
export function worstFirst(warnings: readonly Warning[]): readonly string[] {
  const texts = weights
    .flatMap((weight) => warnings.filter((it) => it.weight === weight))
    .map(({ message }) => message);
  const all = [...new Set(texts.map(shortened))];
  if (all.length <= max.warnings) return all;
  const first = all.slice(0, max.warnings - 1);
  return [...first, `And ${all.length - first.length} more.`];
}

/** Returns a printable message, truncated to the limit but never within a character. */
export function shortened(message: string): string {
  const text = printable(message);
  if (text.length <= max.characters) return text;
  return `${text.slice(0, max.characters - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
