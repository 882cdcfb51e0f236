import type { EffectiveChanges, EffectivePolicies } from '@policy-machinery/effective-policy';
import { type Omissions, OmittedAncestors } from './omitted-ancestors.ts';
import type { PolicyPlan } from './plan-policies.ts';
import type { Work } from './plan-work.ts';
import { everything, type StatusChanges } from './scope.ts';

/** The locators that a slice of a plan looks at. */
export interface SliceScope {
  readonly policies: ReadonlySet<string>;
  /** Objects that policies affect, and objects with a status of their own. */
  readonly objects: ReadonlySet<string>;
}

/** The additions to a backlog. */
export interface Collected {
  /** The locators of everything, if nothing has been planned before; otherwise none. */
  readonly first: readonly string[];
  /** The locators of what has changed since the last plan, if something has been planned before; otherwise none. */
  readonly changed: readonly string[];
}

/** The statuses to plan for the policies of one kind, and the ancestors without room in the last plan. */
export class Backlog {
  readonly view: EffectivePolicies<unknown>;
  readonly #changes: EffectiveChanges;
  #omitted: OmittedAncestors;
  /** Whether nothing has been planned yet. */
  isNew = true;
  readonly #policies = new Set<string>();
  readonly #objects = new Set<string>();
  readonly #statuses = new Set<string>();

  constructor(view: EffectivePolicies<unknown>) {
    this.view = view;
    this.#changes = view.changes();
    this.#omitted = new OmittedAncestors(view);
  }

  /** Takes the changes, and everything if nothing has been planned before. */
  collect(): Collected {
    const changed = this.#take();
    if (!this.isNew) return { first: [], changed };
    this.#clear();
    const { policies, affectedObjects } = everything(this.view);
    for (const locator of policies) this.#policies.add(locator);
    for (const locator of affectedObjects) this.#objects.add(locator);
    return { first: [...policies, ...affectedObjects], changed: [] };
  }

  /** Adds the locators of policies or objects. */
  add(locators: Iterable<string>): void {
    for (const locator of locators) {
      if (this.view.policy(locator) !== undefined) this.#policies.add(locator);
      else if (this.view.topology.get(locator) !== undefined) this.#objects.add(locator);
    }
  }

  /** Forgets all plans and changes. */
  startOver(): void {
    this.#changes.take();
    this.#clear();
    this.isNew = true;
    this.#omitted = new OmittedAncestors(this.view);
  }

  /** Locators of the policies in the backlog, the next one first. */
  get policies(): Iterable<string> {
    return this.#policies;
  }

  /** Locators of the objects in the backlog, the next one first. */
  *objects(): Iterable<string> {
    yield* this.#objects;
    yield* this.#statuses;
  }

  /** Returns the work of a slice, as far as that is in the backlog. Objects whose conditions it makes different are added to the backlog. */
  slice({ policies, objects }: SliceScope): Work {
    const scope = {
      policies: among(policies, this.#policies),
      affectedObjects: among(objects, this.#objects),
      statuses: among(objects, this.#statuses),
    };
    const omissionsOf = ({ omitted }: PolicyPlan): Omissions => {
      for (const locator of this.#omitted.set(omitted, scope.policies)) this.#objects.add(locator);
      return { ancestors: this.#omitted, touched: [] }; // They come after all policies.
    };
    return { view: this.view, scope, omissionsOf };
  }

  /** Takes a slice out of the backlog. */
  remove({ policies, objects }: SliceScope): void {
    for (const locator of policies) this.#policies.delete(locator);
    for (const locator of objects) {
      this.#objects.delete(locator);
      this.#statuses.delete(locator);
    }
  }

  /** Empties the backlog. */
  #clear(): void {
    this.isNew = false;
    this.#policies.clear();
    this.#objects.clear();
    this.#statuses.clear();
  }

  #take(): readonly string[] {
    const { policies, affectedObjects, statuses = [] } = this.#changes.take();
    for (const locator of policies) this.#policies.add(locator);
    for (const locator of affectedObjects) this.#objects.add(locator);
    for (const locator of statuses) this.#statuses.add(locator);
    return [...policies, ...affectedObjects, ...statuses];
  }
}

function among(some: ReadonlySet<string>, all: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...some].filter((locator) => all.has(locator)));
}

/** Returns the scope of the work of a slice. */
export function changesIn({ view: { kind }, scope }: Work): StatusChanges {
  return {
    kind: { group: kind.group, kind: kind.kind },
    policies: [...scope.policies],
    affectedObjects: [...scope.affectedObjects],
    statuses: [...scope.statuses],
  };
}
