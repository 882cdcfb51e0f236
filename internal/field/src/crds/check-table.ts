import { knownKinds } from '@policy-machinery/known-kinds';
import { formatGroupKind } from '@policy-machinery/resource';
import { aligned } from '../aligned.ts';
import type { Checked } from '../checked.ts';
import { withoutDefinition } from '../page/test-data.ts';
import { type Comparison, compareRow } from './compare.ts';
import type { FoundDefinition } from './definitions.ts';
import { exceptionFor, exceptions } from './exceptions.ts';

/**
 * Checks each row of the table against the definition of its kind.
 *
 * @param definitions The definitions, by kind.
 * @returns A table with a line for each system, the meant differences with their reasons, and all others as faults.
 */
export function checkTable(definitions: ReadonlyMap<string, FoundDefinition>): Checked {
  const rows = knownKinds.map((known) => ({ known, found: definitions.get(formatGroupKind(known)) }));
  const comparisons = rows.flatMap(({ known, found }) => (found === undefined ? [] : [compareRow(known, found)]));
  const differences = comparisons.flatMap((comparison) => comparison.differences);
  const faults = differences
    .filter((difference) => exceptionFor(difference) === undefined)
    .map(
      ({ kind, fact, definition, table }) => `${kind}: ${fact}: the definition has ${definition}; the table ${table}`,
    );
  const used = new Set(differences.map(exceptionFor));
  const unused = comparisons.length === 0 ? [] : exceptions.filter((exception) => !used.has(exception));
  return {
    lines: [...summary(comparisons), '', 'Differences that are meant:', ...reasons(comparisons)],
    faults: [
      ...faults,
      ...missingFaults(comparisons),
      ...unused.map(({ reason }) => `an exception is no longer needed; remove it: ${reason}`),
    ],
  };
}

const systems = [...new Set(knownKinds.map(({ system }) => system))];

function summary(comparisons: readonly Comparison[]): readonly string[] {
  return aligned([
    ['SYSTEM', 'KINDS', 'DEFINED', 'FACTS', 'SAME', 'MEANT', 'WRONG', 'NOT DEFINED HERE'],
    ...systems.map((system) => {
      const own = comparisons.filter((it) => it.system === system);
      const kinds = knownKinds.filter((it) => it.system === system);
      const all = own.flatMap(({ differences }) => differences);
      const meant = all.filter((it) => exceptionFor(it) !== undefined).length;
      const facts = own.reduce((sum, it) => sum + it.facts, 0);
      const numbers = [kinds.length, own.length, facts, facts - all.length, meant, all.length - meant];
      return [system, ...numbers.map(String), missingKinds(system, comparisons).join(', ')];
    }),
  ]);
}

/** Returns a fault for each system with other kinds without a definition than the page about systems names. */
function missingFaults(comparisons: readonly Comparison[]): readonly string[] {
  if (comparisons.length === 0) return [];
  return systems.flatMap((system) => {
    const [missing, named] = [missingKinds(system, comparisons), withoutDefinition[system] ?? []];
    if (missing.toSorted().join() === named.toSorted().join()) return [];
    return [`${system}: the kinds without a definition are ${missing.join(', ')}; correct the list withoutDefinition`];
  });
}

function missingKinds(system: string, comparisons: readonly Comparison[]): readonly string[] {
  const defined = new Set(comparisons.map(({ kind }) => kind));
  const kinds = knownKinds.filter((it) => it.system === system);
  return kinds.filter((it) => !defined.has(formatGroupKind(it))).map(({ kind }) => kind);
}

function reasons(comparisons: readonly Comparison[]): readonly string[] {
  const differences = comparisons.flatMap((comparison) => comparison.differences);
  return exceptions.map((exception) => {
    const own = differences.filter((difference) => exceptionFor(difference) === exception);
    const kinds = new Set(own.map(({ kind }) => kind)).size;
    return `- ${exception.facts.join('; ')} (${kinds} ${kinds === 1 ? 'kind' : 'kinds'}): ${exception.reason}`;
  });
}
