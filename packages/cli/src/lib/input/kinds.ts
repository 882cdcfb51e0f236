import type { PolicyKind } from '@policy-machinery/policy-kind';
import type { Issue, JsonObject, KubernetesObject } from '@policy-machinery/resource';
import type { Options } from '../frame/flags.ts';

/** A policy kind, and how it was found. */
export interface FoundKind {
  readonly kind: PolicyKind<JsonObject>;
  readonly foundBy: 'yours' | 'table' | 'schema';
  readonly merging: 'known' | 'unknown';
  readonly system?: string;
  readonly notes: readonly string[];
}

/** The policy kinds of some objects. */
export interface FoundKinds {
  readonly kinds: readonly FoundKind[];
  readonly issues: readonly Issue[];
}

/** Finds the policy kinds of some objects. */
export async function findKinds(
  _objects: readonly KubernetesObject[],
  _options: Options,
  _all = false,
): Promise<FoundKinds> {
  return { kinds: [], issues: [] };
}
