import type { Snapshot } from './snapshot.ts';

/** What a change did to a topology. All are locators, sorted. */
export interface TopologyDelta {
  /** Targets and policies that are new. */
  readonly added: readonly string[];
  /** Targets and policies that are gone. */
  readonly removed: readonly string[];
  /** Targets and policies whose resource, links, namespace or attachments have changed. */
  readonly changed: readonly string[];
  /** Resources of the change whose kind this topology does not know. */
  readonly ignored: readonly string[];
}

/** Compares two snapshots. O(targets + links + policies). */
export function deltaBetween(before: Snapshot, after: Snapshot, ignored: readonly string[]): TopologyDelta {
  const old = signatures(before);
  const now = signatures(after);
  const added: string[] = [];
  const changed: string[] = [];
  for (const [locator, { resource, links }] of now) {
    const was = old.get(locator);
    if (was === undefined) added.push(locator);
    else if (was.resource !== resource || was.links !== links) changed.push(locator);
  }
  const removed = [...old.keys()].filter((locator) => !now.has(locator));
  return { added: added.sort(), removed: removed.sort(), changed: changed.sort(), ignored };
}

interface Signature {
  readonly resource: unknown;
  readonly links: string;
}

function signatures({ targets, policies, attached }: Snapshot): Map<string, Signature> {
  const list = (nodes: readonly { readonly locator: string }[]): string =>
    nodes.map(({ locator }) => locator).join(' ');
  const map = new Map<string, Signature>();
  for (const [locator, node] of targets) {
    const links = [list(node.linksFrom), list(node.linksTo), node.namespace?.locator, list(attached.get(node) ?? [])];
    map.set(locator, { resource: node.resource, links: links.join('|') });
  }
  for (const [locator, { resource, attachments }] of policies) {
    const links = attachments.map(({ outcome, target }) => `${outcome} ${target?.locator}`).join('|');
    map.set(locator, { resource, links: `${links}|${map.get(locator)?.links}` }); // It may be a target as well.
  }
  return map;
}
