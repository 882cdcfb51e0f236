import type { KubernetesObject } from '@policy-machinery/resource';
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

it.each([
  ['no object', 5, ''],
  ['conditions that are no list', { conditions: { type: 'Accepted' }, ancestors: 'x' }, ''],
  ['ancestors without references and conditions', { ancestors: [null, {}, { ancestorRef: 'x', conditions: 5 }] }, ''],
  ['fields that are no texts', { conditions: [{ type: 5, status: null }] }, 'Room hall    =/'],
  [
    'an ancestor without a kind, which is a Gateway',
    { ancestors: [{ ancestorRef: { name: 'edge', sectionName: {} }, conditions: [condition] }] },
    'Room hall  for Gateway edge  Accepted=True/Fine  All is well.',
  ],
])('takes a status as others wrote it, with %s', (_what, status, expected) => {
  expect(formatStatuses([{ ...room('hall'), status } as KubernetesObject]).trimEnd()).toBe(expected);
});

it('omits resources without a status', () => {
  expect(formatStatuses([room('hall')])).toBe('');
});
