import { describe, expect, it } from 'vitest';
import { versionSchemas } from './version-schemas.ts';

const schema = { type: 'object', properties: { spec: { type: 'object' } } };
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'locks.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Lock' },
    versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }, { name: 'v2' }],
  },
};

describe('versionSchemas', () => {
  it('returns the schema of each version that has one, with the kind', () => {
    expect(versionSchemas(definition)).toEqual([{ kind: 'lock.example.com', version: 'v1', schema }]);
  });

  it.each([
    { ...definition, kind: 'Lock' },
    { ...definition, apiVersion: 'apiextensions.k8s.io/v1beta1' },
    { ...definition, spec: { group: 'example.com' } },
  ])('returns none for other resources: %j', (resource) => {
    expect(versionSchemas(resource)).toEqual([]);
  });
});
