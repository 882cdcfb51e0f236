import { levelsOf, type Stack } from './stack.ts';

/** Finds what was kept for a stack of levels that are made of the very same resources and policies, in another topology, too. */
export class ResultsByLevels<Spec, Result> {
  readonly #root: Branch<Result> = { next: new Map(), result: undefined };

  set(stack: Stack<Spec>, result: Result): void {
    let branch = this.#root;
    for (const part of partsOf(stack)) {
      const next = branch.next.get(part) ?? { next: new Map(), result: undefined };
      branch.next.set(part, next);
      branch = next;
    }
    branch.result = result;
  }

  get(stack: Stack<Spec>): Result | undefined {
    let branch: Branch<Result> | undefined = this.#root;
    for (const part of partsOf(stack)) branch = branch?.next.get(part);
    return branch?.result;
  }
}

interface Branch<Result> {
  readonly next: Map<unknown, Branch<Result>>;
  result: Result | undefined;
}

/** All that the result of a stack depends on: of a target the resource, since it may say how policies are merged. */
function partsOf<Spec>(stack: Stack<Spec>): readonly unknown[] {
  return levelsOf(stack).flatMap(({ target, via, policies }) => [
    target.locator,
    target.resource,
    via,
    ...policies.map(({ resource }) => resource),
  ]);
}
