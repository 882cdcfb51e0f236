import {
  type Counterexample,
  formatCounterexample,
  type OtherRequest,
  type Replayable,
  type Verdict,
} from '@policy-machinery/guarantees';
import { httpRequestOf, resultsOf, urlOf } from '@policy-machinery/guarantees/inner';
import type { JsonValue } from '@policy-machinery/resource';
import { formatPath } from '@policy-machinery/topology';
import { specWithoutSecrets } from '../answers/fields.ts';
import type { World } from '../model/world.ts';
import { replayCommand } from './replay-command.ts';

interface VerdictSource {
  /** How the program was called. */
  readonly programName: string;
  /** The world. Its views know the secret values of specs, which are masked. */
  readonly world: World;
}

/**
 * Returns a verdict for programs.
 *
 * @param source The world, and how the program was called.
 * @param assumes The assumptions of the verdict. Default: nothing.
 */
export function verdictDocument(verdict: Verdict, source: VerdictSource, assumes: readonly string[] = []): object {
  const { guarantee, answer, classes, counterexamples, policies, hiddenBy, errors, notKnown } = verdict;
  return {
    guarantee: guarantee.name,
    ...(guarantee.description === undefined ? {} : { description: guarantee.description }),
    about: guarantee.about ?? 'requests',
    answer,
    classes,
    counterexamples: counterexamples.map((example) => exampleDocument(verdict, example, source)),
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

function exampleDocument(verdict: Verdict, example: Counterexample, source: VerdictSource): object {
  const { contender, path, policies, other, why, cause, classes } = example;
  return {
    message: formatCounterexample(verdict, example),
    ...requestDocument(example, source),
    listener: contender.at.ref,
    ...(contender.isTaken && { takenBy: (contender.rule ?? contender.route).ref }),
    path: formatPath(path),
    policies: policiesDocument(policies, source),
    ...(other === undefined ? {} : { other: otherDocument(other, source) }),
    ...(why === undefined ? {} : { why }),
    cause: cause.ref,
    classes,
  };
}

function otherDocument(other: OtherRequest, source: VerdictSource): object {
  const { takenBy, path, policies } = other;
  return {
    ...requestDocument(other, source),
    ...(takenBy === undefined ? {} : { takenBy: (takenBy.rule ?? takenBy.route).ref }),
    ...(path === undefined ? {} : { path: formatPath(path) }),
    policies: policiesDocument(policies, source),
  };
}

function requestDocument(replayable: Replayable, { programName }: VerdictSource): object {
  const { request, contender } = replayable;
  const { method } = httpRequestOf(request, contender.entry);
  return {
    request: { method, url: urlOf(replayable), headers: Object.fromEntries(request.headers) },
    replay: replayCommand(replayable, programName),
    entry: contender.entry.node.ref,
  };
}

function policiesDocument(policies: Counterexample['policies'], { world }: VerdictSource): object {
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
        {
          spec: shownSpec(kind, effective.spec, world),
          policies: locatorsOf(winners),
          ...(losses.length === 0 ? {} : { lost: losses }),
        },
      ];
    }),
  );
}

/** Returns a spec without secret values. */
function shownSpec(name: string, spec: unknown, { views, topology }: World): JsonValue {
  const view = views.find(({ found: { kind }, effective }) => {
    return effective.topology === topology && [kind.kind, `${kind.kind}.${kind.group}`].includes(name);
  });
  return view === undefined ? {} : specWithoutSecrets(spec, view);
}

function locatorsOf(policies: readonly { readonly locator: string }[]): readonly string[] {
  return policies.map(({ locator }) => locator);
}
