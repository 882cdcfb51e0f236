import { type EffectiveDelta, type EffectivePolicies, Trial } from '@policy-machinery/effective-policy';
import type { TopologyChange, TopologyDelta } from '@policy-machinery/topology';
import { type EffectivePoliciesInput, topologyOf, viewsIn } from '../effective-policies-input.ts';

/** The effective policies of one kind before and after a change. */
export interface Compared {
  readonly before: EffectivePolicies<unknown>;
  readonly after: EffectivePolicies<unknown>;
  /** The targets and policies that may differ. Absent: any may. */
  readonly touched?: Pick<EffectiveDelta, 'targets' | 'policies'>;
}

/**
 * Compares effective policies before and after a change: on a trial, or on a topology that is made for this question.
 *
 * @param ask Called with the effective policies of each kind, and the changes of the topology.
 * @returns The result of `ask`.
 */
export function compare<Result>(
  effective: EffectivePoliciesInput | Trial,
  change: TopologyChange,
  ask: (kinds: readonly Compared[], delta: TopologyDelta) => Result,
): Result {
  const views = liveViews(effective);
  if (effective instanceof Trial) {
    return effective.of(change, (tried) => {
      const afters = viewsIn(tried.effective);
      const kinds = views.flatMap((viewBefore, index): readonly Compared[] => {
        const [viewAfter, touched] = [afters[index], tried.changes[index]];
        return viewAfter === undefined || touched === undefined
          ? []
          : [{ before: viewBefore, after: viewAfter, touched }];
      });
      return ask(kinds, tried.delta);
    });
  }
  const { topology, delta } = topologyOf(views).with(change);
  return ask(
    views.map((viewBefore) => ({ before: viewBefore, after: viewBefore.in(topology) })),
    delta,
  );
}

export function liveViews(effective: EffectivePoliciesInput | Trial): readonly EffectivePolicies<unknown>[] {
  return viewsIn(effective instanceof Trial ? effective.effective : effective);
}
