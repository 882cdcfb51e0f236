import { printable } from '@policy-machinery/resource';

/** What a warning is about, the worst first. */
const weights = [
  'own-policy',
  'others-all',
  'uncovered',
  'others-fields',
  'fallback',
  'own-fields',
  'affects',
] as const;

/** Something that the owner of an object should know. */
export interface Warning {
  readonly weight: (typeof weights)[number];
  readonly message: string;
}

/** As many warnings as one answer has; each is as long as the API server lets it be where there are many. */
const max = { warnings: 5, characters: 256 };

/** Returns the texts of warnings, the worst first, each once. Where there are too many, the last one says how many more there are. */
export function worstFirst(warnings: readonly Warning[]): readonly string[] {
  const texts = weights
    .flatMap((weight) => warnings.filter((it) => it.weight === weight))
    .map(({ message }) => message);
  const all = [...new Set(texts.map(shortened))];
  if (all.length <= max.warnings) return all;
  const first = all.slice(0, max.warnings - 1);
  return [...first, `And ${all.length - first.length} more.`];
}

/** Returns a message without what cannot be seen, cut to the limit, and never in the middle of a character. */
export function shortened(message: string): string {
  const text = printable(message);
  if (text.length <= max.characters) return text;
  return `${text.slice(0, max.characters - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
