import { formatPointer, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { acceptAnnotation, noteLines, requireAnnotation, requiredNames } from '../covering/accepted.ts';
import { concernAdvice, isConcern } from '../covering/concern-columns.ts';
import type { Finding } from '../model/answer.ts';
import { closestNames } from '../model/closest.ts';
import { findingCodes } from '../model/finding-codes.ts';

/** The annotation of an object that accepts findings about it: `overridden: the default may lose`, one in each line. */
export const ignoreAnnotation = 'lint.policy-machinery/ignore';

const ofConcern = (name: string): readonly string[] =>
  isConcern(name) ? [] : [`${name} is not a concern; ${concernAdvice(name)}`];

const ofCode = (name: string): readonly string[] => {
  const [closest] = closestNames(name, [...findingCodes.keys()]);
  return findingCodes.has(name) || closest === undefined ? [] : [`${name} is not a code; did you mean ${closest}?`];
};

/** The faults of each annotation that accepts or requires something, in its text. */
const annotations: readonly (readonly [name: string, faults: (text: string) => readonly string[]])[] = [
  [ignoreAnnotation, (text) => noteFaults(text, ofCode)],
  [acceptAnnotation, (text) => noteFaults(text, ofConcern)],
  [requireAnnotation, (text) => requiredNames(text).flatMap(ofConcern)],
];

function noteFaults(text: string, ofName: (name: string) => readonly string[]): readonly string[] {
  return noteLines(text).flatMap(({ name, reason }) => [
    ...ofName(name),
    ...(reason === '' ? [`the reason of ${name} is missing; write "${name}: REASON"`] : []),
  ]);
}

/** Returns findings about annotations that accept or require nothing, because a name is wrong or a reason is missing. */
export function annotationFaults(objects: readonly KubernetesObject[]): readonly Finding[] {
  return objects.flatMap((object) => {
    const texts = object.metadata.annotations ?? {};
    return annotations.flatMap(([name, faultsOf]) =>
      faultsOf(texts[name] ?? '').map(
        (fault): Finding => ({
          code: 'invalid-acceptance',
          severity: 'error',
          message: `the annotation ${name} is wrong: ${fault}`,
          resource: locatorOf(object),
          pointer: formatPointer(['metadata', 'annotations', name]),
        }),
      ),
    );
  });
}
