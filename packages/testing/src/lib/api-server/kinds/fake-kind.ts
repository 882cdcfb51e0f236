import type { JsonObject, KubernetesObject, ResourceScope } from '@policy-machinery/resource';
import { pluralOf } from '@policy-machinery/resource/inner';

/** A kind that a fake API server serves. Target kinds and policy kinds are such values, and CustomResourceDefinitions work as well. */
export interface FakeKind {
  readonly group: string;
  readonly kind: string;
  /** The versions served, the preferred one first. Default: `version`. */
  readonly versions?: readonly string[] | undefined;
  /** The only version served, without `versions`. Default: `v1`. */
  readonly version?: string | undefined;
  /** Default `Namespaced`. */
  readonly scope?: ResourceScope | undefined;
  /** Its name in URLs. Default: the plural of the kind in lower case, as Kubernetes' generators write it. */
  readonly plural?: string | undefined;
}

/**
 * Returns the CustomResourceDefinition of a kind: with a status subresource, and a schema that accepts anything.
 *
 * @param kind The kind.
 * @returns The definition, for `create`.
 */
export function definitionOf(kind: FakeKind): KubernetesObject {
  const { group, kind: name, scope = 'Namespaced', version = 'v1', plural = pluralOf(name) } = kind;
  const versions = kind.versions ?? [version];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, singular: name.toLowerCase(), kind: name, listKind: `${name}List` },
      versions: versions.map((each, index) => ({
        name: each,
        served: true,
        storage: index === 0,
        subresources: { status: {} },
        schema: { openAPIV3Schema: anything },
      })),
    },
  };
}

const anything: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
