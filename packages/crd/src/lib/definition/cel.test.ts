import { definePolicyKind, gep713 } from '@policy-machinery/policy-kind';
import type { JsonObject } from '@policy-machinery/resource';
import { defineTargetKind } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { customResourceDefinition } from '../../index.ts';

/** Returns how the rules and schemas of a spec distinguish a field from stanzas. */
function exclusionOf(field: string, schema: z.ZodType) {
  const kind = definePolicyKind({
    ...gep713(),
    group: 'garden.example.com',
    version: 'v1',
    kind: 'WaterPolicy',
    targets: [defineTargetKind({ group: 'garden.example.com', kind: 'Garden' })],
    spec: z.object({ [field]: schema.optional() }),
  });
  const { definition } = customResourceDefinition(kind);
  const [version] = definition.spec.versions as unknown as readonly [{ schema: { openAPIV3Schema: JsonObject } }];
  const { spec } = version.schema.openAPIV3Schema.properties as { readonly spec: JsonObject };
  const rules = spec['x-kubernetes-validations'] as readonly { readonly rule: string; readonly message: string }[];
  return { rules: rules.map(({ rule }) => rule), allOf: spec.allOf };
}

describe('rules about fields of the spec', () => {
  it.each([
    ['litres', 'litres'],
    ['per-hour', 'per__dash__hour'],
    ['per.hour', 'per__dot__hour'],
    ['per/hour', 'per__slash__hour'],
    ['per__hour', 'per__underscores__hour'],
    ['per_hour', 'per_hour'],
    ['namespace', '__namespace__'],
  ])('name %s as Kubernetes wants it', (field, name) => {
    const { rules, allOf } = exclusionOf(field, z.number());
    expect(rules).toContain(`[has(self.${name}), has(self.defaults), has(self.overrides)].filter(it, it).size() <= 1`);
    expect(allOf).toBeUndefined();
  });

  it.each([
    ['a name that CEL cannot say', '$litres', z.number()],
    ['a name that begins with a digit', '2litres', z.number()],
    ['what may be anything', 'litres', z.unknown()],
    ['a list of what may be anything', 'litres', z.array(z.unknown())],
    ['a map of what may be anything', 'litres', z.record(z.string(), z.array(z.any()))],
  ])('leave %s to the schema, because it does not exist for them', (_case, field, schema) => {
    const { rules, allOf } = exclusionOf(field, schema);
    expect(rules).toContain('!(has(self.defaults) && has(self.overrides))');
    expect(allOf).toEqual([{ not: { required: ['defaults', field] } }, { not: { required: ['overrides', field] } }]);
  });
});
