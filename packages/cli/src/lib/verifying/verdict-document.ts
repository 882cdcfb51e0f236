import { type Counterexample, httpRequestOf, urlOf, type Verdict } from '@policy-machinery/guarantees';
import { formatPath } from '@policy-machinery/topology';
import { replayCommand } from './replay-command.ts';

/**
 * Returns a verdict for programs.
 *
 * @param verdict The verdict.
 * @param programName How the program was called.
 */
export function verdictDocument(verdict: Verdict, programName: string): object {
  const { guarantee, answer, classes, counterexamples, policies, hiddenBy, errors } = verdict;
  return {
    guarantee: guarantee.name,
    ...(guarantee.description === undefined ? {} : { description: guarantee.description }),
    about: guarantee.about ?? 'requests',
    answer,
    classes,
    counterexamples: counterexamples.map((example) => exampleDocument(example, programName)),
    policies: policies.map(({ policy, why }) => ({ policy, ...(why === undefined ? {} : { why }) })),
    hiddenBy: hiddenBy.map(({ route, pointer, expression }) => ({ route: route.ref, pointer, expression })),
    errors,
  };
}

function exampleDocument(example: Counterexample, programName: string): object {
  const { request, contender, path, policies, why, cause, classes } = example;
  const { method } = httpRequestOf(request, contender.entry);
  return {
    request: { method, url: urlOf(example), headers: Object.fromEntries(request.headers) },
    replay: replayCommand(example, programName),
    entry: contender.entry.node.ref,
    listener: contender.at.ref,
    takenBy: (contender.rule ?? contender.route).ref,
    path: formatPath(path),
    policies: Object.fromEntries(
      [...policies].map(([kind, { spec, layers }]) => [
        kind,
        { spec, policies: [...new Set(layers.map(({ policy }) => policy.locator))] },
      ]),
    ),
    ...(why === undefined ? {} : { why }),
    cause: cause.ref,
    classes,
  };
}
