import { type Bar, isMet } from './bars.ts';
import type { MeasuredChange } from './changes.ts';
import { fraction, ratio } from './format.ts';
import type { Load } from './load.ts';
import { table } from './table.ts';

/** The measurements of one run. */
export interface Measurements {
  /** The reference size. */
  readonly reference: Load;
  /** Clusters of the same mix, by their approximate number of nodes, the smallest first. */
  readonly sizes: readonly { readonly nodes: number; readonly load: Load }[];
  readonly changes: readonly MeasuredChange[];
  /** Clusters of an awkward shape. */
  readonly shapes: readonly { readonly what: string; readonly load: Load }[];
}

/** Returns the bars as a table. */
export function barTable(bars: readonly Bar[]): string {
  const rows = bars.map((bar) => [
    bar.what,
    bar.unit === undefined ? '' : `${bar.limit < 0.1 ? fraction(bar.value) : ratio(bar.value)} ${bar.unit}`,
    bar.unit === undefined ? bar.said : `at most ${bar.said} ${bar.unit}`,
    isMet(bar) ? 'met' : '**missed**',
  ]);
  return table(['', 'measured', 'bar', ''], rows);
}

/** Returns the clusters by size as a table. */
export function sizeTable({ sizes, reference }: Pick<Measurements, 'sizes' | 'reference'>): string {
  const rows = [
    ...sizes.map(({ nodes, load }) => ({ what: nodes.toLocaleString('en'), load })),
    { what: 'R', load: reference },
  ];
  return table(
    [
      'nodes',
      'apply',
      'contexts',
      'specs and origins',
      'load: all three',
      'memory',
      'memory after the plan',
      'statuses planned',
      'load, to the previous size',
    ],
    rows.map(({ what, load }, index) => [
      what,
      ...[load.apply, load.contexts, load.specs, load.load].map((ms) => ratio(ms / load.parse)),
      ratio(load.ownBytes / load.resourceBytes),
      ratio(load.plannedBytes / load.resourceBytes),
      ratio(load.plan / load.parse),
      index === 0 || load === reference ? '' : ratio(load.load / (rows[index - 1]?.load.load ?? Number.NaN)),
    ]),
  );
}

/** Returns the changes as a table. */
export function changeTable({ changes, reference }: Pick<Measurements, 'changes' | 'reference'>): string {
  return table(
    ['change', 'to `JSON.parse` of R', 'to the load of R', 'changes measured'],
    changes.map(({ what, ms, count }) => [
      what,
      fraction(ms / reference.parse),
      fraction(ms / reference.load),
      String(count),
    ]),
  );
}

/** Returns the awkward shapes as a table. */
export function shapeTable({ shapes, reference }: Pick<Measurements, 'shapes' | 'reference'>): string {
  return table(
    ['shape', 'load', 'statuses planned', 'both, to `JSON.parse` of R'],
    shapes.map(({ what, load }) => [
      what,
      ratio(load.load / load.parse),
      ratio(load.plan / load.parse),
      fraction((load.load + load.plan) / reference.parse),
    ]),
  );
}
