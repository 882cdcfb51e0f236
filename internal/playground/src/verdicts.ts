import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { isGuarantee, readGuarantee, type Verdict, verifiedKind, verify } from '@policy-machinery/guarantees';
import { type Issue, type KubernetesObject, PolicyMachineryError } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';

/** The answers for guarantees, and what is wrong with them. */
export interface Verified {
  readonly verdicts: readonly Verdict[];
  readonly issues: readonly Issue[];
}

/**
 * Verifies the guarantees among some objects.
 *
 * @param resources The objects.
 * @param topology The topology with them.
 * @param views The effective policies of its kinds.
 */
export function verdictsOn(
  resources: Iterable<KubernetesObject>,
  topology: Topology,
  views: readonly EffectivePolicies<unknown>[],
): Verified {
  const readings = [...resources].filter(isGuarantee).map(readGuarantee);
  const issues = readings.flatMap((reading) => reading.issues);
  const guarantees = readings.flatMap(({ guarantee }) => guarantee ?? []);
  try {
    return { verdicts: verify({ topology, kinds: views.map((view) => verifiedKind(view)) }, guarantees), issues };
  } catch (error) {
    if (!(error instanceof PolicyMachineryError)) throw error;
    return { verdicts: [], issues: [...issues, ...error.issues] };
  }
}
