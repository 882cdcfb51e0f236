import type { RequiredKind } from '@policy-machinery/topology';

/** A kind of objects, as an API server knows it. */
export type ReviewedKind = Pick<RequiredKind, 'group' | 'kind' | 'versions' | 'plural' | 'scope'>;

/**
 * Returns the path at which the API server asks about objects of a kind, as kubebuilder has it:
 * `/validate-gateway-networking-k8s-io-v1-httproute`.
 */
export function webhookPath({ group, kind, versions: [version = 'v1'] }: ReviewedKind): string {
  return `/validate-${group.replaceAll('.', '-')}-${version}-${kind.toLowerCase()}`;
}
