import { byAge, byName, byWeight } from '@policy-machinery/conflict';
import { isWeight } from '@policy-machinery/conflict/inner';
import { type Combination, fieldWise, type MergeStrategy, shallow } from '@policy-machinery/merge';
import { formatPointer, type KubernetesObject, type ObjectFault } from '@policy-machinery/resource';
import { byAnnotation } from '../kind/strategy-chooser.ts';
import { bareSpec } from '../stanzas/bare-spec.ts';
import type { StrategyChoice } from '../stanzas/strategy-choice.ts';
import { gatewaysAndListenerSets, type Profile } from './profiles.ts';

const weight = 'kgateway.dev/policy-weight';

/** Returns the fault of a weight that is not an integer of 32 bits. */
function weightFaults({ metadata: { annotations } }: KubernetesObject): readonly ObjectFault[] {
  const text = annotations?.[weight];
  if (text === undefined || isWeight(text)) return [];
  const message = `the weight ${JSON.stringify(text.slice(0, 40))} is not an integer of 32 bits; correct it`;
  return [{ message, pointer: formatPointer(['metadata', 'annotations', weight]) }];
}

/** Options for policy kinds of kgateway. */
export interface KgatewayOptions {
  /** The fields that deep merges join, by JSON Pointer. Default none. */
  readonly deep?: Readonly<Record<string, Combination>> | undefined;
  /** The fields that are also joined among policies on one object and its sections, by JSON Pointer. Default none. */
  readonly joined?: Readonly<Record<string, Combination>> | undefined;
  /** Top-level fields that are merged field by field, each of their fields in one piece, by JSON Pointer. Default none. */
  readonly parts?: readonly string[] | undefined;
  /**
   * Policies in this namespace can select targets in all namespaces: `KGW_GLOBAL_POLICY_NAMESPACE` of the controller. Default: none, as in kgateway.
   */
  readonly globalPolicyNamespace?: string | undefined;
}

/**
 * Returns the profile of kgateway's EP-11268: top-level fields, by weight, then age; the annotation of the parent resource says
 * whether parents or children are preferred, and whether values are joined. The fields of the route itself
 * prevail. Statuses have an entry for the nearest Gateway or ListenerSet.
 *
 * @param options Options that differ between policy kinds.
 * @returns The profile.
 */
export function kgateway({ deep = {}, joined = {}, parts = [], globalPolicyNamespace }: KgatewayOptions = {}) {
  const inParts = Object.fromEntries(parts.map((part) => [part, 'merge'] as const));
  const byField = parts.length === 0 ? shallow : fieldWise({ depth: 1, at: inParts });
  const byDeepMerge = fieldWise({ depth: 1, at: { ...inParts, ...deep } });
  const withinObject =
    Object.keys(joined).length === 0 ? byField : fieldWise({ depth: 1, at: { ...inParts, ...joined } });
  const preferChild = (strategy: MergeStrategy): StrategyChoice => ({ strategy, stanza: 'defaults' });
  const preferParent = (strategy: MergeStrategy): StrategyChoice => ({ strategy, stanza: 'overrides' });
  return {
    stanzas: bareSpec({ strategies: { shallow: byField }, strategyField: false }),
    sameLevel: 'oldest-wins',
    order: [byWeight(weight), byAge, byName],
    /** Returns the faults of the weight that a policy states. */
    faults: weightFaults,
    withinObject: preferChild(withinObject),
    strategyChooser: byAnnotation({
      annotation: 'kgateway.dev/inherited-policy-priority',
      values: {
        ShallowMergePreferChild: preferChild(byField),
        ShallowMergePreferParent: preferParent(byField),
        DeepMergePreferChild: preferChild(byDeepMerge),
        DeepMergePreferParent: preferParent(byDeepMerge),
      },
      otherwise: { ...preferChild(byField), dialectName: 'ShallowMergePreferChild' },
    }),
    ownValuePrecedence: 'highest',
    ancestors: gatewaysAndListenerSets,
    ancestorEntries: { reach: 'nearest' },
    ...(globalPolicyNamespace === undefined ? {} : { globalNamespace: globalPolicyNamespace, crossNamespace: 'allow' }),
  } satisfies Profile;
}
/** @hidden */
kgateway.uncalled = 'kgateway' as const;
