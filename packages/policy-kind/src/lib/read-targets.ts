import { type Issue, type KubernetesObject, type LabelSelector, matchesSelector } from '@policy-machinery/resource';
import type { DeclaredTarget, DeclaredTargetSelector } from '@policy-machinery/target-ref';
import type { AttachableKind } from '@policy-machinery/topology';

/** The targets that a policy declares, however it writes them. */
export interface TargetReading {
  /** Targets by name. Default none. */
  readonly refs?: readonly DeclaredTarget[];
  /** Targets by label. Conditions on labels may be passed on as the policy has them: they are checked. Default none. */
  readonly selectors?: readonly DeclaredTargetSelector[];
  /** What is wrong, with JSON Pointers from the root of the policy. With an error the policy has no targets. Default nothing. */
  readonly issues?: readonly Issue[];
}

/** Reads the targets of a policy. The result must depend on the policy alone. */
export type TargetReader = (policy: KubernetesObject) => TargetReading;

/** What a topology needs in order to attach policies whose targets are read in this way. */
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
  const all: readonly LabelSelector[] = namespaces.from === 'Selector' ? [selector, namespaces.selector] : [selector];
  return all.flatMap((it): readonly Issue[] => {
    try {
      matchesSelector(it);
      return [];
    } catch (error) {
      const { message } = error as Error;
      return [{ code: 'invalid-target-selector', severity: 'error', message, pointer }];
    }
  });
}
