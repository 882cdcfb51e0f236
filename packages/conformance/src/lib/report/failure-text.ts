import { printable } from '@policy-machinery/resource';
import { printableLines } from '@policy-machinery/resource/inner';
import { stringify } from 'yaml';
import type { CheckResult } from '../run-conformance.ts';

/**
 * Returns the text of a failed check: the sentence, the actual state, and the objects.
 *
 * @param result A failed check.
 * @returns Text for people, without a line break at its end.
 */
export function failureText({ id, level, sentence, line, message = '', objects = [] }: CheckResult): string {
  const source = line === undefined ? 'a convention of Kubernetes' : `GEP-713, line ${line}`;
  const shown = objects.map((object) => stringify(object).trimEnd());
  return [
    `${id}: ${level} (${source})`,
    `  "${sentence}"`,
    `  ${printable(message)}`,
    ...shown.flatMap((text) => ['', printableLines(text)]),
  ].join('\n');
}
