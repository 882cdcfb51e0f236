import { type KubernetesObject, refOf } from '@policy-machinery/resource';
import { DirectedGraph } from 'graphology';
import type { PolicyNode } from './attachment.ts';
import type { TargetNode } from './target-node.ts';

/** What a node of the graph is. */
export interface NodeAttributes {
  readonly type: 'object' | 'section' | 'policy';
  readonly kind: string;
  /** Namespace, name and section: `prod/checkout#rule-1`. */
  readonly label: string;
  readonly namespace?: string;
  readonly resource: KubernetesObject;
}

/** What an edge of the graph is: a link, an object's section, or a policy's target. */
export interface EdgeAttributes {
  readonly type: 'link' | 'contains' | 'attaches';
}

/** A new graph of targets and policies; edges point downwards, and from a policy to its target. */
export function graphOf(
  targets: readonly TargetNode[],
  policies: readonly PolicyNode[],
): DirectedGraph<NodeAttributes, EdgeAttributes> {
  const graph = new DirectedGraph<NodeAttributes, EdgeAttributes>();
  for (const { locator, ref, resource, section } of targets) {
    const type = section === undefined ? 'object' : 'section';
    const { namespace } = ref;
    const label = labelOf(locator);
    graph.addNode(locator, {
      type,
      kind: ref.kind,
      label,
      resource,
      ...(namespace === undefined ? {} : { namespace }),
    });
  }
  for (const { locator, resource, kind } of policies) {
    const { namespace } = refOf(resource, kind.scope);
    const attributes = { type: 'policy', kind: resource.kind, label: labelOf(locator), resource } as const;
    // It may be a target as well.
    graph.mergeNode(locator, { ...attributes, ...(namespace === undefined ? {} : { namespace }) });
  }
  const connect = (from: string, to: string, type: EdgeAttributes['type']): void => {
    if (graph.hasEdge(from, to)) return; // A policy may name one target in two ways.
    graph.addEdgeWithKey(JSON.stringify([from, to]), from, to, { type });
  };
  for (const node of targets) {
    for (const section of node.sections) connect(node.locator, section.locator, 'contains');
    for (const child of node.linksTo) connect(node.locator, child.locator, 'link');
  }
  for (const { locator, attachments } of policies) {
    for (const { target } of attachments) if (target !== undefined) connect(locator, target.locator, 'attaches');
  }
  return graph;
}

/** A locator without its kind. */
function labelOf(locator: string): string {
  return locator.slice(locator.indexOf(':') + 1);
}
