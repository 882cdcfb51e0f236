import type { KubernetesObject } from '@policy-machinery/resource';
import type { ChangeRecord, PolicyChange } from '../model/change-record.ts';
import type { KnownKind } from '../model/kinds.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import type { Target } from '../targets/target.ts';

/** A resource before and after a change. */
export interface ResourceChange {
  readonly locator: string;
  readonly known: KnownKind;
  readonly was: KubernetesObject | undefined;
  readonly now: KubernetesObject | undefined;
}

/** A change while it is being applied: what is left to do, and what has been done. {@link finish} makes the record of it. */
export class ChangeInProgress {
  readonly version: number;
  /** What has been given or taken away. */
  readonly given: ReadonlyMap<string, ResourceChange>;
  /** With what follows from it: virtual resources that have come, changed or gone. */
  resources: ReadonlyMap<string, ResourceChange> = new Map();
  /** Targets from before whose references must be resolved again. Those that came are resolved anyway. */
  readonly stale = new Set<Target>();
  /** Holders of relaying references that must be decided. */
  readonly relaying = new Set<Target>();
  /** Locators of the policies that must be attached again. */
  readonly stalePolicies = new Set<string>();
  /** New targets, each once. No set, for {@link isNew} tells whether one is among them. */
  came: Target[] = [];
  readonly gone = new Set<Target>();
  /** Targets from before whose resource or links have changed, whose namespace has come or gone, or what is attached to them. */
  readonly changed = new Set<Target>();
  /** Whole targets from before whose resource has changed. */
  readonly edited = new Set<Target>();
  /** Targets from before whose references are refused, or lead nowhere, in another way than before. */
  readonly restated = new Set<Target>();
  /** Targets from before into which other links lead than before. */
  readonly entered = new Set<Target>();
  readonly policies = new Map<string, PolicyChange>();
  /** Locators of resources that have other issues than before. */
  readonly reported = new Set<string>();
  /** New links between kinds that may hold cycles. */
  suspects: (readonly [above: Target, below: Target])[] = [];
  /** Whether there are links between kinds that may form cycles since this change. */
  hasNewKindCycles = false;
  /** Links between targets from before that were touched, and whether they were there before. */
  readonly #links = new Map<Target, Map<Target, boolean>>();

  constructor(version: number, given: ReadonlyMap<string, ResourceChange>) {
    this.version = version;
    this.given = given;
  }

  /** Returns what the change came to. Nothing of it changes any more. */
  finish(): ChangeRecord {
    const { version, came, gone, changed, entered, edited, restated, policies, reported } = this;
    const given = [...this.given.keys()]; // Without what was there before: that can be forgotten.
    return { version, given, came, gone, changed, entered, edited, restated, policies, reported };
  }

  /** Whether a target has come with this change. */
  isNew({ since }: Target): boolean {
    return since === this.version;
  }

  /** Records that a target's references are refused, or lead nowhere, in another way than before. */
  restate(target: Target): void {
    if (!this.isNew(target) && !this.gone.has(target)) this.restated.add(target);
  }

  /** Records the resources that have other issues than before. */
  report(resources: readonly (string | undefined)[]): void {
    for (const resource of resources) if (resource !== undefined) this.reported.add(resource);
  }

  /** Records that a link is about to come or go. */
  touch(above: Target, below: Target, isThere: boolean): void {
    if (this.isNew(above) && this.isNew(below)) return;
    const touched = getOrInsert(this.#links, above, () => new Map<Target, boolean>());
    if (!touched.has(below)) touched.set(below, isThere);
  }

  /** The ends of the links between targets from before, and to new ones, that have been touched. */
  *touched(): Iterable<Target> {
    for (const [above, touched] of this.#links) {
      yield above;
      yield* touched.keys();
    }
  }

  /** Sums up which targets have other links than before. Links that came back count for nothing. */
  settleLinks(isLinked: (above: Target, below: Target) => boolean): void {
    for (const [above, touched] of this.#links) {
      for (const [below, wasThere] of touched) {
        if (isLinked(above, below) === wasThere) continue;
        for (const target of [above, below]) if (!this.isNew(target)) this.changed.add(target);
        if (!this.isNew(below)) this.entered.add(below);
      }
    }
    this.#links.clear();
  }
}
