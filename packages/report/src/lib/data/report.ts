import type { BelowRow, ContextRow, NodeId, PolicyId, ReportData, Text } from './report-data.ts';

/** A target as the page shows it. */
export interface ReportNode {
  readonly id: NodeId;
  readonly kind: string;
  /** Kind, namespace, name and section: `HTTPRoute shop/cart#pay`. */
  readonly label: string;
  /** The label without the kind; of a section, its own name. */
  readonly name: string;
  readonly namespace: string | undefined;
  /** The object of a section; the target itself if it is an object. */
  readonly object: NodeId;
  readonly sections: readonly NodeId[];
  readonly up: readonly NodeId[];
  readonly down: readonly NodeId[];
  /** The policies that are attached to the target. */
  readonly policies: readonly PolicyId[];
}

/** A policy as the page shows it. */
export interface ReportPolicy {
  readonly id: PolicyId;
  readonly kind: string;
  /** Kind, namespace and name. */
  readonly label: string;
  /** Namespace and name. */
  readonly name: string;
  readonly outcome: string;
  readonly message: string;
  readonly targets: readonly NodeId[];
}

/** The data of a page, with its rows resolved. */
export class Report {
  readonly data: ReportData;
  /** The targets, sections after their object. */
  readonly nodes: readonly ReportNode[];
  /** The policies, by kind and name. */
  readonly policies: readonly ReportPolicy[];
  readonly #nodes: readonly (ReportNode | undefined)[];
  readonly #policies: readonly (ReportPolicy | undefined)[];

  constructor(data: ReportData) {
    this.data = data;
    this.#policies = data.policies.map((row, id): ReportPolicy | undefined => {
      if (row === null) return undefined;
      const [kind, namespace, name, outcome, message, targets] = row;
      const full = this.#nameOf(namespace, name);
      const label = `${this.text(kind)} ${full}`;
      const [what, why] = [this.text(outcome), this.text(message)];
      return { id, kind: this.text(kind), label, name: full, outcome: what, message: why, targets };
    });
    this.policies = this.#policies.filter((it) => it !== undefined).sort((a, b) => compare(a.label, b.label));
    this.#nodes = this.#readNodes();
    const objects = this.#nodes.filter((it) => it !== undefined && it.object === it.id);
    this.nodes = objects.flatMap((it) => (it === undefined ? [] : [it, ...it.sections.map((id) => this.node(id))]));
  }

  /** Returns a text by its index. */
  text(place: Text): string {
    return this.data.texts[place] ?? '';
  }

  /** Returns a target by its number. */
  node(id: NodeId): ReportNode {
    const node = this.#nodes[id];
    if (node === undefined) throw new RangeError(`There is no target ${id}`);
    return node;
  }

  /** Returns a policy by its number. */
  policy(id: PolicyId): ReportPolicy {
    const policy = this.#policies[id];
    if (policy === undefined) throw new RangeError(`There is no policy ${id}`);
    return policy;
  }

  /** Returns the contexts of a target in a view; none if no policy of the view reaches it. */
  contextsOf(view: number, node: NodeId): readonly ContextRow[] {
    const { contexts, lists } = this.data.views[view] ?? {};
    return lists?.[contexts?.[node] ?? -1] ?? [];
  }

  /** Returns the targets in a view that have contexts. */
  targetsOf(view: number): Iterable<NodeId> {
    const { contexts = [] } = this.data.views[view] ?? {};
    return contexts.flatMap((list, id) => (list < 0 ? [] : id));
  }

  /** Returns how many contexts of each group are below a target that is no effective target of the view. */
  belowOf(view: number, node: NodeId): ReadonlyMap<number, number> {
    return new Map(countsIn(this.data.views[view]?.below[node]));
  }

  /** Returns the targets of a way, the first one first. */
  wayOf(way: number): readonly NodeId[] {
    const nodes: NodeId[] = [];
    for (let at = way; at >= 0; ) {
      const [before, node] = this.data.ways[at] ?? [-1, -1];
      if (node >= 0) nodes.push(node);
      at = before;
    }
    return nodes.reverse();
  }

  #nameOf(namespace: Text | -1, name: string): string {
    return namespace === -1 ? name : `${this.text(namespace)}/${name}`;
  }

  #readNodes(): readonly (ReportNode | undefined)[] {
    const { targets, links } = this.data;
    const lists = () => targets.map((): number[] => []);
    const [up, policies] = [lists(), lists()];
    for (const [from, ends] of links.entries()) for (const end of ends === 0 ? [] : ends) up[end]?.push(from);
    for (const { id, targets: some } of this.policies) for (const target of some) policies[target]?.push(id);
    const nodes = targets.map((): ReportNode | undefined => undefined);
    for (const [object, row] of targets.entries()) {
      if (row === null || typeof row === 'number') continue;
      const [kind, place, own, ...sections] = row;
      const namespace = place === -1 ? undefined : this.text(place);
      const name = this.#nameOf(place, own);
      const label = `${this.text(kind)} ${name}`;
      const add = (id: NodeId, shown: Pick<ReportNode, 'label' | 'name' | 'sections'>): void => {
        const ends = { up: up[id] ?? [], down: links[id] || [], policies: policies[id] ?? [] };
        nodes[id] = { id, kind: this.text(kind), namespace, object, ...shown, ...ends };
      };
      add(object, { label, name, sections });
      for (const id of sections) {
        const section = this.text(Number(targets[id]));
        add(id, { label: `${label}#${section}`, name: section, sections: [] });
      }
    }
    return nodes;
  }
}

/** Returns the groups of a row, each with its count. */
export function countsIn(row: BelowRow | 0 | undefined): readonly (readonly [group: number, count: number])[] {
  return Object.entries(row || {}).map(([group, count]) => [Number(group), count]);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
