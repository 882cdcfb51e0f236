import type { EffectiveChanges, EffectivePolicies } from '@policy-machinery/effective-policy';
import { OmittedAncestors } from './omitted-ancestors.ts';
import type { Work } from './plan-work.ts';
import { everything, PlanScope } from './scope.ts';

/** The statuses to plan for the policies of one kind, and the ancestors without room in the last plan. */
export class Backlog {
  readonly view: EffectivePolicies<unknown>;
  readonly #changes: EffectiveChanges;
  #omitted: OmittedAncestors;
  #due = new PlanScope();
  /** Whether nothing has been planned yet. */
  isNew = true;

  constructor(view: EffectivePolicies<unknown>) {
    this.view = view;
    this.#changes = view.changes();
    this.#omitted = new OmittedAncestors(view);
  }

  /** Adds the changes; everything, if nothing has been planned before. Returns the locators. */
  collect(): readonly string[] {
    const changes = this.#changes.take();
    const { policies, affectedObjects, statuses = [] } = this.isNew ? everything(this.view) : changes;
    this.isNew = false;
    this.#due.add({ policies, affectedObjects, statuses });
    return [...policies, ...affectedObjects, ...statuses];
  }

  add(locators: Iterable<string>): void {
    for (const locator of locators) {
      if (this.view.policy(locator) !== undefined) this.#due.policies.add(locator);
      else if (this.view.topology.get(locator) !== undefined) this.#due.affectedObjects.add(locator);
    }
  }

  /** Forgets all plans and changes. */
  startOver(): void {
    this.#changes.take();
    this.#due = new PlanScope();
    this.isNew = true;
    this.#omitted = new OmittedAncestors(this.view);
  }

  /** Locators of the policies in the backlog, the next one first. */
  get policies(): Iterable<string> {
    return this.#due.policies;
  }

  /** Locators of the objects in the backlog, the next one first. */
  *objects(): Iterable<string> {
    yield* this.#due.affectedObjects;
    yield* this.#due.statuses;
  }

  /** Returns the work on some policies or objects, if they are in the backlog. Objects that get different conditions are added to the backlog. */
  workOn(policies: ReadonlySet<string>, objects: ReadonlySet<string>): Work {
    const scope = this.#due.within(policies, objects);
    return {
      view: this.view,
      scope,
      omittedAfter: ({ omitted }) => {
        for (const locator of this.#omitted.set(omitted, scope.policies)) this.#due.affectedObjects.add(locator);
        return this.#omitted;
      },
    };
  }

  remove(scope: PlanScope): void {
    this.#due.remove(scope);
  }
}

const none: ReadonlySet<string> = new Set();

/**
 * Returns the work of the next slice of a plan: on policies, and on objects when no policy is left, because these may have conditions about policies
 * without room for them.
 *
 * @param size How many locators at most.
 * @returns The work, one for each backlog; `undefined` if nothing is left.
 */
export function nextSlice(backlogs: readonly Backlog[], size: number): readonly Work[] | undefined {
  const policies = firstOf(backlogs, (backlog) => backlog.policies, size);
  const objects = policies.size > 0 ? none : firstOf(backlogs, (backlog) => backlog.objects(), size);
  if (policies.size + objects.size === 0) return undefined;
  return backlogs.map((backlog) => backlog.workOn(policies, objects));
}

function firstOf(
  backlogs: readonly Backlog[],
  listIn: (backlog: Backlog) => Iterable<string>,
  size: number,
): ReadonlySet<string> {
  const locators = new Set<string>();
  for (const backlog of backlogs) {
    for (const locator of listIn(backlog)) {
      if (locators.size >= size) return locators;
      locators.add(locator);
    }
  }
  return locators;
}
