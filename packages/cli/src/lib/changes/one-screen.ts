import type { ResourceRef } from '@policy-machinery/resource';
import { groupedBy } from '@policy-machinery/resource/inner';
import type { Block, Section } from '../model/answer.ts';
import type { TargetChange } from './effective-changes.ts';

/** Effective policies that change in the same way. */
export interface ChangeGroup {
  readonly heading: string;
  readonly blocks: readonly Block[];
  readonly changes: readonly TargetChange[];
}

/** How many lines the changes of effective policies have together, with their headings, before the others are summed up. */
const maxLines = 20;

/** How many places a sum names; the others are counted. */
const maxPlaces = 5;

/**
 * Returns the first changes, as many as fit on a screen, and a sum of the others.
 *
 * @param groups The changes, in the order of their targets.
 * @returns A section for each group that is shown, and one that counts the others by policy kind, target kind and namespace.
 */
export function onOneScreen(groups: readonly ChangeGroup[]): readonly Section[] {
  let left = maxLines;
  const shown: Section[] = [];
  for (const { heading, blocks } of groups) {
    const lines = linesOf(blocks) + 2;
    if (shown.length > 0 && lines > left) break;
    shown.push({ heading, blocks: lines > left ? cut(blocks, left - 2) : blocks });
    left -= lines;
  }
  const others = groups.slice(shown.length).flatMap(({ changes }) => changes);
  return others.length === 0 ? shown : [...shown, sumOf(others)];
}

function linesOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + ('lines' in block ? block.lines : block.table.rows).length, 0);
}

/** Returns the first lines of some blocks, and how many there are besides. */
function cut(blocks: readonly Block[], lines: number): readonly Block[] {
  let left = lines;
  const shown = blocks.flatMap((block): readonly Block[] => {
    if (left <= 0) return [];
    const cutBlock =
      'lines' in block
        ? { ...block, lines: block.lines.slice(0, left) }
        : { ...block, table: { ...block.table, rows: block.table.rows.slice(0, left) } };
    left -= linesOf([block]);
    return [cutBlock];
  });
  return [...shown, { lines: [`and ${linesOf(blocks) - lines} more lines; -o json has all`], indent: 4 }];
}

/** Sums up changes: how many effective policies of each kind change, by the kind and namespace of their targets. */
function sumOf(changes: readonly TargetChange[]): Section {
  const byKind = groupedBy(changes, ({ view }) => view.found.kind.kind);
  const lines = [...byKind].map(([kind, some]) => `${kind} of ${placesOf(some.map(({ target }) => target.ref))}`);
  const rest = lines.slice(maxPlaces).length;
  const more = rest === 0 ? [] : [`and ${rest} more kinds`];
  return {
    heading: `${changes.length} more effective policies, which -o json has`,
    blocks: [{ lines: [...lines.slice(0, maxPlaces), ...more], indent: 2 }],
  };
}

/**
 * Returns the first rows of a table as a block, and a line that sums up the others.
 *
 * @param items The subjects of the rows.
 * @param count How many are shown.
 * @param blockOf Returns the block for the items that are shown.
 */
export function firstRows<Item>(
  items: readonly Item[],
  count: number,
  refOf: (item: Item) => Pick<ResourceRef, 'kind' | 'namespace'>,
  blockOf: (shown: readonly Item[]) => Block,
): readonly Block[] {
  const block = blockOf(items.slice(0, count));
  const rest = items.slice(count);
  if (rest.length === 0) return [block];
  return [
    block,
    { lines: [`and ${rest.length} more: ${placesOf(rest.map(refOf))}; -o json has all`], indent: block.indent ?? 0 },
  ];
}

/** Counts objects by kind and namespace: `40 HTTPRoute in shop, 3 Gateway in infra`. */
export function placesOf(refs: readonly Pick<ResourceRef, 'kind' | 'namespace'>[], what = ''): string {
  const counts = new Map<string, number>();
  for (const { kind, namespace } of refs) {
    const place = `${kind}${namespace === undefined ? '' : ` in ${namespace}`}`;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const named = sorted.slice(0, maxPlaces).map(([place, count]) => `${count} ${what}${place}`);
  const others = sorted.slice(maxPlaces).reduce((sum, [, count]) => sum + count, 0);
  return [...named, ...(others > 0 ? [`${others} others`] : [])].join(', ');
}
