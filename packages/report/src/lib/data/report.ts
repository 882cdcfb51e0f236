import type { BelowRow, ContextRow, NodeId, PolicyId, PolicyRow, ReportData, Text } from './report-data.ts';
import { TargetIndex } from './target-index.ts';

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

/** The data of a page, with its rows resolved: targets when they are first asked for. */
export class Report {
  readonly data: ReportData;
  /** The policies, by kind and name. */
  readonly policies: readonly ReportPolicy[];
  readonly #index: TargetIndex;
  readonly #policies: readonly (ReportPolicy | undefined)[];
  /** The policies with their computed outcomes. */
  readonly #computed: ReportPolicy[] = [];
  readonly #nodes = new Map<NodeId, ReportNode>();
  #all: readonly ReportNode[] | undefined;
  #attached: ReadonlyMap<NodeId, readonly PolicyId[]> | undefined;

  /** @param previousReport The report before a change: equal parts are not read again. */
  constructor(data: ReportData, previousReport?: Report) {
    this.data = data;
    this.#index = previousReport === undefined ? new TargetIndex(data) : previousReport.#index.for(data);
    const outcomes = new Map(data.outcomes?.map(([id, ...outcome]) => [id, outcome]));
    this.#policies = data.policies.map((row, id) => {
      if (row === null) return undefined;
      const isSame = previousReport !== undefined && previousReport.data.policies[id] === row;
      const policy = (isSame ? previousReport.#computed[id] : undefined) ?? this.#policyOf(row, id);
      this.#computed[id] = policy;
      const [outcome, message] = outcomes.get(id) ?? [];
      if (outcome === undefined || message === undefined) return policy;
      return { ...policy, outcome: this.text(outcome), message: this.text(message) };
    });
    this.policies = this.#policies.filter((it) => it !== undefined).sort((a, b) => compare(a.label, b.label));
  }

  /** The targets, sections after their object. */
  get nodes(): readonly ReportNode[] {
    this.#all ??= this.objects.flatMap((id) => [id, ...this.node(id).sections].map((it) => this.node(it)));
    return this.#all;
  }

  /** The targets that are objects. */
  get objects(): readonly NodeId[] {
    return this.#index.objects;
  }

  kindOf(id: NodeId): string {
    const row = this.data.targets[this.#index.objectOf(id) ?? -1];
    return typeof row === 'object' && row !== null ? this.text(row[0]) : '';
  }

  /** Returns a text by its index. */
  text(place: Text): string {
    return this.data.texts[place] ?? '';
  }

  /** Returns a target by its number. */
  node(id: NodeId): ReportNode {
    const existingNode = this.#nodes.get(id);
    if (existingNode !== undefined) return existingNode;
    const node = this.#nodeOf(id);
    this.#nodes.set(id, node);
    return node;
  }

  policy(id: PolicyId): ReportPolicy {
    const policy = this.#policies[id];
    if (policy === undefined) throw new RangeError(`The policy ${id} does not exist`);
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

  /** Returns how many contexts of each group are below a target that is not an effective target of the view. */
  belowOf(view: number, node: NodeId): ReadonlyMap<number, number> {
    return new Map(countsIn(this.data.views[view]?.below[node]));
  }

  /** Returns the targets of a way, the first one first. */
  wayOf(way: number): readonly NodeId[] {
    const nodes: NodeId[] = [];
    for (let wayIndex = way; wayIndex >= 0; ) {
      const [previousWay, node] = this.data.ways[wayIndex] ?? [-1, -1];
      if (node >= 0) nodes.push(node);
      wayIndex = previousWay;
    }
    return nodes.reverse();
  }

  #nameOf(namespace: Text | -1, name: string): string {
    return namespace === -1 ? name : `${this.text(namespace)}/${name}`;
  }

  #policyOf([kind, namespace, name, outcome, message, targets]: PolicyRow, id: PolicyId): ReportPolicy {
    const full = this.#nameOf(namespace, name);
    const label = `${this.text(kind)} ${full}`;
    const [what, why] = [this.text(outcome), this.text(message)];
    return { id, kind: this.text(kind), label, name: full, outcome: what, message: why, targets };
  }

  #nodeOf(id: NodeId): ReportNode {
    const object = this.#index.objectOf(id) ?? -1;
    const row = this.data.targets[object];
    if (typeof row !== 'object' || row === null) throw new RangeError(`The target ${id} does not exist`);
    const [kindText, place, ownName, ...sections] = row;
    const kind = this.text(kindText);
    const namespace = place === -1 ? undefined : this.text(place);
    const name = this.#nameOf(place, ownName);
    const ends = { up: this.#index.upFrom(id), down: this.data.links[id] || [], policies: this.#policiesAt(id) };
    if (id === object) return { id, kind, label: `${kind} ${name}`, name, namespace, object, sections, ...ends };
    const section = this.text(Number(this.data.targets[id]));
    return { id, kind, label: `${kind} ${name}#${section}`, name: section, namespace, object, sections: [], ...ends };
  }

  #policiesAt(id: NodeId): readonly PolicyId[] {
    this.#attached ??= this.#findAttached();
    return this.#attached.get(id) ?? [];
  }

  #findAttached(): ReadonlyMap<NodeId, readonly PolicyId[]> {
    const attached = new Map<NodeId, PolicyId[]>();
    for (const { id, targets } of this.policies) {
      for (const target of targets) {
        const attachedPolicies = attached.get(target);
        if (attachedPolicies === undefined) attached.set(target, [id]);
        else attachedPolicies.push(id);
      }
    }
    return attached;
  }
}

export function countsIn(row: BelowRow | 0 | undefined): readonly (readonly [group: number, count: number])[] {
  return Object.entries(row || {}).map(([group, count]) => [Number(group), count]);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
