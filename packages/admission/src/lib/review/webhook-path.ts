import type { RequiredKind } from '@policy-machinery/topology';

/** A kind of objects, with its name in URLs. */
export type ReviewedKind = Pick<RequiredKind, 'group' | 'kind' | 'versions' | 'plural' | 'scope'>;

/**
 * Returns the path where the API server sends reviews of a kind, as in kubebuilder:
 * `/validate-gateway-networking-k8s-io-v1-httproute`.
 */
export function webhookPath({ group, kind, versions: [version = 'v1'] }: ReviewedKind): string {
  return `/validate-${group.replaceAll('.', '-')}-${version}-${kind.toLowerCase()}`;
}
