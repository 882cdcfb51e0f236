import type { TargetNode } from '@policy-machinery/topology';
import type { CompiledGuarantee } from '../model/compile.ts';
import type { Contender } from '../requests/contender.ts';
import type { Base } from './base.ts';
import type { ClassFinding } from './class-finding.ts';
import { Comparison, type ComparisonInput } from './comparison.ts';
import { summaryOf } from './findings.ts';
import type { JudgedNode, JudgeOf } from './judged-node.ts';
import { matchesOf } from './request-space.ts';
import type { Summary } from './summary.ts';

/** A summary, and the states of the Gateways and Services that it was made from. */
interface Known {
  readonly summary: Summary;
  readonly states: readonly object[];
}

/** The results for guarantees that compare requests. A Gateway is compared again when it, or one that it is compared with, has changed. */
export class Comparisons {
  readonly #known = new Map<CompiledGuarantee, Map<TargetNode, Known>>();

  /** Forgets the comparisons of all guarantees but these. */
  keep(compiled: ReadonlySet<CompiledGuarantee>): void {
    for (const each of this.#known.keys()) if (!compiled.has(each)) this.#known.delete(each);
  }

  /**
   * Returns a summary for each Gateway and Service with requests that are compared.
   *
   * @returns The same summaries as before, where nothing has changed. For two Gateways with m and n matches at a port, O(m · n).
   */
  summaries(
    compiled: CompiledGuarantee,
    places: readonly JudgedNode[],
    judgeOf: JudgeOf,
    base: Base | undefined,
  ): readonly Summary[] {
    const before = this.#known.get(compiled);
    const known = new Map<TargetNode, Known>();
    for (const place of places) {
      const others = othersOf(place, compiled, places);
      const states = [place, ...others].map(({ state }) => state);
      const last = before?.get(place.node);
      const isSame = last?.states.length === states.length && states.every((it, index) => it === last.states[index]);
      if (others.length === 0) continue;
      known.set(place.node, isSame ? last : { states, summary: compared({ compiled, place, others, judgeOf, base }) });
    }
    this.#known.set(compiled, known);
    return [...known.values()].map(({ summary }) => summary);
  }
}

/** Returns where the other requests of a Gateway or Service arrive. */
function othersOf(
  place: JudgedNode,
  { other }: CompiledGuarantee,
  places: readonly JudgedNode[],
): readonly JudgedNode[] {
  const isMeant = other?.isMeant;
  return isMeant === undefined ? [place] : places.filter((each) => each !== place && isMeant(each.node));
}

interface Compared {
  readonly compiled: CompiledGuarantee;
  readonly place: JudgedNode;
  readonly others: readonly JudgedNode[];
  readonly judgeOf: JudgeOf;
  readonly base: Base | undefined;
}

function compared({ compiled, place: { node, space: own }, others, judgeOf, base }: Compared): Summary {
  const findings = new Map<Contender, ClassFinding>();
  const judge = judgeOf(compiled);
  const before = compiled.readsBefore ? base : undefined;
  const inputs: readonly ComparisonInput[] =
    before === undefined
      ? others.map(({ space: other }) => ({ compiled, judge, own, other }))
      : [{ compiled, judge, own, other: before.spaceOf(node), judgeOfOther: before.judgeOf(compiled) }];
  for (const input of inputs) {
    const comparison = new Comparison(input);
    for (const contest of own.contests) {
      for (const contender of matchesOf(contest, compiled)) {
        const finding = comparison.examine(contest, contender);
        if (finding !== undefined) findings.set(contender, both(findings.get(contender), finding));
      }
    }
  }
  return summaryOf(own, findings);
}

/** Returns the results of two comparisons of the same requests. */
function both(one: ClassFinding | undefined, other: ClassFinding): ClassFinding {
  if (one === undefined) return other;
  const broken = one.broken ?? other.broken;
  return {
    ...(broken === undefined ? {} : { broken }),
    hiddenBy: [...one.hiddenBy, ...other.hiddenBy],
    errors: [...one.errors, ...other.errors],
  };
}
