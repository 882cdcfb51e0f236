import { formatLocator, type Issue, namespaceOf } from '@policy-machinery/resource';
import { type KindIndex, kindIn } from './kinds.ts';
import { withoutCovered } from './position.ts';
import type { UnresolvedReference } from './snapshot.ts';
import { isSectionKind, type Reference, type TargetKind } from './target-kind.ts';
import { byLocator, type MutableTargetNode, type TargetNode } from './target-node.ts';

type Nodes = ReadonlyMap<string, MutableTargetNode>;

/** The index of a section within its resource, for the sections of one object. */
export type SectionIndexes = ReadonlyMap<MutableTargetNode, number>;

/** For each link, from above to beneath: one of the references that make it. */
export type LinkOrigins = ReadonlyMap<TargetNode, ReadonlyMap<TargetNode, LinkOrigin>>;

/** The reference that made a link. */
export interface LinkOrigin {
  /** What holds the reference. */
  readonly from: TargetNode;
  readonly pointer: string;
}

/**
 * Resolves the references of all targets through the index of locators and links what they lead to.
 *
 * @returns The references that lead nowhere, and one that made each link.
 */
export function linkTargets(
  nodes: Nodes,
  kinds: KindIndex<TargetKind>,
  indexes: SectionIndexes,
  report: (issue: Issue) => void,
): { readonly unresolved: readonly UnresolvedReference[]; readonly origins: LinkOrigins } {
  const unresolved: UnresolvedReference[] = [];
  const links = new Map<MutableTargetNode, Map<MutableTargetNode, LinkOrigin>>();
  for (const node of nodes.values()) {
    for (const { reference, missing, ends } of resolvedReferences(node, indexes, nodes, kinds, report)) {
      if (missing !== undefined) unresolved.push({ from: node, reference, missing });
      for (const end of ends) {
        const [above, beneath] = reference.direction === 'up' ? [end, node] : [node, end];
        const beneathIt = links.get(above) ?? new Map();
        if (!beneathIt.has(beneath)) beneathIt.set(beneath, { from: node, pointer: reference.pointer });
        links.set(above, beneathIt);
      }
    }
  }
  for (const [above, beneath] of links) {
    for (const node of withoutCovered(new Set(beneath.keys()))) {
      above.linksTo.push(node);
      node.linksFrom.push(above);
    }
  }
  for (const node of nodes.values()) {
    node.linksTo.sort(byLocator);
    node.linksFrom.sort(byLocator);
  }
  return { unresolved, origins: links };
}

interface ResolvedReference {
  readonly reference: Reference;
  /** What the reference leads to. */
  readonly ends: readonly MutableTargetNode[];
  /** Locator of what it leads to in vain. */
  readonly missing?: string;
}

function resolvedReferences(
  node: MutableTargetNode,
  indexes: SectionIndexes,
  nodes: Nodes,
  kinds: KindIndex<TargetKind>,
  report: (issue: Issue) => void,
): readonly ResolvedReference[] {
  const { kind, resource, section } = node;
  return readSafely(node.locator, report, () => {
    const references = isSectionKind(kind)
      ? kind.references({ index: indexes.get(node) ?? 0, value: section?.value ?? {} }, resource)
      : kind.references(resource);
    return [...references].map((reference) => ({ reference, ...resolve(node, reference, nodes, kinds) }));
  });
}

/** A kind's functions read resources that may be malformed: what one of them throws costs only its own resource. */
export function readSafely<Item>(
  locator: string,
  report: (issue: Issue) => void,
  read: () => readonly Item[],
): readonly Item[] {
  try {
    return read();
  } catch (error) {
    const message = `cannot be read: ${error instanceof Error ? error.message : String(error)}; correct the resource`;
    report({ code: 'unreadable-resource', severity: 'error', message, resource: locator, pointer: '' });
    return [];
  }
}

function resolve(
  from: MutableTargetNode,
  { to, toSections }: Reference,
  nodes: Nodes,
  kinds: KindIndex<TargetKind>,
): Omit<ResolvedReference, 'reference'> {
  const kind = kindIn(kinds, to);
  const namespace = to.namespace ?? namespaceOf(from.resource);
  const locator = formatLocator({
    group: to.group,
    kind: to.kind,
    name: to.name,
    ...(kind?.scope === 'Cluster' ? {} : { namespace }),
  });
  const object = kind === undefined ? undefined : nodes.get(locator);
  if (object === undefined) return { missing: locator, ends: [] };
  if (toSections === undefined) return { ends: [object] };
  const ends = object.sections.filter(({ section }) => section !== undefined && toSections(section));
  return ends.length > 0 ? { ends } : { missing: `${locator}#?`, ends };
}
