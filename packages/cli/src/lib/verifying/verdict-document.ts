import {
  type Counterexample,
  formatCounterexample,
  httpRequestOf,
  type OtherRequest,
  type Replayable,
  resultsOf,
  urlOf,
  type Verdict,
} from '@policy-machinery/guarantees';
import { formatPath } from '@policy-machinery/topology';
import { replayCommand } from './replay-command.ts';

/**
 * Returns a verdict for programs.
 *
 * @param verdict The verdict.
 * @param programName How the program was called.
 * @param assumes What the verdict assumes. Default: nothing.
 */
export function verdictDocument(verdict: Verdict, programName: string, assumes: readonly string[] = []): object {
  const { guarantee, answer, classes, counterexamples, policies, hiddenBy, errors, notKnown } = verdict;
  return {
    guarantee: guarantee.name,
    ...(guarantee.description === undefined ? {} : { description: guarantee.description }),
    about: guarantee.about ?? 'requests',
    answer,
    classes,
    counterexamples: counterexamples.map((example) => exampleDocument(verdict, example, programName)),
    policies: policies.map(({ policy, why }) => ({ policy, ...(why === undefined ? {} : { why }) })),
    hiddenBy: hiddenBy.map(({ route, pointer, dependsOn, expression, other }) => ({
      ...{ route: route.ref, pointer, dependsOn },
      ...(expression === undefined ? {} : { expression }),
      ...(other === undefined ? {} : { other: other.ref }),
    })),
    errors,
    notKnown,
    ...(assumes.length === 0 ? {} : { assumes }),
  };
}

function exampleDocument(verdict: Verdict, example: Counterexample, programName: string): object {
  const { contender, path, policies, other, why, cause, classes } = example;
  return {
    message: formatCounterexample(verdict, example),
    ...requestDocument(example, programName),
    listener: contender.at.ref,
    takenBy: (contender.rule ?? contender.route).ref,
    path: formatPath(path),
    policies: policiesDocument(policies),
    ...(other === undefined ? {} : { other: otherDocument(other, programName) }),
    ...(why === undefined ? {} : { why }),
    cause: cause.ref,
    classes,
  };
}

function otherDocument(other: OtherRequest, programName: string): object {
  const { takenBy, path, policies } = other;
  return {
    ...requestDocument(other, programName),
    ...(takenBy === undefined ? {} : { takenBy: (takenBy.rule ?? takenBy.route).ref }),
    ...(path === undefined ? {} : { path: formatPath(path) }),
    policies: policiesDocument(policies),
  };
}

function requestDocument(replayable: Replayable, programName: string): object {
  const { request, contender } = replayable;
  const { method } = httpRequestOf(request, contender.entry);
  return {
    request: { method, url: urlOf(replayable), headers: Object.fromEntries(request.headers) },
    replay: replayCommand(replayable, programName),
    entry: contender.entry.node.ref,
  };
}

function policiesDocument(policies: Counterexample['policies']): object {
  return Object.fromEntries(
    [...policies].map(([kind, effective]) => {
      const { winners, lost } = resultsOf(effective);
      const losses = lost.map(({ policy, winners: to, because }) => ({
        policy: policy.locator,
        to: locatorsOf(to),
        because,
      }));
      return [
        kind,
        { spec: effective.spec, policies: locatorsOf(winners), ...(losses.length === 0 ? {} : { lost: losses }) },
      ];
    }),
  );
}

function locatorsOf(policies: readonly { readonly locator: string }[]): readonly string[] {
  return policies.map(({ locator }) => locator);
}
