import { type Issue, type KubernetesObject, type LabelSelector, matchesSelector } from '@policy-machinery/resource';
import type { DeclaredTarget, DeclaredTargetSelector } from '@policy-machinery/target-ref';
import type { AttachableKind } from '@policy-machinery/topology';

/** The targets that a policy declares, in any form. */
export interface TargetReading {
  /** Targets by name. Default none. */
  readonly refs?: readonly DeclaredTarget[];
  /** Targets by label. You can pass conditions on labels as the policy has them, because they are validated. Default none. */
  readonly selectors?: readonly DeclaredTargetSelector[];
  /** The faults, with JSON Pointers from the root of the policy. If one is an error, no target counts. Default: none. */
  readonly issues?: readonly Issue[];
}

/** Reads the targets of a policy. The result must depend only on the policy. */
export type TargetReader = (policy: KubernetesObject) => TargetReading;

/** Returns the declaration for a topology that attaches policies by these targets. */
export function attachedBy(read: TargetReader): Required<Pick<AttachableKind, 'targetRefs' | 'targetSelectors'>> {
  return {
    targetRefs: (policy) => {
      const { refs = [], issues = [] } = read(policy);
      return { refs, issues };
    },
    targetSelectors: (policy) => {
      const { selectors = [] } = read(policy);
      return { selectors, issues: selectors.flatMap(faultsOf) };
    },
  };
}

function faultsOf(selector: DeclaredTargetSelector): readonly Issue[] {
  const { namespaces, pointer } = selector;
  const selectors: readonly LabelSelector[] =
    namespaces.from === 'Selector' ? [selector, namespaces.selector] : [selector];
  return selectors.flatMap((labelSelector): readonly Issue[] => {
    try {
      matchesSelector(labelSelector);
      return [];
    } catch (error) {
      const { message } = error as Error;
      return [{ code: 'invalid-target-selector', severity: 'error', message, pointer }];
    }
  });
}
