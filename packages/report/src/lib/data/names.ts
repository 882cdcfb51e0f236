import { type GroupKind, printable, type ResourceRef } from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import { Interned } from './interned.ts';
import type { NodeId, ObjectRow, PolicyId, TargetRow, Text } from './report-data.ts';
import { Rows } from './rows.ts';

/** How many names that are gone a page keeps at least. */
const mostGone = 1_000;

/** The texts, targets and policies of a page, by their numbers. A name keeps its number for as long as the page lives, also while it is gone. */
export class Names {
  readonly #topology: Topology;
  readonly #texts = new Interned<string>();
  readonly #nodes = new Interned<string>();
  readonly #policies = new Interned<string>();
  readonly #groups = new Map<string, Set<string>>();
  /** The targets by their numbers; `null` for those that are gone. */
  readonly targets = new Rows<TargetRow | null>(null);
  readonly #objects: NodeId[] = [];
  /** The targets that each target links to, by numbers; 0 for none. */
  readonly links = new Rows<readonly NodeId[] | 0>(0);
  #goneCount = 0;

  constructor(topology: Topology) {
    this.#topology = topology;
    for (const { group, kind } of [...topology.targetKinds, ...topology.policyKinds]) {
      this.#groups.set(kind, (this.#groups.get(kind) ?? new Set()).add(group));
    }
  }

  get texts(): Interned<string> {
    return this.#texts;
  }

  /** How much there is in lists that only grow. */
  get weight(): number {
    return this.#texts.weight;
  }

  /** Whether most names are of targets that are gone. */
  get areMostGone(): boolean {
    return this.#goneCount > mostGone && this.#goneCount > this.targets.values.length / 2;
  }

  /** Makes a text printable, and returns its index. */
  text(text: string): Text {
    return this.#texts.place(printable(text));
  }

  /** Returns the number of a target; -1 for one that is not in the topology. */
  node({ locator }: { readonly locator: string }): NodeId | -1 {
    const id = this.#nodes.find(locator);
    return id !== undefined && this.targets.at(id) !== null ? id : -1;
  }

  locatorOf(id: NodeId): string {
    return this.#nodes.values[id] ?? '';
  }

  /** Returns the object of a target, which may be gone. */
  objectOf(id: NodeId): NodeId {
    return this.#objects[id] ?? id;
  }

  /** Returns the number of a policy, which may be gone. */
  policyId(locator: string): PolicyId {
    return this.#policies.place(locator);
  }

  /** Returns the number of a policy; -1 for one that is not in the topology, such as a target's own value. */
  policy({ locator }: { readonly locator: string }): PolicyId | -1 {
    const id = this.#policies.find(locator);
    return id !== undefined && this.#topology.policy(locator) !== undefined ? id : -1;
  }

  /** Returns the name of a kind; with its group, if kinds of several groups have this name. */
  kind({ group, kind }: GroupKind): Text {
    const isAmbiguous = (this.#groups.get(kind)?.size ?? 0) > 1;
    return this.text(isAmbiguous && group !== '' ? `${kind}.${group}` : kind);
  }

  /** Returns kind, namespace and name. */
  rowOf(ref: ResourceRef): readonly [Text, Text | -1, string] {
    const { namespace, name } = ref;
    return [this.kind(ref), namespace === undefined ? -1 : this.text(namespace), printable(name)];
  }

  /** Takes targets that are new or changed. */
  setTargets(targets: readonly TargetNode[]): void {
    for (const target of targets) {
      const id = this.#nodes.place(target.locator);
      if (this.#objects[id] !== undefined && this.targets.at(id) === null) this.#goneCount -= 1; // It comes back.
      this.targets.set(id, this.#targetRow(target));
    }
    for (const { locator, object, linksTo } of targets) {
      this.#objects[this.#nodes.place(locator)] = this.#nodes.place(object.locator);
      const ends = linksTo.map((it) => this.#nodes.place(it.locator));
      this.links.set(this.#nodes.place(locator), ends.length === 0 ? 0 : ends);
    }
  }

  /** Removes a target, and returns its number, which stays its own in case that it comes back. */
  removeTarget(locator: string): NodeId {
    const id = this.#nodes.place(locator);
    if (this.targets.at(id) !== null) this.#goneCount += 1;
    this.targets.set(id, null);
    this.links.set(id, 0);
    return id;
  }

  #targetRow({ ref, section, sections }: TargetNode): TargetRow {
    if (section !== undefined) return this.text(ref.section ?? '');
    const row: ObjectRow = [...this.rowOf(ref), ...sections.map((it) => this.#nodes.place(it.locator))];
    return row;
  }
}
