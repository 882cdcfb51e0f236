import { expect, it } from 'vitest';
import { growthTable } from './sizes.ts';

it('shows each cost as a multiple, and how it grows', () => {
  const sizes = [
    { nodes: 1_000, costs: { parse: 10, load: 50, plan: 100 } },
    { nodes: 100_000, costs: { parse: 1_000, load: 5_000, plan: 1_000_000 } },
  ];
  const cells = growthTable(sizes, [
    { what: 'loaded', cost: 'load', unit: 'parse' },
    { what: 'planned', cost: 'plan', unit: 'parse' },
  ])
    .split('\n')
    .map((line) => line.split(/ *\| */).slice(1, -1));
  expect(cells[0]).toEqual(['nodes', 'loaded', 'growth', 'planned', 'growth']);
  expect(cells.slice(2)).toEqual([
    ['1,000', '5', '', '10', ''],
    ['100,000', '5', 'n^1.0', '1,000', 'n^2.0'],
  ]);
});
