import { formatCounterexample, formatRequest, replay } from '@policy-machinery/guarantees';
import type { Colors } from '@policy-machinery/text';
import { formatTarget } from '@policy-machinery/topology';
import type { Verified } from './verify-manifests.ts';

/**
 * Reports for each mistake which guarantee it breaks, and by which request.
 *
 * @param mistakes The names of the mistakes, with their verdicts.
 * @param colors Colours, or none.
 */
export function report(mistakes: ReadonlyMap<string, Verified>, colors: Colors): string {
  return [...mistakes].map(([name, verified]) => section(name, verified, colors)).join('\n');
}

function section(name: string, { topology, verdicts }: Verified, colors: Colors): string {
  const lines = verdicts.flatMap((verdict) => [
    `  ${verdict.guarantee.description}`,
    `  ${verdict.guarantee.name} ${verdict.answer === 'holds' ? colors.green('holds') : colors.red(`is ${verdict.answer}`)}`,
    ...verdict.counterexamples.flatMap((example) => {
      const winner = replay(topology, example)?.winner;
      const taker = winner === undefined ? 'no rule' : formatTarget(winner.rule ?? winner.route);
      return [
        `    ${formatCounterexample(verdict, example)}`,
        `    cause: all requests of ${formatTarget(example.cause)}`,
        `    replayed: ${formatRequest(example)} is taken by ${taker}`,
      ];
    }),
  ]);
  return [colors.bold(name), ...lines, ''].join('\n');
}
