import type { KubernetesObject } from '@policy-machinery/resource';
import type { Attachment, PolicyNode, Position, TargetNode, Topology } from '@policy-machinery/topology';
import { graphOf } from '@policy-machinery/topology/graph';
import { describeTargetable, positionsBefore } from '@policy-machinery/topology/inner';

/** Returns all that users can observe of a topology, as plain data: of equal topologies, it is equal. */
export function observedTopology(topology: Topology) {
  const name = namesIn(topology);
  const target = (node: TargetNode) => ({
    locator: name(node),
    ref: node.ref,
    kind: describeTargetable(node.kind),
    resource: node.resource,
    section: node.section,
    object: name(node.object),
    sections: node.sections.map(name),
    namespace: node.namespace === undefined ? undefined : name(node.namespace),
    containers: node.containers.map(name),
    members: [...topology.membersOf(node)].map(name).sort(),
    linksFrom: node.linksFrom.map(name),
    linksTo: node.linksTo.map(name),
    policies: topology.policiesAt(node).map(policyName(topology)),
  });
  const attachment = ({ target, ...rest }: Attachment) => ({
    ...rest,
    target: target === undefined ? undefined : name(target),
  });
  const policy = (node: PolicyNode) => ({
    locator: policyName(topology)(node),
    kind: node.kind.kind,
    resource: node.resource,
    attachments: node.attachments.map(attachment),
  });
  const graph = graphOf(topology);
  return {
    targets: [...topology.targets].map(target),
    policies: topology.policies().map(policy),
    roots: topology.roots.map(name),
    unresolved: topology.unresolved.map(({ from, reference: { direction, pointer }, missing }) => {
      return { from: name(from), direction, pointer, missing };
    }),
    refused: topology.refused.map(({ from, reference: { direction, pointer }, ...refusal }) => {
      return { from: name(from), direction, pointer, ...refusal };
    }),
    issues: topology.issues,
    positions: topology.positions.map(positionName(name)).sort(),
    outOfOrder: outOfOrder(topology).map(positionName(name)),
    graph: {
      nodes: graph.nodes().sort(),
      edges: graph.mapEdges((_, { type }, from, to) => `${type}: ${from} > ${to}`).sort(),
    },
  };
}

/** Returns the locator of a node; that of one which is not the topology's own says so. */
export function namesIn(topology: Topology): (node: TargetNode) => string {
  return (node) => (topology.get(node.locator) === node ? node.locator : `${node.locator}, as it was before`);
}

function policyName(topology: Topology): (node: PolicyNode) => string {
  return (node) => (topology.policy(node.locator) === node ? node.locator : `${node.locator}, as it was before`);
}

function positionName(name: (node: TargetNode) => string): (position: Position) => string {
  return ({ node, entered }) => `${name(node)}${entered ? '' : ', from its object'}`;
}

/** Returns the positions that come before one which leads to them. */
function outOfOrder({ positions }: Topology): readonly Position[] {
  const keyOf = ({ node, entered }: Position): string => `${node.locator} ${entered}`;
  const places = new Map(positions.map((position, index) => [keyOf(position), index]));
  return positions.filter((position, index) =>
    [...positionsBefore(position)].some((before) => (places.get(keyOf(before)) ?? -1) > index),
  );
}

/** What of a node counts as a change of it. */
interface Signature {
  readonly resources: readonly KubernetesObject[];
  readonly links: string;
}

function attachmentText({ outcome, target, message, declared }: Attachment): string {
  return [outcome, target?.locator, message, declared.pointer].join(' ');
}

/** What a delta is about: the nodes of a topology as they are at this moment. */
export type Nodes = ReadonlyMap<string, Signature>;

/** Records the nodes of a topology, independent of later changes. */
export function nodesOf(topology: Topology): Nodes {
  const nodes = new Map<string, Signature>();
  const locators = (list: readonly { readonly locator: string }[]) => list.map(({ locator }) => locator).join(' ');
  for (const node of topology.targets) {
    const lists = [node.linksFrom, node.linksTo, node.containers, topology.policiesAt(node)];
    nodes.set(node.locator, { resources: [node.resource], links: lists.map(locators).join('|') });
  }
  for (const { locator, resource, attachments } of topology.policies()) {
    const asTarget = nodes.get(locator);
    const links = attachments.map(attachmentText).join('|');
    const resources = [resource, ...(asTarget?.resources ?? [])];
    nodes.set(locator, { resources, links: `${links}|${asTarget?.links}` });
  }
  return nodes;
}

/** What is different between two moments of a topology, found by looking at everything. */
export function deltaBetween(before: Nodes, after: Nodes) {
  const locators = [...new Set([...before.keys(), ...after.keys()])].sort();
  return {
    added: locators.filter((it) => !before.has(it)),
    removed: locators.filter((it) => !after.has(it)),
    changed: locators.filter((it) => {
      const [was, is] = [before.get(it), after.get(it)];
      return was !== undefined && is !== undefined && !isSame(was, is);
    }),
  };
}

function isSame(a: Signature, b: Signature): boolean {
  return a.links === b.links && a.resources.every((resource, index) => resource === b.resources[index]);
}
