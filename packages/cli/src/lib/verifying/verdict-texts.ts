import { type Counterexample, formatRequest, type Verdict } from '@policy-machinery/guarantees';
import { formatPath, formatTarget } from '@policy-machinery/topology';

/** The rule that takes the request of a counterexample. */
export function takerOf({ contender: { rule, route } }: Counterexample): string {
  return formatTarget(rule ?? route);
}

/** Says which policies the request of a counterexample meets, and which it lacks, of the kinds that the guarantee reads. */
export function metText({ kinds }: Verdict, { policies }: Counterexample): string {
  const met = [...policies].flatMap(([kind, { layers }]) => {
    const own = [...new Set(layers.map(({ policy: { name } }) => name))];
    return kinds.length > 0 && !kinds.includes(kind) ? [] : [`${kind} ${own.join(' and ')}`];
  });
  const lacking = kinds.filter((kind) => !policies.has(kind)).map((kind) => `no ${kind}`);
  return [...met, ...lacking].join(', ') || 'no policy';
}

/** Says what all requests with the cause of a counterexample have in common. */
export function causeText({ cause, classes }: Counterexample): string {
  return `all requests of ${formatTarget(cause)}${classes === 1 ? '' : `, in ${classes} classes`}`;
}

/** Says in a sentence what a counterexample shows. */
export function counterexampleText(verdict: Verdict, example: Counterexample): string {
  const { why } = example;
  const missing = why === undefined ? '' : `; ${why}`;
  return `${formatRequest(example)} is taken by ${takerOf(example)} and meets ${metText(verdict, example)}${missing}`;
}

/** Says which way the request of a counterexample takes. */
export function pathText({ path }: Counterexample): string {
  return formatPath(path);
}

/** Says what hides whether a guarantee holds. */
export function hiddenTexts({ hiddenBy, errors }: Verdict): readonly string[] {
  return [
    ...hiddenBy.map(
      ({ route, pointer, expression }) =>
        `${formatTarget(route)} ${pointer} depends on the regular expression ${expression}`,
    ),
    ...errors.map((error) => `the expression fails: ${error}`),
  ];
}
