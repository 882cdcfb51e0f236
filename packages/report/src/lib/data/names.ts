import { type GroupKind, printable, type ResourceRef } from '@policy-machinery/resource';
import type { PolicyNode, TargetNode, Topology } from '@policy-machinery/topology';
import { Interned } from './interned.ts';
import type { NodeId, ObjectRow, PolicyId, Text } from './report-data.ts';

/** The texts, targets and policies of a page, by their numbers. */
export class Names {
  readonly #texts = new Interned<string>();
  readonly #nodes = new Map<string, NodeId>();
  readonly #policies = new Map<string, PolicyId>();
  readonly #groups = new Map<string, Set<string>>();
  /** The targets in the order of their numbers. */
  readonly targets: readonly TargetNode[];
  readonly policies: readonly PolicyNode[];

  constructor(topology: Topology) {
    this.targets = [...topology.targets];
    this.policies = topology.policies();
    for (const [id, { locator }] of this.targets.entries()) this.#nodes.set(locator, id);
    for (const [id, { locator }] of this.policies.entries()) this.#policies.set(locator, id);
    for (const { group, kind } of [...topology.targetKinds, ...topology.policyKinds]) {
      this.#groups.set(kind, (this.#groups.get(kind) ?? new Set()).add(group));
    }
  }

  get texts(): readonly string[] {
    return this.#texts.values;
  }

  /** Makes a text printable, and returns its index. */
  text(text: string): Text {
    return this.#texts.place(printable(text));
  }

  /** Returns the number of a target; -1 for one that is not in the topology. */
  node({ locator }: { readonly locator: string }): NodeId | -1 {
    return this.#nodes.get(locator) ?? -1;
  }

  /** Returns the number of a policy; -1 for one that is not in the topology, such as a target's own value. */
  policy({ locator }: { readonly locator: string }): PolicyId | -1 {
    return this.#policies.get(locator) ?? -1;
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

  /** The objects with their sections. */
  get objects(): readonly ObjectRow[] {
    return this.targets
      .filter(({ section }) => section === undefined)
      .map(({ ref, sections }): ObjectRow => {
        const row = this.rowOf(ref);
        return sections.length === 0 ? row : [...row, sections.map((it) => this.text(it.ref.section ?? ''))];
      });
  }

  /** The links of all targets, as in {@link ReportData.links}. */
  get links(): readonly number[] {
    const links: number[] = [];
    let last = -1;
    for (const [id, { linksTo }] of this.targets.entries()) {
      if (linksTo.length === 0) continue;
      links.push(last - id, ...linksTo.map((it) => this.node(it)));
      last = id;
    }
    return links;
  }
}
