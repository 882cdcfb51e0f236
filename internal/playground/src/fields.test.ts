import { describe, expect, it } from 'vitest';
import { fieldsIn } from './fields.ts';

const route = (spec: string) =>
  `kind: Service\n---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata:\n  name: cart\n${spec}`;

/** Returns the fields at the mark `|`. */
async function at(text: string) {
  const offset = text.indexOf('|');
  const found = await fieldsIn(text.replace('|', ''), offset);
  return found && { word: text.slice(found.from, offset), fields: found.fields };
}

const filters = expect.arrayContaining(['requestHeaderModifier', 'urlRewrite']);

describe('fieldsIn', () => {
  it.each([
    ['the object', route('sp|'), 'sp', expect.arrayContaining(['apiVersion', 'kind', 'spec'])],
    ['a field', route('spec:\n  |'), '', expect.arrayContaining(['hostnames', 'parentRefs', 'rules'])],
    ['an item', route('spec:\n  rules:\n    - ti|\n'), 'ti', expect.arrayContaining(['timeouts', 'backendRefs'])],
    ['a list at the column of its key', route('spec:\n  rules:\n  - name: a\n    filters:\n    - |'), '', filters],
    ['a later item', route('spec:\n  rules:\n  - filters:\n    - type: a\n    - type: b\n      |\n'), '', filters],
    ['a list in a list', route('spec:\n  rules:\n    - - |'), '', []],
    [
      'a sibling',
      route('spec:\n  rules:\n    - timeouts:\n        request: 1s\n        |'),
      '',
      ['backendRequest', 'request'],
    ],
    [
      'after a comment and blank lines',
      route('spec:\n  rules:\n\n    # rule: one\n    - timeouts:\n        |'),
      '',
      ['backendRequest', 'request'],
    ],
    ['an unknown field', route('spec:\n  rulez:\n    |'), '', []],
  ])('has the fields of the schema in %s', async (_where, text, word, fields) => {
    expect(await at(text)).toEqual({ word, fields });
  });

  it.each([
    ['a value', route('spec: |')],
    ['a kind without a schema', 'apiVersion: v1\nkind: Service\n|'],
    ['an object without a kind', 'apiVersion: gateway.networking.k8s.io/v1\n|'],
  ])('has none for %s', async (_what, text) => {
    expect(await at(text)).toBeUndefined();
  });

  it('prefers the definition in the manifests to a release', async () => {
    const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: httproutes.gateway.networking.k8s.io }
spec:
  group: gateway.networking.k8s.io
  names: { kind: HTTPRoute }
  versions:
    - name: v1
      schema: { openAPIV3Schema: { properties: { spec: { properties: { mine: { type: string } } } } } }
---
`;
    expect(await at(definition + route('spec:\n  |'))).toEqual({ word: '', fields: ['mine'] });
  });
});
