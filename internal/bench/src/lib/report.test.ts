import { describe, expect, it } from 'vitest';
import type { Bar } from './bars.ts';
import { barTable, changeTable, sizeTable } from './report.ts';

const load = {
  parse: 10,
  apply: 12,
  contexts: 8,
  specs: 15,
  load: 35,
  plan: 20,
  resourceBytes: 1_000,
  ownBytes: 1_700,
  plannedBytes: 3_400,
};

describe('barTable', () => {
  const unit = '× `JSON.parse`';
  it.each<[string, Bar, RegExp]>([
    [
      'is met',
      { what: 'load', value: 3.51, limit: 4, said: '4', unit },
      /3\.5 × `JSON.parse` \| +at most 4 × `JSON.parse` \| +met \|$/,
    ],
    ['is missed', { what: 'load', value: 4.1, limit: 4, said: '4', unit }, /\*\*missed\*\* \|$/],
    [
      'is small',
      { what: 'edit', value: 1 / 2_000, limit: 1 / 1_000, said: '1/1,000', unit: 'of the load' },
      /1\/2,000 of the load \|/,
    ],
    [
      'is a time, which is not shown',
      { what: 'ladder', value: 7.77, limit: 10, said: '10 ms' },
      /^\| ladder \| +\| +10 ms \| +met \|$/,
    ],
  ])('has a row for inputs that %s', (_, bar, row) => {
    expect(barTable([bar]).split('\n').at(-1)).toMatch(row);
  });
});

describe('sizeTable', () => {
  it('compares each size with JSON.parse, and with the size before', () => {
    const sizes = [
      { nodes: 1_000, load },
      { nodes: 10_000, load: { ...load, load: 385 } },
    ];
    const [, , small, large] = sizeTable({ sizes, reference: load }).split('\n');
    expect(small?.split(/ *\| */).slice(1, -1)).toEqual(['1,000', '1.2', '0.8', '1.5', '3.5', '1.7', '3.4', '2', '']);
    expect(large?.split(/ *\| */).at(-2)).toBe('11');
  });
});

describe('changeTable', () => {
  it('compares each change with JSON.parse and with the load', () => {
    const changes = [{ what: 'a policy edited', ms: 0.07, count: 200 }];
    const row = changeTable({ changes, reference: load }).split('\n').at(-1);
    expect(row?.split(/ *\| */).slice(1, -1)).toEqual(['a policy edited', '1/140', '1/500', '200']);
  });
});
