import { type Context, type EffectivePolicies, EffectivePolicy } from '@policy-machinery/effective-policy';
import type { SecretField } from '@policy-machinery/policy-kind';
import { specOf } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import { BelowCounts, type Passing } from './below-counts.ts';
import { Groups } from './groups.ts';
import { internedLists } from './interned.ts';
import type { Names } from './names.ts';
import type { Patch } from './patch.ts';
import type { BelowRow, ContextRow, NodeId, ViewData } from './report-data.ts';
import { Rows } from './rows.ts';
import type { Ways } from './ways.ts';

/** How many paths of a context are listed; the others are counted. */
const listedPaths = 2;

/** The effective policies of one policy kind: the contexts of each target, and their number below it. */
export class ViewRows {
  readonly effective: EffectivePolicies<unknown>;
  /** Whether any policy writes a stanza: then each layer names its own. */
  readonly stanzas: boolean;
  readonly #names: Names;
  readonly #ways: Ways;
  readonly #groups: Groups;
  readonly #lists = internedLists<readonly ContextRow[]>();
  readonly #contexts = new Rows(-1);
  readonly #below = new Rows<BelowRow | 0>(0);
  readonly #counts: BelowCounts;
  /** The questions after the last change. */
  readonly #asked = new Map<TargetNode, readonly Context<unknown>[]>();

  /** @param secrets The fields of the kind with values that must not be shown. Default: their names decide. */
  constructor(
    effective: EffectivePolicies<unknown>,
    names: Names,
    ways: Ways,
    secrets: readonly SecretField[] | undefined,
  ) {
    this.effective = effective;
    this.stanzas = writesStanzas(effective);
    this.#names = names;
    this.#ways = ways;
    this.#groups = new Groups(names, this.stanzas, secrets);
    this.#counts = new BelowCounts((id) => names.objectOf(id));
  }

  /** Forgets all answers that may have changed. */
  startOver(): void {
    this.#asked.clear();
  }

  /** Returns the contexts of a target: first those with policies, then those without. Empty if none has policies. */
  contextsOf(target: TargetNode): readonly Context<unknown>[] {
    const knownContexts = this.#asked.get(target);
    if (knownContexts !== undefined) return knownContexts;
    const covered = this.effective.of(target);
    const contexts = covered.length === 0 ? [] : [...covered, ...this.effective.uncovered(target)];
    this.#asked.set(target, contexts);
    return contexts;
  }

  remove(id: number): void {
    this.#contexts.set(id, -1);
    this.#below.set(id, 0);
    this.#counts.remove(id);
  }

  /**
   * Collects the contexts of a target.
   *
   * @returns Whether the target has several contexts, or had: requests choose from these.
   */
  setContexts(target: TargetNode): boolean {
    const id = this.#names.node(target);
    const previousList = this.#contexts.at(id);
    const contexts = this.contextsOf(target);
    const rows = contexts.map((context) => contextRow(context, this.#groups, this.#ways));
    this.#contexts.set(id, rows.length === 0 ? -1 : this.#lists.place(rows));
    this.#counts.set(id, this.#passingOf(contexts));
    return contexts.length > 1 || (this.#lists.values[previousList]?.length ?? 0) > 1;
  }

  /**
   * Sets the number of contexts below targets: targets with changed counts, and some others.
   *
   * @param others Targets that may have a count now, or no longer.
   * @param isRoute Returns whether a target is a route at a listener, which is not counted.
   * @returns How many targets were looked at.
   */
  setBelow(others: Iterable<TargetNode>, isRoute: (id: NodeId) => boolean): number {
    const ids = new Set(this.#counts.takeTouched());
    for (const target of others) ids.add(this.#names.node(target));
    for (const id of ids) {
      const isSaid = !isRoute(id) && this.#contexts.at(id) < 0;
      this.#below.set(id, isSaid ? this.#counts.rowOf(id) : 0);
    }
    return ids.size;
  }

  /** Has a row for each target. */
  reach(length: number): void {
    this.#contexts.reach(length);
    this.#below.reach(length);
  }

  /** How much there is in lists that only grow. */
  get weight(): number {
    return this.#groups.weight + this.#lists.weight;
  }

  /** The rows, without the choices of requests. */
  get rows(): Omit<ViewData, 'choices' | 'choiceLists'> {
    return {
      kind: this.#names.kind(this.effective.kind),
      ...this.#groups.rows,
      lists: this.#lists.values,
      contexts: this.#contexts.values,
      below: this.#below.values,
    };
  }

  /** Returns the changes after the last call, by table. */
  take(): Readonly<Record<string, Patch | undefined>> {
    const [lists, contexts, below] = [this.#lists.take(), this.#contexts.take(), this.#below.take()];
    return { ...this.#groups.take(), lists, contexts, below };
  }

  /** Returns where contexts are counted: those with policies. */
  #passingOf(contexts: readonly Context<unknown>[]): readonly Passing[] {
    return contexts.flatMap((context) => {
      if (!(context instanceof EffectivePolicy)) return [];
      return { group: this.#groups.of(context), passed: Array.from(context.passed, (it) => this.#names.node(it)) };
    });
  }
}

/** The fields where policies write defaults and overrides, in the spellings of CustomResourceDefinitions. */
const stanzaFields = ['defaults', 'overrides', 'default', 'override'];

/** Returns whether any policy of a kind writes a stanza. */
export function writesStanzas({ policies }: EffectivePolicies<unknown>): boolean {
  return policies.some(({ node }) => stanzaFields.some((field) => specOf(node.resource)[field] !== undefined));
}

function contextRow(context: Context<unknown>, groups: Groups, ways: Ways): ContextRow {
  const { pathCount } = context;
  const group = context instanceof EffectivePolicy ? groups.of(context) : -1;
  const listed = new Set<number>();
  let remaining = listedPaths;
  for (const path of context.paths()) {
    if (remaining === 0) break;
    remaining -= 1;
    const way = ways.to(path);
    if (way >= 0) listed.add(way);
  }
  return [group, pathCount <= Number.MAX_SAFE_INTEGER ? Number(pathCount) : String(pathCount), ...listed];
}
