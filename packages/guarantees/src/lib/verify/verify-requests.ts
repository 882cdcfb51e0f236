import type { Topology } from '@policy-machinery/topology';
import type { CompiledGuarantee } from '../model/compile.ts';
import type { VerifiedKind } from '../model/verified-kind.ts';
import { type Contender, classKey } from '../requests/contender.ts';
import type { Contest } from '../requests/contest.ts';
import { type BrokenClass, counterexamplesOf } from './causes.ts';
import { type Failure, Judge, type Judgement } from './judge.ts';
import type { RequestSpace } from './space.ts';
import type { HiddenBy, Verdict } from './verdict.ts';

/** What is known about the classes of requests so far. */
interface Findings {
  readonly considered: Set<Contender>;
  readonly broken: BrokenClass[];
  readonly hiddenBy: Map<string, HiddenBy>;
  readonly errors: Set<string>;
}

/**
 * Verifies a guarantee about requests.
 *
 * @param topology The topology.
 * @param compiled The guarantee.
 * @param kinds The policy kinds.
 * @param space All requests.
 * @returns The verdict. O(m · paths of a rule) for m matches, and one evaluation for each path that meets other policies.
 */
export function verifyRequests(
  topology: Topology,
  compiled: CompiledGuarantee,
  kinds: readonly VerifiedKind[],
  space: RequestSpace,
): Verdict {
  const judge = new Judge(topology, compiled, kinds);
  const findings: Findings = { considered: new Set(), broken: [], hiddenBy: new Map(), errors: new Set() };
  for (const contest of space.contests) {
    for (const contender of contest.contenders) {
      for (const judgement of judge.judge(contender)) {
        consider({ contest, contender, judgement, cells: compiled.requests.cells }, space, findings);
      }
    }
  }
  return verdictOf(compiled, findings);
}

/** Returns the verdict from the findings. */
function verdictOf({ guarantee, kinds }: CompiledGuarantee, findings: Findings): Verdict {
  const { considered, broken, hiddenBy, errors } = findings;
  const isUndecided = hiddenBy.size > 0 || errors.size > 0;
  return {
    guarantee,
    answer: broken.length > 0 ? 'broken' : isUndecided ? 'undecided' : 'holds',
    kinds,
    classes: new Set([...considered].map(classKey)).size,
    counterexamples: counterexamplesOf(broken, considered),
    policies: [],
    hiddenBy: [...hiddenBy.values()],
    errors: [...errors],
  };
}

interface Considered {
  readonly contest: Contest;
  readonly contender: Contender;
  readonly judgement: Judgement;
  readonly cells: CompiledGuarantee['requests']['cells'];
}

/** Adds what one path of a match says. */
function consider({ contest, contender, judgement, cells }: Considered, space: RequestSpace, findings: Findings): void {
  const { failure, except } = judgement;
  if (failure === undefined && findings.considered.has(contender)) return;
  if (findings.broken.at(-1)?.contender === contender) return; // One request shows it.
  for (const cell of cells) {
    const reached = space.reach(contest, contender, cell, except);
    if (reached.by === 'none') continue;
    findings.considered.add(contender);
    if (failure === undefined) return;
    if (reached.by === 'request') {
      if (addFailure(contender, reached.request, failure, findings)) return;
    } else {
      for (const hidden of reached.hiddenBy)
        for (const by of hiddenIn(hidden)) findings.hiddenBy.set(`${by.route.locator} ${by.pointer}`, by);
    }
  }
}

/** Adds a request that breaks the guarantee. Returns whether it does: an error of the expression shows nothing. */
function addFailure(
  contender: Contender,
  request: BrokenClass['request'],
  failure: Failure,
  { broken, errors }: Findings,
): boolean {
  if (failure.error !== undefined) {
    errors.add(failure.error);
    return false;
  }
  broken.push({ contender, request, failure });
  return true;
}

/** Returns the regular expressions of a match. */
export function hiddenIn({ route, expressions }: Contender): readonly HiddenBy[] {
  return expressions.map(({ pointer, value: expression }) => ({ route, pointer, expression }));
}
