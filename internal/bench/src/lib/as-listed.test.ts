import type { KubernetesObject } from '@policy-machinery/resource';
import { expect, it } from 'vitest';
import { asListed } from './as-listed.ts';

it('lists kind by kind, by namespace and name', () => {
  const listed = asListed([
    resource('Service', 'b', 'a'),
    resource('Namespace', 'b'),
    resource('Service', 'a', 'z'),
    resource('Service', 'a-b', 'z'),
    resource('Namespace', 'a'),
  ]);
  expect(listed.map(({ kind, metadata: { namespace, name } }) => [kind, namespace, name].join(' '))).toEqual([
    'Service a-b z',
    'Service a z',
    'Service b a',
    'Namespace  a',
    'Namespace  b',
  ]);
});

function resource(kind: string, namespaceOrName: string, name?: string): KubernetesObject {
  const metadata = name === undefined ? { name: namespaceOrName } : { namespace: namespaceOrName, name };
  return { apiVersion: 'v1', kind, metadata };
}
