import { type JsonValue, parsePointer } from '@policy-machinery/resource';
import type { Colors } from '@policy-machinery/text';
import { formatValue } from '@policy-machinery/text/inner';
import { formatTarget, type TargetNode } from '@policy-machinery/topology';
import type { Block } from '../model/answer.ts';
import { type ColumnOf, tableOf } from '../model/table-of.ts';
import { type FieldChange, nameOf, type TargetChange } from './effective-changes.ts';
import { type ChangeGroup, placesOf } from './one-screen.ts';

/**
 * Returns the change of an effective policy as text for people: its kind, the paths to it, and a line for each field.
 *
 * @param change The change.
 * @param colors Colours.
 * @returns The blocks.
 */
export function changeBlocks(
  { view, through, change, isTargetGone, fields }: TargetChange,
  colors: Colors,
): readonly Block[] {
  const { kind, merging } = view.found;
  const ways = through.length === 0 ? '' : ` through ${through.join(' and ')}`;
  const what = { added: ', newly applies', removed: ', no longer applies', changed: '' }[change];
  const title = `${kind.kind}${ways}${merging === 'known' ? '' : ', not merged'}${isTargetGone ? ', gone with the target' : what}`;
  if (isTargetGone) return [{ lines: [title], indent: 2 }];
  return [
    { lines: [title], indent: 2 },
    { table: tableOf(fields, columnsOf(colors), { layout: 'detail' }), indent: 4 },
  ];
}

function columnsOf(colors: Colors): readonly ColumnOf<FieldChange>[] {
  return [
    { name: '', cell: (field) => [markOf(field), paintOf(field, colors)] },
    { name: 'FIELD', cell: ({ pointer }) => parsePointer(pointer).join('.') || 'all' },
    { name: 'VALUE', cell: (field) => [valuesOf(field), paintOf(field, colors)] },
    { name: 'POLICY', cell: ({ after, ...setters }) => sentenceOf(after, setters) },
    {
      name: 'WHERE',
      cell: ({ position }) => (position === undefined ? '' : [`${position.source}:${position.line}`, colors.dim]),
    },
  ];
}

function markOf({ before, after }: FieldChange): '+' | '-' | '~' {
  return before === undefined ? '+' : after === undefined ? '-' : '~';
}

function paintOf(field: FieldChange, { green, red, yellow }: Colors): Colors['green'] {
  return { '+': green, '-': red, '~': yellow }[markOf(field)];
}

function valuesOf({ before, after }: FieldChange): string {
  return [before, after]
    .filter((value) => value !== undefined)
    .map(formatValue)
    .join(' → ');
}

function sentenceOf(
  after: JsonValue | undefined,
  {
    setBy,
    wasSetBy,
    takenBy,
    isPolicyGone,
    endedBy,
  }: Pick<FieldChange, 'setBy' | 'wasSetBy' | 'takenBy' | 'isPolicyGone' | 'endedBy'>,
): string {
  if (endedBy !== undefined) return endedBy;
  const [now, then] = [setBy.join(' and '), wasSetBy.join(' and ')];
  if (takenBy.length > 0) return `${takenBy.join(' and ')} ${takenBy.length === 1 ? 'replaces' : 'replace'} ${then}`;
  if (after === undefined && now === '')
    return then === '' ? '' : `${then} ${isPolicyGone ? 'is gone' : 'no longer sets it'}`;
  if (then === '' || then === now) return now === '' ? '' : `set by ${now}`;
  return `set by ${now} (was ${then}${isPolicyGone ? ', which is gone' : ''})`;
}

/** Returns the change of an effective policy for programs. */
export function changeDocument({ view, target, through, change, isTargetGone, fields }: TargetChange): object {
  const { kind, merging } = view.found;
  return {
    target: target.ref,
    kind: { group: kind.group, kind: kind.kind },
    merging,
    through,
    change,
    ...(isTargetGone ? { isTargetGone } : {}),
    fields: fields.map(({ before, after, position, ...field }) => ({
      ...field,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      ...(position === undefined ? {} : { position }),
    })),
  };
}

/** How many names a heading has at most; the others are counted. */
const maxNames = 5;

/**
 * Groups the changes of one target, and the targets with the same changes.
 *
 * @param changes The changes, each with its blocks.
 * @returns The groups, in the order of their first targets.
 */
export function groupedByBlocks(
  changes: readonly { readonly change: TargetChange; readonly blocks: readonly Block[] }[],
): readonly ChangeGroup[] {
  const byTarget = new Map<string, OfTarget>();
  for (const { change, blocks } of changes) {
    const name = nameOf(change);
    const there = byTarget.get(name) ?? { target: change.target, blocks: [], changes: [] };
    there.blocks.push(...blocks);
    there.changes.push(change);
    byTarget.set(name, there);
  }
  const groups = new Map<string, OfTarget[]>();
  for (const each of byTarget.values()) {
    const key = JSON.stringify(each.blocks);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()].map((group) => ({
    heading: headingOf(group.map(({ target }) => target)),
    blocks: group[0]?.blocks ?? [],
    changes: group.flatMap((each) => each.changes),
  }));
}

interface OfTarget {
  readonly target: TargetNode;
  readonly blocks: Block[];
  readonly changes: TargetChange[];
}

/** Returns the names of the first targets, and how many there are besides, by kind and namespace. */
function headingOf(targets: readonly TargetNode[]): string {
  const names = targets.slice(0, maxNames).map((target) => formatTarget(target));
  const rest = targets.slice(maxNames).map(({ ref }) => ref);
  return rest.length === 0 ? names.join(', ') : `${names.join(', ')} and ${placesOf(rest, 'more ')}`;
}
