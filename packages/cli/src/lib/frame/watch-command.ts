import type { Cell, Row } from '@policy-machinery/text';
import { widestRow } from '@policy-machinery/text/inner';
import { kubectlArgs } from '../input/scope.ts';
import type { Answer, Table } from '../model/answer.ts';
import type { Request, WorldCommand } from '../model/command.ts';
import type { Environment } from '../model/environment.ts';
import type { FormatName } from '../model/formats.ts';
import { UsageError } from '../model/usage-error.ts';
import type { World } from '../model/world.ts';
import { orNone, textOf } from '../output/table.ts';

/** A command that answers again after each change. */
export interface WatchedCommand {
  readonly command: WorldCommand;
  readonly world: World;
  /** Reads the cluster once more. */
  readonly readAgain: () => Promise<World>;
  readonly request: Request;
  readonly format: FormatName;
  readonly environment: Environment;
  /** Prints an answer, or a part of one. */
  readonly print: (answer: Answer, hasHeaders: boolean) => void;
}

/**
 * Prints the answer, and prints it again each time that a change of the cluster changes the answer: for a list, the rows that are new or different,
 * as kubectl does, and those that are gone, with a word for that; any other answer completely, after a line of `---`. If the kind or the object that
 * is asked for is gone, says so and waits. Ends when the signal of the environment aborts.
 *
 * @param watched The command, and the world as it was read.
 */
export async function watchCommand(watched: WatchedCommand): Promise<void> {
  const { command, world, readAgain, request, format, environment, print } = watched;
  const { source } = world;
  if (source === undefined) throw new UsageError('-w follows the cluster; files are read once');
  const { followCluster } = await import('../input/cluster/follow-cluster.ts');
  const { connect, signal, stdout, now } = environment;
  const transport = await connect(kubectlArgs(request.options));
  const isTable = format === 'table' || format === 'wide';
  try {
    let last = command(world, request);
    let above = printedRow(last, [], request);
    print(last, true);
    for await (const next of followCluster({ world, source, transport, signal, readAgain })) {
      const answer = answerNow(command, next, { ...request, now: now() });
      const table = onlyTable(last);
      const isList = isTable && table !== undefined && onlyTable(answer) !== undefined;
      const change = isList ? changedRows(answer, table, above) : isSame(answer, last) ? undefined : answer;
      if (change !== undefined) {
        if (!isList) stdout.write('---\n');
        print(change, above.length === 0);
        above = printedRow(change, above, request);
      }
      last = answer;
    }
  } finally {
    transport.close?.();
  }
}

/** Answers about the current world. An object that existed at first, and is gone, is not a mistake of the user's. */
function answerNow(command: WorldCommand, world: World, request: Request): Answer {
  try {
    return command(world, request);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return {
      document: { kind: 'Gone', message: error.message },
      sections: [{ blocks: [] }],
      names: [],
      notes: [error.message],
    };
  }
}

/** Returns the widest cell of each column that has been printed; none if nothing has been. */
function printedRow(answer: Answer, above: Row, { options }: Request): Row {
  const { columns = [], rows = [] } = onlyTable(answer) ?? {};
  const names = options.headers === false ? [] : columns.map(({ name }) => name);
  return rows.length === 0 ? above : widestRow([above, names, ...rows.map((row) => row.map(orNone))]);
}

/** Returns the table of an answer that consists of one list. */
function onlyTable({ sections }: Answer): Table | undefined {
  const [first, ...more] = sections;
  const [block, ...blocks] = first?.blocks ?? [];
  if (first === undefined || more.length > 0 || blocks.length > 0 || first.heading !== undefined) return undefined;
  if (block === undefined) return { columns: [], rows: [] };
  return 'table' in block && block.table.layout !== 'detail' ? block.table : undefined;
}

/** Returns an answer with the rows that are not in a table, after the rows of the table that are gone. A row that differs only by age is the same. */
function changedRows(answer: Answer, before: Table, above: Row): Answer | undefined {
  const table = onlyTable(answer);
  if (table === undefined) return answer;
  const known = new Set(before.rows.map((row) => keyOf(row, before)));
  const rows = [...goneRows(before, table), ...table.rows.filter((row) => !known.has(keyOf(row, table)))];
  if (rows.length === 0) return undefined;
  const { columns } = table.rows.length === 0 ? before : table;
  const notes = table.rows.length === 0 ? (answer.notes ?? []) : [];
  return { ...answer, sections: [{ blocks: [{ table: { columns, rows, alignedWith: above } }] }], notes };
}

/** Returns the rows of a table with subjects that another table lacks, each with a word for that. */
function goneRows(before: Table, now: Table): readonly Row[] {
  const there = new Set(subjectsOf(now));
  const subjects = subjectsOf(before);
  const gone = before.rows.filter((_, index) => !there.has(subjects[index] ?? ''));
  return gone.map((row) => row.map((cell, index): Cell => before.columns[index]?.gone ?? cell));
}

function subjectsOf(table: Table): readonly string[] {
  return table.subjects ?? table.rows.map((row) => keyOf(row, table));
}

function keyOf(row: Table['rows'][number], { columns }: Table): string {
  return JSON.stringify(row.map((cell, index) => (columns[index]?.name === 'AGE' ? '' : textOf(cell))));
}

function isSame(a: Answer, b: Answer): boolean {
  return JSON.stringify([a.document, a.notes]) === JSON.stringify([b.document, b.notes]);
}
