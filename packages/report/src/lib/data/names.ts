import { type GroupKind, printable, type ResourceRef } from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import { Interned } from './interned.ts';
import type { NodeId, ObjectRow, PolicyId, TargetRow, Text } from './report-data.ts';

/** The texts, targets and policies of a page, by their numbers. A name keeps its number for as long as the page lives, also while it is gone. */
export class Names {
  readonly #topology: Topology;
  readonly #texts = new Interned<string>();
  readonly #nodes = new Interned<string>();
  readonly #policies = new Interned<string>();
  readonly #groups = new Map<string, Set<string>>();
  /** The targets by their numbers. */
  readonly targets: (TargetRow | null)[] = [];
  readonly #objects: NodeId[] = [];
  /** The targets that each target links to, by numbers; 0 for none. */
  readonly links: (readonly NodeId[] | 0)[] = [];

  constructor(topology: Topology) {
    this.#topology = topology;
    for (const { group, kind } of [...topology.targetKinds, ...topology.policyKinds]) {
      this.#groups.set(kind, (this.#groups.get(kind) ?? new Set()).add(group));
    }
  }

  get texts(): readonly string[] {
    return this.#texts.values;
  }

  /** How much there is in lists that only grow. */
  get weight(): number {
    return this.#texts.weight;
  }

  /** Makes a text printable, and returns its index. */
  text(text: string): Text {
    return this.#texts.place(printable(text));
  }

  /** Returns the number of a target; -1 for one that is not in the topology. */
  node({ locator }: { readonly locator: string }): NodeId | -1 {
    const id = this.#nodes.find(locator);
    return id !== undefined && this.targets[id] ? id : -1;
  }

  /** Returns the locator of a target. */
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
    for (const target of targets) this.targets[this.#nodes.place(target.locator)] = this.#targetRow(target);
    for (const { locator, object, linksTo } of targets) {
      this.#objects[this.#nodes.place(locator)] = this.#nodes.place(object.locator);
      this.links[this.#nodes.place(locator)] =
        linksTo.length === 0 ? 0 : linksTo.map((it) => this.#nodes.place(it.locator));
    }
  }

  /** Removes a target, and returns its number, which stays its own in case that it comes back. */
  removeTarget(locator: string): NodeId {
    const id = this.#nodes.place(locator);
    this.targets[id] = null;
    this.links[id] = 0;
    return id;
  }

  #targetRow({ ref, section, sections }: TargetNode): TargetRow {
    if (section !== undefined) return this.text(ref.section ?? '');
    const row: ObjectRow = [...this.rowOf(ref), ...sections.map((it) => this.#nodes.place(it.locator))];
    return row;
  }
}
