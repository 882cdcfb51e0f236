import { type JsonValue, parsePointer } from '@policy-machinery/resource';
import { groupedBy } from '@policy-machinery/resource/inner';
import type { Colors } from '@policy-machinery/text';
import { formatValue } from '@policy-machinery/text/inner';
import { formatTarget, type TargetNode } from '@policy-machinery/topology';
import type { Block } from '../model/answer.ts';
import { type ColumnOf, tableOf } from '../model/table-of.ts';
import { type FieldChange, nameOf, type TargetChange } from './effective-changes.ts';
import { type ChangeGroup, placesOf } from './one-screen.ts';

/** Returns the change of an effective policy as text for people: its kind, the paths to it, and a line for each field. */
function changeBlocks(
  { view, through, change, isTargetGone, fields }: TargetChange,
  tableOfFields: (fields: TargetChange['fields']) => Block,
): readonly Block[] {
  const { kind, merging } = view.found;
  const ways = through.length === 0 ? '' : ` through ${through.join(' and ')}`;
  const what = { added: ', newly applies', removed: ', no longer applies', changed: '' }[change];
  const title = `${kind.kind}${ways}${merging === 'known' ? '' : ', not merged'}${isTargetGone ? ', gone with the target' : what}`;
  if (isTargetGone) return [{ lines: [title], indent: 2 }];
  return [{ lines: [title], indent: 2 }, tableOfFields(fields)];
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

/** Returns the changes of effective policies for programs. */
export function changeDocuments(changes: readonly TargetChange[]): readonly object[] {
  const fieldsOf = oncePer((fields: TargetChange['fields']) => fields.map(fieldDocument));
  return changes.map(({ view, target, through, change, isTargetGone, fields }) => ({
    target: target.ref,
    kind: { group: view.found.kind.group, kind: view.found.kind.kind },
    merging: view.found.merging,
    through,
    change,
    ...(isTargetGone ? { isTargetGone } : {}),
    fields: fieldsOf(fields),
  }));
}

function fieldDocument({ before, after, position, ...field }: FieldChange): object {
  return {
    ...field,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(position === undefined ? {} : { position }),
  };
}

/** Returns a function that computes the result for each object once. */
function oncePer<Of extends object, Result>(compute: (of: Of) => Result): (of: Of) => Result {
  const results = new Map<Of, Result>();
  return (of) => {
    const result = results.get(of) ?? compute(of);
    results.set(of, result);
    return result;
  };
}

/** How many names a heading has at most; the others are counted. */
const maxNames = 5;

/**
 * Groups the changes of one target, and the targets with the same changes.
 *
 * @param colors Colours.
 * @returns The groups, in the order of their first targets.
 */
export function changeGroups(changes: readonly TargetChange[], colors: Colors): readonly ChangeGroup[] {
  const tableOfFields = oncePer(
    (fields: TargetChange['fields']): Block => ({
      table: tableOf(fields, columnsOf(colors), { layout: 'detail' }),
      indent: 4,
    }),
  );
  const textOf = oncePer((block: Block) => JSON.stringify(block));
  const byTarget = [...groupedBy(changes, nameOf).values()];
  const blocksOf = (ofTarget: readonly TargetChange[]): readonly Block[] =>
    ofTarget.flatMap((change) => changeBlocks(change, tableOfFields));
  const groups = groupedBy(byTarget, (ofTarget) => blocksOf(ofTarget).map(textOf).join('\n'));
  return [...groups.values()].map((group) => ({
    heading: headingOf(group.map(([{ target }]) => target)),
    blocks: blocksOf(group[0]),
    changes: group.flat(),
  }));
}

/** Returns the names of the first targets, and how many there are besides, by kind and namespace. */
function headingOf(targets: readonly TargetNode[]): string {
  const names = targets.slice(0, maxNames).map((target) => formatTarget(target));
  const rest = targets.slice(maxNames).map(({ ref }) => ref);
  return rest.length === 0 ? names.join(', ') : `${names.join(', ')} and ${placesOf(rest, 'more ')}`;
}
