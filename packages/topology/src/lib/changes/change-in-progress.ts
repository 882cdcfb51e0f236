import type { Issue, KubernetesObject } from '@policy-machinery/resource';
import type { ChangeRecord, PolicyChange } from '../model/change-record.ts';
import type { KnownKind } from '../model/kinds.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import { isLinked } from '../targets/links.ts';
import type { Target } from '../targets/target.ts';
import type { IssueSource } from './issue-book.ts';
import type { TopologyState } from './topology-state.ts';

/** A resource before and after a change. */
export interface ResourceChange {
  readonly locator: string;
  readonly kind: KnownKind;
  readonly previous: KubernetesObject | undefined;
  readonly current: KubernetesObject | undefined;
}

/** Returns the changes that take others back. */
export function inverseOf(changes: Iterable<ResourceChange>): Map<string, ResourceChange> {
  const inverse = new Map<string, ResourceChange>();
  for (const { locator, kind, previous, current } of changes)
    inverse.set(locator, { locator, kind, previous: current, current: previous });
  return inverse;
}

/** A change of a state while it is being applied: the remaining work, and the effects so far. {@link finish} returns its record. */
export class ChangeInProgress {
  readonly state: TopologyState;
  readonly version: number;
  /** The resources that were upserted or removed. */
  readonly given: ReadonlyMap<string, ResourceChange>;
  /** The same resources, and the virtual resources that were added, changed or removed. */
  resources: ReadonlyMap<string, ResourceChange> = new Map();
  /** Existing targets with references that must be resolved again. References of new targets are resolved anyway. */
  readonly stale = new Set<Target>();
  /** The holders of relaying references to decide. */
  readonly relaying = new Set<Target>();
  /** Locators of the policies to attach again. */
  readonly stalePolicies = new Set<string>();
  /** New targets, each once. A list is enough, because {@link isNew} does not search it. */
  came: Target[] = [];
  readonly gone = new Set<Target>();
  /** Existing targets with a changed resource, links or attachments, or with an added or removed namespace. */
  readonly changed = new Set<Target>();
  /** Existing whole targets with a changed resource. */
  readonly edited = new Set<Target>();
  /** The edited targets with other content. */
  readonly rewritten = new Set<Target>();
  /** Existing targets with changed dangling references. */
  readonly restated = new Set<Target>();
  /** Existing targets with different links from above. */
  readonly entered = new Set<Target>();
  /** Existing targets with different links to below. */
  readonly exited = new Set<Target>();
  /** Existing targets with a link from above that has become undecided, or decided. */
  readonly unsettled = new Set<Target>();
  readonly policies = new Map<string, PolicyChange>();
  /** Locators of resources with different issues. */
  readonly reported = new Set<string>();
  /** The sections with rivals to decide, and the rivals at them that have changed. */
  readonly rivals = new Map<Target, Set<Target>>();
  /** The sections with rules about rivals that depend on something that has changed. */
  readonly ruledAnew = new Set<Target>();
  /** New links between kinds that can form cycles. */
  readonly suspects: (readonly [above: Target, below: Target])[] = [];
  /** Whether more kinds can form cycles after this change. */
  hasNewKindCycles = false;
  /** The touched links with at least one existing end, and whether each link existed before. */
  readonly #links = new Map<Target, Map<Target, boolean>>();

  constructor(state: TopologyState, given: ReadonlyMap<string, ResourceChange>) {
    this.state = state;
    this.version = state.version;
    this.given = given;
  }

  /** Returns the final effects of the change. */
  finish(): ChangeRecord {
    const { version, came, gone, changed, entered, exited, edited, rewritten, restated, unsettled } = this;
    const { policies, reported } = this;
    const given = [...this.given.keys()]; // Only the locators: earlier resources need not be kept.
    const targets = { came, gone, changed, entered, exited, edited, rewritten, restated, unsettled };
    return { version, given, ...targets, policies, reported };
  }

  /** Returns whether this change has added a target. */
  isNew({ since }: Target): boolean {
    return since === this.version;
  }

  /** Records that a target's dangling references have changed. */
  restate(target: Target): void {
    if (!this.isNew(target) && !this.gone.has(target)) this.restated.add(target);
  }

  /** Records that a link to a target has become undecided, or decided. */
  unsettle(target: Target): void {
    if (this.isNew(target) || this.gone.has(target)) return;
    this.unsettled.add(target);
    this.changed.add(target);
  }

  /**
   * Records that a section's rivals have changed, or the section itself.
   *
   * @param rival One of these rivals.
   * @param isRuledAnew Whether something else has changed that the rule of the section depends on. Default: no.
   */
  contest(section: Target, rival?: Target, isRuledAnew = false): void {
    const rivals = getOrInsert(this.rivals, section, () => new Set<Target>());
    if (rival !== undefined) rivals.add(rival);
    if (isRuledAnew) this.ruledAnew.add(section);
  }

  /** Sets the issues of a source in the state, and records the resources with different ones. */
  setIssues(source: IssueSource, owner: unknown, issues: readonly Issue[]): void {
    for (const resource of this.state.issues.set(source, owner, issues)) {
      if (resource !== undefined) this.reported.add(resource);
    }
  }

  /** Records that a link is about to be added or removed. */
  touch(above: Target, below: Target, isThere: boolean): void {
    if (this.isNew(above) && this.isNew(below)) return;
    const touched = getOrInsert(this.#links, above, () => new Map<Target, boolean>());
    if (!touched.has(below)) touched.set(below, isThere);
  }

  /** Returns the ends of touched links. */
  *touched(): Iterable<Target> {
    for (const [above, touched] of this.#links) {
      yield above;
      yield* touched.keys();
    }
  }

  /** Finds the targets with different links. Links that were removed and added again do not count. */
  settleLinks(): void {
    for (const [above, touched] of this.#links) {
      for (const [below, wasThere] of touched) {
        if (isLinked(above, below) === wasThere) continue;
        for (const target of [above, below]) if (!this.isNew(target)) this.changed.add(target);
        if (!this.isNew(above)) this.exited.add(above);
        if (!this.isNew(below)) this.entered.add(below);
      }
    }
    this.#links.clear();
  }
}
