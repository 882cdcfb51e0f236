// drawing/: takes a topology, returns it as a graphology graph, as DOT or as Mermaid. Elements are the nodes and edges that all of these show, by
// locator.

import { type KubernetesObject, refOf } from '@policy-machinery/resource';
import type { Topology } from '../model/topology.ts';
import { getOrInsert } from '../support/get-or-insert.ts';

/** The attributes of a node of the graph. */
export interface NodeAttributes {
  readonly type: 'object' | 'section' | 'policy';
  readonly kind: string;
  /** The namespace, name and section: `prod/checkout#rule-1`. */
  readonly label: string;
  readonly namespace?: string;
  readonly resource: KubernetesObject;
}

/** The attributes of an edge of the graph: a link, an object's section, or a policy's target. */
export interface EdgeAttributes {
  readonly type: 'link' | 'contains' | 'attaches';
}

/** An edge by locators, from above to below, or from a policy to its target. */
export interface Edge extends EdgeAttributes {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the targets, policies, links, containment and attachments of a topology: nodes by locator, and at most one edge from a node to another.
 * O(targets + links).
 */
export function elementsOf(topology: Topology): {
  readonly nodes: ReadonlyMap<string, NodeAttributes>;
  readonly edges: readonly Edge[];
} {
  const nodes = new Map<string, NodeAttributes>();
  for (const { locator, ref, resource, section } of topology.targets) {
    const type = section === undefined ? 'object' : 'section';
    nodes.set(locator, { type, kind: ref.kind, label: labelOf(locator), resource, ...namespaceIn(ref) });
  }
  const policies = topology.policies();
  for (const { locator, resource, kind } of policies) {
    const attributes = { type: 'policy', kind: resource.kind, label: labelOf(locator), resource } as const;
    // A policy may be a target as well.
    nodes.set(locator, { ...nodes.get(locator), ...attributes, ...namespaceIn(refOf(resource, kind.scope)) });
  }
  return { nodes, edges: edgesOf(topology) };
}

function edgesOf(topology: Topology): readonly Edge[] {
  const ends = new Map<string, Map<string, Edge['type']>>();
  const connect = (from: string, to: { readonly locator: string }, type: Edge['type']): void => {
    const types = getOrInsert(ends, from, () => new Map<string, Edge['type']>());
    if (!types.has(to.locator)) types.set(to.locator, type); // A policy may name one target in two ways.
  };
  for (const { locator, section, sections, linksTo, namespace, containers } of topology.targets) {
    const around = section === undefined ? containers.filter((it) => it !== namespace) : [];
    for (const container of around) connect(container.locator, { locator }, 'contains');
    for (const section of sections) connect(locator, section, 'contains');
    for (const child of linksTo) connect(locator, child, 'link');
  }
  for (const { locator, attachments } of topology.policies()) {
    for (const { target } of attachments) if (target !== undefined) connect(locator, target, 'attaches');
  }
  return [...ends].flatMap(([from, its]) => Array.from(its, ([to, type]) => ({ from, to, type })));
}

function namespaceIn({ namespace }: { readonly namespace?: string }): { readonly namespace?: string } {
  return namespace === undefined ? {} : { namespace };
}

/** Returns a locator without its kind. */
function labelOf(locator: string): string {
  return locator.slice(locator.indexOf(':') + 1);
}
