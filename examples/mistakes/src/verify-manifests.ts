import { effectivePolicies } from '@policy-machinery/effective-policy';
import { isGuarantee, readGuarantee, type Verdict, verifiedKind, verify } from '@policy-machinery/guarantees';
import { findPolicyKinds } from '@policy-machinery/known-kinds';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology, type Topology } from '@policy-machinery/topology';

/** Verdicts, and the topology that they are about. */
export interface Verified {
  readonly topology: Topology;
  readonly verdicts: readonly Verdict[];
}

/**
 * Verifies the guarantees among some objects.
 *
 * @param manifests Gateways, routes, policies of known kinds, and guarantees.
 */
export function verifyManifests(manifests: Iterable<KubernetesObject>): Verified {
  const objects = [...manifests];
  const { kinds, targetKinds } = findPolicyKinds({ resources: objects });
  const topology = createTopology({ targetKinds, policyKinds: kinds.map(({ kind }) => kind) });
  topology.apply({ upsert: objects });
  const views = kinds.map(({ kind, viewOptions }) => verifiedKind(effectivePolicies(topology, kind, viewOptions)));
  const guarantees = objects.filter(isGuarantee).flatMap((object) => readGuarantee(object).guarantee ?? []);
  return { topology, verdicts: verify({ topology, kinds: views }, guarantees) };
}
