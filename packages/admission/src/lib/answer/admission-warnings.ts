import type { WarningSubject } from './admission-review.ts';
import { shortMessage } from './short-message.ts';

/** The weights of warnings, the worst first, with their subjects. */
const weights = {
  further: 'impact',
  'own-policy': 'overridden',
  'others-all': 'impact',
  uncovered: 'impact',
  altered: 'impact',
  'others-fields': 'impact',
  fallback: 'impact',
  'own-fields': 'overridden',
  affects: 'affected',
} as const satisfies Readonly<Record<string, WarningSubject>>;

type Weight = keyof typeof weights;

export interface Warning {
  readonly weight: Weight;
  readonly message: string;
}

/** The limits of a response. Kubernetes recommends this number of characters, and the API server truncates long warnings if there are many. */
const max = { warnings: 5, characters: 120 };

/** Returns the texts of warnings, the worst first, without duplicates. If there are too many, the last one counts the others. */
export function worstFirst(warnings: readonly Warning[]): readonly string[] {
  const texts = (Object.keys(weights) as Weight[])
    .flatMap((weight) => warnings.filter((it) => it.weight === weight))
    .map(({ message }) => message);
  const shortWarnings = [...new Set(texts)].map(shortWarning);
  if (shortWarnings.length <= max.warnings) return shortWarnings;
  const first = shortWarnings.slice(0, max.warnings - 1);
  return [...first, `And ${shortWarnings.length - first.length} more.`];
}

export function warningsAbout(warnings: readonly Warning[], subjects: ReadonlySet<WarningSubject>): readonly Warning[] {
  return warnings.filter(({ weight }) => subjects.has(weights[weight]));
}

/** Returns the printable text of a warning, which is as short as Kubernetes recommends. */
export function shortWarning(message: string): string {
  return shortMessage(message, max.characters);
}
