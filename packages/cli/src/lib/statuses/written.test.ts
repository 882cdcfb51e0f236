import { expect, it } from 'vitest';
import { conditionsIn } from './written.ts';

it('reads the conditions of a status that have a type and a status, with their other fields', () => {
  const conditions = [
    { type: 'Accepted', status: 'True', reason: 'Accepted', message: 'Fine.', observedGeneration: 3 },
    { type: 'Programmed', status: 'False', reason: 7, observedGeneration: '3' },
    { type: 'Lonely' },
    { status: 'True' },
    { type: 'Odd', status: true },
    'Accepted',
  ];
  expect(conditionsIn({ conditions })).toEqual([
    { type: 'Accepted', status: 'True', reason: 'Accepted', message: 'Fine.', observedGeneration: 3 },
    { type: 'Programmed', status: 'False', reason: '', message: '', observedGeneration: undefined },
  ]);
  expect(conditionsIn({})).toEqual([]);
});
