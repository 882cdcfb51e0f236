import { expect, it } from 'vitest';
import { hasSameContent } from './has-same-content.ts';

const object = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'cart', resourceVersion: '1', labels: { team: 'shop' } },
  spec: { ports: [{ port: 80 }] },
};

it.each([
  ['a status', { ...object, status: { loadBalancer: {} } }, true],
  [
    'a version and fields of managers',
    { ...object, metadata: { ...object.metadata, resourceVersion: '2', managedFields: [{ manager: 'a' }] } },
    true,
  ],
  ['a label', { ...object, metadata: { ...object.metadata, labels: { team: 'bank' } } }, false],
  ['a generation', { ...object, metadata: { ...object.metadata, generation: 2 } }, false],
  ['a spec', { ...object, spec: { ports: [{ port: 81 }] } }, false],
])('compares an object with one that differs in %s', (_what, other, isSame) => {
  expect(hasSameContent(object, other)).toBe(isSame);
  expect(hasSameContent(other, object)).toBe(isSame);
});

it('takes an object for the same as itself, and not for the same as one that is missing', () => {
  expect([hasSameContent(object, object), hasSameContent(object, undefined)]).toEqual([true, false]);
});
