import { formatLocator, formatPointer, groupKindKey, type Issue, namespaceOf } from '@policy-machinery/resource';
import type { UnresolvedReference } from './snapshot.ts';
import { isSectionKind, type Reference, type TargetKind } from './target-kind.ts';
import { byLocator, type MutableTargetNode } from './target-node.ts';

type Nodes = ReadonlyMap<string, MutableTargetNode>;

/** The index of a section within its resource, for the sections of one object. */
export type SectionIndexes = ReadonlyMap<MutableTargetNode, number>;

/**
 * Resolves the references of all targets through the index of locators and links what they lead to.
 *
 * @returns The references that lead nowhere.
 */
export function linkTargets(
  nodes: Nodes,
  kinds: ReadonlyMap<string, TargetKind>,
  indexes: SectionIndexes,
  report: (issue: Issue) => void,
): readonly UnresolvedReference[] {
  const unresolved: UnresolvedReference[] = [];
  const links = new Map<MutableTargetNode, Set<MutableTargetNode>>();
  for (const node of nodes.values()) {
    for (const reference of referencesOf(node, indexes, report)) {
      const { missing, ends } = resolve(node, reference, nodes, kinds);
      if (missing !== undefined) unresolved.push({ from: node, reference, missing });
      for (const end of ends) {
        const [above, beneath] = reference.direction === 'up' ? [end, node] : [node, end];
        const beneathIt = links.get(above) ?? new Set();
        links.set(above, beneathIt.add(beneath));
      }
    }
  }
  for (const [above, beneath] of links) {
    for (const node of beneath) {
      if (node.object !== node && beneath.has(node.object)) continue; // The link to the whole covers its sections.
      above.linksTo.push(node);
      node.linksFrom.push(above);
    }
  }
  for (const node of nodes.values()) {
    node.linksTo.sort(byLocator);
    node.linksFrom.sort(byLocator);
  }
  return unresolved;
}

function referencesOf(
  node: MutableTargetNode,
  indexes: SectionIndexes,
  report: (issue: Issue) => void,
): readonly Reference[] {
  const { kind, resource, section } = node;
  return readSafely(node.locator, report, () => {
    if (!isSectionKind(kind)) return [...kind.references(resource)];
    const value = section?.value ?? {};
    return [...kind.references({ index: indexes.get(node) ?? 0, value }, resource)];
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
    report({ code: 'unreadable-resource', severity: 'error', message, resource: locator, pointer: formatPointer([]) });
    return [];
  }
}

function resolve(
  from: MutableTargetNode,
  { to, toSections }: Reference,
  nodes: Nodes,
  kinds: ReadonlyMap<string, TargetKind>,
): { missing?: string; ends: readonly MutableTargetNode[] } {
  const kind = kinds.get(groupKindKey(to));
  const namespace = to.namespace ?? namespaceOf(from.resource);
  const locator = formatLocator({
    group: to.group,
    kind: to.kind,
    name: to.name,
    ...(kind?.scope === 'Cluster' ? {} : { namespace }),
  });
  const object = nodes.get(locator);
  if (object === undefined) return { missing: locator, ends: [] };
  if (toSections === undefined) return { ends: [object] };
  const ends = object.sections.filter(({ section }) => section !== undefined && toSections(section));
  return ends.length > 0 ? { ends } : { missing: `${locator}#?`, ends };
}
