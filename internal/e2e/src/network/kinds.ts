import type { KubernetesObject } from '@policy-machinery/resource';

/** A version in a definition. */
const version = (name: string, isStored: boolean) => ({
  name,
  served: true,
  storage: isStored,
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
});

interface Definition {
  readonly kind: string;
  /** The versions; the first is stored. Default: `v1`. */
  readonly versions?: readonly string[];
  /** Whether objects have a status of its own. Default: false. */
  readonly hasStatus?: boolean;
  /** Default: no conversion. */
  readonly conversion?: object | undefined;
}

/** Returns the CustomResourceDefinition of a kind of the group `example.com`, whose objects have any content. */
export function definitionOf({ kind, versions = ['v1'], hasStatus = false, conversion }: Definition): KubernetesObject {
  const plural = `${kind.toLowerCase()}s`;
  const subresources = hasStatus ? { subresources: { status: {} } } : {};
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: versions.map((name, index) => ({ ...version(name, index === 0), ...subresources })),
      conversion: conversion ?? { strategy: 'None' },
    },
  };
}

/** Returns an object of such a kind. */
export const objectOf = (kind: string, namespace: string, name: string, content: object = {}): KubernetesObject => ({
  apiVersion: 'example.com/v1',
  kind,
  metadata: { namespace, name },
  ...content,
});
