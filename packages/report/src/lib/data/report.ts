import type { ContextRow, NodeId, PolicyId, ReportData, Text } from './report-data.ts';
import { listsOf } from './runs.ts';

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
  readonly nodes: readonly ReportNode[];
  readonly policies: readonly ReportPolicy[];
  /** The list of contexts of each target, by view. */
  readonly #contexts: readonly ReadonlyMap<NodeId, number>[];
  readonly #below: readonly ReadonlyMap<NodeId, number>[];

  constructor(data: ReportData) {
    this.data = data;
    this.policies = data.policies.map(([kind, namespace, name, outcome, message, targets], id) => {
      const full = this.#nameOf(namespace, name);
      const label = `${this.text(kind)} ${full}`;
      const [what, why] = [this.text(outcome), this.text(message)];
      return { id, kind: this.text(kind), label, name: full, outcome: what, message: why, targets };
    });
    this.nodes = this.#readNodes();
    this.#contexts = data.views.map(({ contexts }) => listsOf(contexts));
    this.#below = data.views.map(({ below }) => listsOf(below));
  }

  /** Returns a text by its index. */
  text(place: Text): string {
    return this.data.texts[place] ?? '';
  }

  /** Returns a target by its number. */
  node(id: NodeId): ReportNode {
    const node = this.nodes[id];
    if (node === undefined) throw new RangeError(`There is no target ${id}`);
    return node;
  }

  /** Returns a policy by its number. */
  policy(id: PolicyId): ReportPolicy {
    const policy = this.policies[id];
    if (policy === undefined) throw new RangeError(`There is no policy ${id}`);
    return policy;
  }

  /** Returns the contexts of a target in a view; none if no policy of the view reaches it. */
  contextsOf(view: number, node: NodeId): readonly ContextRow[] {
    const list = this.#contexts[view]?.get(node);
    return (list !== undefined && this.data.views[view]?.lists[list]) || [];
  }

  /** Returns the targets in a view that have contexts. */
  targetsOf(view: number): Iterable<NodeId> {
    return this.#contexts[view]?.keys() ?? [];
  }

  /** Returns how many contexts of each group are below a target that is no effective target of the view. */
  belowOf(view: number, node: NodeId): ReadonlyMap<number, number> {
    const list = this.#below[view]?.get(node);
    const counts = (list !== undefined && this.data.views[view]?.belowLists[list]) || [];
    return new Map(counts.flatMap((group, at) => (at % 2 === 0 ? [[group, counts[at + 1] ?? 0] as const] : [])));
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

  #readNodes(): readonly ReportNode[] {
    const { objects } = this.data;
    const all = objects.flatMap(([kind, namespace, name, sections = []]) => {
      const full = this.#nameOf(namespace, name);
      const shared = { kind: this.text(kind), namespace: namespace === -1 ? undefined : this.text(namespace) };
      const label = `${shared.kind} ${full}`;
      const own = sections.map((section) => this.text(section));
      return [
        { ...shared, name: full, label, count: own.length },
        ...own.map((section) => ({ ...shared, name: section, label: `${label}#${section}`, count: -1 })),
      ];
    });
    const lists = () => all.map((): number[] => []);
    const [up, down, policies] = [lists(), lists(), lists()];
    let from = -1;
    for (const link of this.data.links) {
      if (link < 0) from -= link;
      else {
        down[from]?.push(link);
        up[link]?.push(from);
      }
    }
    for (const { id, targets } of this.policies) for (const target of targets) policies[target]?.push(id);
    let object = 0;
    return all.map(({ count, ...shown }, id): ReportNode => {
      if (count >= 0) object = id;
      const sections = count > 0 ? Array.from({ length: count }, (_, at) => id + 1 + at) : [];
      const links = { up: up[id] ?? [], down: down[id] ?? [], policies: policies[id] ?? [] };
      return { id, ...shown, object, sections, ...links };
    });
  }
}
