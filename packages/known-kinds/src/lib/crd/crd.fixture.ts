import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';

export const group = 'policies.example.com';

/** Parts of a CustomResourceDefinition that a test is about. */
export interface CrdParts {
  readonly kind?: string;
  readonly label?: string;
  /** The fields of `spec`. */
  readonly fields?: JsonObject;
  /** Further keywords of the schema of `spec`. */
  readonly spec?: JsonObject;
  /** The fields of `status`. */
  readonly status?: JsonObject;
  readonly versions?: readonly string[];
}

/** Returns a CustomResourceDefinition as a generator writes it. */
export function crd({ kind = 'RetryPolicy', label, fields = {}, spec, status = {}, versions = ['v1'] }: CrdParts = {}) {
  const plural = `${kind.toLowerCase().replace(/y$/, 'ie')}s`;
  const definition: KubernetesObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      ...(label === undefined ? {} : { labels: { 'gateway.networking.k8s.io/policy': label } }),
    },
    spec: {
      group,
      names: { kind, plural },
      scope: 'Namespaced',
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: fields, ...spec },
              status: { type: 'object', properties: status },
            },
          },
        },
      })),
    },
  };
  return definition;
}

/** Returns the schema of a reference to a target, with rules. */
export function reference(rules: readonly string[] = [], more: JsonObject = {}): JsonObject {
  const text = { type: 'string' };
  return {
    type: 'object',
    required: ['group', 'kind', 'name'],
    properties: { group: text, kind: text, name: text, ...more },
    ...withRules(rules),
  };
}

/** Returns the schema of a list of references, with rules for the list. */
export function references(rules: readonly string[] = [], items: JsonObject = reference()): JsonObject {
  return { type: 'array', maxItems: 16, items, ...withRules(rules) };
}

/** CEL rules, as a schema has them. */
export function withRules(rules: readonly string[]): JsonObject {
  return rules.length === 0
    ? {}
    : { 'x-kubernetes-validations': rules.map((rule) => ({ rule, message: `broken: ${rule}` })) };
}

/** Returns a policy on the Gateway `edge`. */
export function policy(fields: JsonObject, kind = 'RetryPolicy', version = 'v1'): KubernetesObject {
  const targetRefs = [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'edge' }];
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name: 'a', namespace: 'infra', creationTimestamp: '2025-01-01T00:00:00Z' },
    spec: { targetRefs, ...fields },
  };
}
