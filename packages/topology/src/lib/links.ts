import type { Issue } from '@policy-machinery/resource';
import { breakLoops, loopWarnings, type MutableLinks } from './break-loops.ts';
import type { Lookup } from './lookup.ts';
import { withoutCovered } from './position.ts';
import type { Reference } from './reference.ts';
import { refusalIssue } from './refusal-issue.ts';
import { type Resolution, resolveReference } from './resolve.ts';
import type { RefusedReference, UnresolvedReference } from './snapshot.ts';
import { isSectionKind } from './target-kind.ts';
import { byLocator, type MutableTargetNode, type TargetNode } from './target-node.ts';

type Nodes = ReadonlyMap<string, MutableTargetNode>;

/** The index of a section within its resource, for the sections of one object. */
export type SectionIndexes = ReadonlyMap<MutableTargetNode, number>;

/** For each link, from above to beneath: the references that make it. */
export type LinkOrigins = ReadonlyMap<TargetNode, ReadonlyMap<TargetNode, readonly LinkOrigin[]>>;

/** A reference that makes a link. */
export interface LinkOrigin {
  /** What holds the reference. */
  readonly from: TargetNode;
  readonly reference: Reference;
}

/** What became of all references. */
export interface Links {
  readonly unresolved: readonly UnresolvedReference[];
  readonly refused: readonly RefusedReference[];
  readonly origins: LinkOrigins;
}

/** Resolves the references of all targets and links what they lead to. */
export function linkTargets(
  nodes: Nodes,
  lookup: Lookup,
  indexes: SectionIndexes,
  report: (issue: Issue) => void,
): Links {
  const unresolved: UnresolvedReference[] = [];
  const refused: RefusedReference[] = [];
  const links: MutableLinks = new Map();
  for (const from of nodes.values()) {
    for (const { reference, missing, refusals, ends } of resolvedReferences(from, indexes, lookup, report)) {
      if (missing !== undefined) unresolved.push({ from, reference, missing });
      for (const refusal of refusals) refused.push({ from, reference, ...refusal });
      if (ends.length === 0 && refusals.length > 0) report(refusalIssue(from, reference, refusals));
      for (const end of ends) {
        const [above, beneath] = reference.direction === 'up' ? [end, from] : [from, end];
        const beneathIt = links.get(above) ?? new Map<MutableTargetNode, LinkOrigin[]>();
        links.set(above, beneathIt);
        beneathIt.set(beneath, [...(beneathIt.get(beneath) ?? []), { from, reference }]);
      }
    }
  }
  const all = [...nodes.values()];
  connect(all, links);
  const dropped = breakLoops(all, links, connect);
  for (const reference of dropped) refused.push(reference);
  loopWarnings(dropped).forEach(report);
  return { unresolved, refused, origins: links };
}

/** Links nodes anew. */
function connect(nodes: readonly MutableTargetNode[], links: MutableLinks): void {
  for (const node of nodes) for (const ends of [node.linksTo, node.linksFrom]) ends.length = 0;
  for (const [above, beneath] of links) {
    for (const node of withoutCovered(new Set(beneath.keys()))) {
      above.linksTo.push(node);
      node.linksFrom.push(above);
    }
  }
  for (const node of nodes) for (const ends of [node.linksTo, node.linksFrom]) ends.sort(byLocator);
}

type ResolvedReference = Resolution & { readonly reference: Reference };

function resolvedReferences(
  node: MutableTargetNode,
  indexes: SectionIndexes,
  lookup: Lookup,
  report: (issue: Issue) => void,
): readonly ResolvedReference[] {
  const { kind, resource, section } = node;
  return readSafely(node.locator, report, () => {
    const references = isSectionKind(kind)
      ? kind.references({ index: indexes.get(node) ?? 0, value: section?.value ?? {} }, resource)
      : kind.references(resource);
    return [...references].map((reference) => ({ reference, ...resolveReference(node, reference, lookup) }));
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
