import type { VerifiedKind } from '../model/verified-kind.ts';
import type { Contender } from '../requests/contender.ts';
import type { Contest } from '../requests/contest.ts';
import type { HiddenBy } from '../verify/broken-class.ts';
import type { PathsOf } from '../verify/judge.ts';
import { hiddenIn } from './class-finding.ts';
import { isTouched, type RequestSpace, type Touched } from './request-space.ts';

/** How many classes of requests a policy has an effect on, for certain, or if facts that are not known say so. */
export interface Effect {
  certain: number;
  readonly hiddenBy: HiddenBy[];
}

/** The policies that have an effect on the requests that one match takes. */
interface ClassEffects {
  /** Their locators. */
  readonly policies: ReadonlySet<string>;
  /** The doubts about whether the match takes any request; `undefined` if it does. */
  readonly hiddenBy: readonly HiddenBy[] | undefined;
}

/** The policies that have an effect on the requests to one Gateway or Service, kept up to date. */
export class Effects {
  readonly #space: RequestSpace;
  readonly #effects = new Map<Contender, ClassEffects>();

  constructor(space: RequestSpace, pathsOf: PathsOf, kinds: readonly VerifiedKind[]) {
    this.#space = space;
    this.#examine(pathsOf, kinds, () => true);
  }

  /** Examines the matches with requests that may meet other policies again. */
  renew(touched: Touched, pathsOf: PathsOf, kinds: readonly VerifiedKind[]): void {
    this.#examine(pathsOf, kinds, (contender) => isTouched(contender, touched));
  }

  /** Adds to the effects of all policies, by locator. O(classes · policies that a class meets). */
  addTo(all: Map<string, Effect>): void {
    for (const { policies, hiddenBy } of this.#effects.values()) {
      for (const locator of policies) {
        const effect = all.get(locator) ?? { certain: 0, hiddenBy: [] };
        all.set(locator, effect);
        if (hiddenBy === undefined) effect.certain += 1;
        else effect.hiddenBy.push(...hiddenBy);
      }
    }
  }

  #examine(pathsOf: PathsOf, kinds: readonly VerifiedKind[], isDue: (contender: Contender) => boolean): void {
    for (const contest of this.#space.contests) {
      for (const contender of contest.contenders) {
        if (isDue(contender)) this.#set(contest, contender, pathsOf, kinds);
      }
    }
  }

  #set(contest: Contest, contender: Contender, pathsOf: PathsOf, kinds: readonly VerifiedKind[]): void {
    const reached = this.#space.reach(contest, contender);
    if (reached.by === 'none') return;
    const hiddenBy = reached.by === 'undecided' ? reached.hiddenBy.flatMap(hiddenIn) : undefined;
    const { at: listener, via, route, rule } = contender;
    const policies = new Set<string>();
    for (const path of pathsOf({ listener, via, route, ...(rule && { rule }) })) {
      for (const kind of kinds) for (const locator of contributorsOn(kind, path)) policies.add(locator);
    }
    this.#effects.set(contender, { policies, hiddenBy });
  }
}

/** Returns the policies that set a field of the effective policies on a path. */
function contributorsOn(kind: VerifiedKind, path: Parameters<VerifiedKind['along']>[0]): readonly string[] {
  const shares = kind.along(path).at(-1)?.shares ?? [];
  return shares.flatMap(({ policy, contributes }) => (contributes ? [policy.locator] : []));
}
