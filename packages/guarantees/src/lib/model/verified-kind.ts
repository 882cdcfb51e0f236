import type { CelType } from '@policy-machinery/cel';
import type { EffectiveChanges, EffectivePolicies, EffectivePolicy } from '@policy-machinery/effective-policy';
import type { ConcernName } from '@policy-machinery/policy-kind';
import { type GroupKind, groupKindKey } from '@policy-machinery/resource';
import { isSectionKind, type Path } from '@policy-machinery/topology';

/** A policy kind with its effective policies, as guarantees read them. */
export interface VerifiedKind extends GroupKind {
  /** Returns the effective policies that a request meets on its path, the most specific one last; none if it meets none. */
  readonly along: (path: Path) => readonly EffectivePolicy<unknown>[];
  /** The policies of the kind, for guarantees about policies. */
  readonly policies: EffectivePolicies<unknown>['policies'];
  /** Returns whether policies of the kind may have an effect on objects of a kind, as a whole or by section. Default: they may. */
  readonly affects?: (kind: GroupKind) => boolean;
  /** The concerns that its policies may serve. Default: any. */
  readonly concerns?: readonly ConcernName[];
  /** Creates a reader of changes, for a {@link Verifier}. A kind without one has the same effective policies forever. */
  readonly changes?: () => EffectiveChanges;
  /** The type of the spec, for checking expressions. Default: anything. */
  readonly specType?: CelType;
}

/**
 * Returns a policy kind for {@link verify}.
 *
 * @param effective The effective policies.
 * @param specType The type of the spec. Default: anything.
 * @param concerns The concerns that its policies may serve. Default: any.
 */
export function verifiedKind<Spec>(
  effective: EffectivePolicies<Spec>,
  specType?: CelType,
  concerns?: readonly ConcernName[],
): VerifiedKind {
  const { group, kind } = effective.kind;
  const view = effective as EffectivePolicies<unknown>;
  const affected = new Set(
    effective.kind.effectiveTargets.map((target) => groupKindKey(isSectionKind(target) ? target.of : target)),
  );
  return {
    group,
    kind,
    along: (path) => view.along(path),
    affects: (of) => affected.has(groupKindKey(of)),
    changes: () => view.changes(),
    get policies() {
      return view.policies;
    },
    ...(specType && { specType }),
    ...(concerns && { concerns }),
  };
}
