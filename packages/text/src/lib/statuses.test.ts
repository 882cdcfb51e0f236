import { expect, it } from 'vitest';
import { room } from './shop.fixture.ts';
import { formatStatuses } from './statuses.ts';

const condition = { type: 'example.com/Accepted', status: 'True', reason: 'Fine', message: 'All is well.' };

it('lists the conditions of resources, with their ancestors', () => {
  const ancestorRef = { kind: 'Room', name: 'hall', sectionName: 'door' };
  const plain = { ...room('hall'), status: { conditions: [condition] } };
  const withAncestors = { ...room('attic'), status: { ancestors: [{ ancestorRef, conditions: [condition] }] } };
  expect(formatStatuses([plain, withAncestors])).toBe(
    [
      'Room hall                       Accepted=True/Fine  All is well.',
      'Room attic  for Room hall#door  Accepted=True/Fine  All is well.',
    ].join('\n'),
  );
});

it('has no line for a resource without a status', () => {
  expect(formatStatuses([room('hall')])).toBe('');
});
