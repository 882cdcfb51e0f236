import type { TargetNode } from '@policy-machinery/topology';
import type { CompiledGuarantee } from '../model/compile.ts';
import type { VerifiedKind } from '../model/verified-kind.ts';
import type { ContestOptions } from '../requests/contest.ts';
import type { Entry } from '../requests/entries.ts';
import type { Judge, PathsOf } from '../verify/judge.ts';
import { Effects } from './effects.ts';
import { Findings } from './findings.ts';
import { RequestSpace, type Touched } from './request-space.ts';

export type JudgeOf = (compiled: CompiledGuarantee) => Judge;

/** Facts about the requests to one Gateway or Service. */
export class JudgedNode {
  /** The Gateway or Service. */
  readonly node: TargetNode;
  readonly space: RequestSpace;
  /** Another object after each change. */
  state: object = {};
  readonly #findings = new Map<CompiledGuarantee, Findings>();
  #effects: Effects | undefined;

  constructor(node: TargetNode, entries: readonly Entry[], options: ContestOptions) {
    this.node = node;
    this.space = new RequestSpace(entries, options);
  }

  /** Checks the matches with requests that may meet other policies again. */
  renew(touched: Touched, judgeOf: JudgeOf, pathsOf: PathsOf, kinds: readonly VerifiedKind[]): void {
    this.state = {};
    for (const [compiled, findings] of this.#findings) findings.renew(touched, judgeOf(compiled));
    this.#effects?.renew(touched, pathsOf, kinds);
  }

  /** Forgets the findings of all guarantees but these. */
  keep(compiled: ReadonlySet<CompiledGuarantee>): void {
    for (const each of this.#findings.keys()) if (!compiled.has(each)) this.#findings.delete(each);
  }

  findings(compiled: CompiledGuarantee, judgeOf: JudgeOf): Findings {
    const known = this.#findings.get(compiled) ?? new Findings(this.space, compiled, judgeOf(compiled));
    this.#findings.set(compiled, known);
    return known;
  }

  /** Returns which policies have an effect. */
  effects(pathsOf: PathsOf, kinds: readonly VerifiedKind[]): Effects {
    this.#effects ??= new Effects(this.space, pathsOf, kinds);
    return this.#effects;
  }
}
