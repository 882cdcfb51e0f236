import { atomic } from '@policy-machinery/merge';
import type { TargetNode } from '@policy-machinery/topology';
import type { Layer } from '../policies/policy.ts';
import { type StrategyChoice, selection } from '../stanzas/strategy-choice.ts';

/** A layer and the target that its policy is attached to. */
export interface AttachedLayer {
  readonly layer: Layer<unknown>;
  readonly target: TargetNode;
}

/** Who chooses the strategy when the policies of two levels meet. Within one level, the older layer's own strategy applies. */
// biome-ignore lint/suspicious/noExplicitAny: as for MergeStrategy.
export interface StrategyChooser<in Spec = any> {
  /**
   * The unit that is merged with everything below a level: each `layer` separately, so that its stanzas count as written; or the `level` as one,
   * after its policies have been merged with each other.
   */
  readonly unit: 'layer' | 'level';
  /**
   * Chooses the strategy.
   *
   * @param established The less specific layer, or the layer that was merged last if a level meets as one.
   * @param challenger The layer below it that was merged last.
   */
  readonly choose: (established: AttachedLayer, challenger: AttachedLayer) => StrategyChoice;
  /** All possible choices, if the chooser ignores the selections of policies. None cannot be one of several. */
  readonly choices?: readonly StrategyChoice<Spec>[];
}

/** The strategy of the established policy: GEP-713 and Kuadrant. */
export const byEstablished: StrategyChooser = { unit: 'layer', choose: ({ layer }) => layer };

/** The strategy of the more specific policy: Envoy Gateway's `mergeType`. */
export const byChallenger: StrategyChooser = { unit: 'level', choose: (_established, { layer }) => layer };

/** How an annotation chooses the strategy. */
export interface AnnotationOptions {
  /** The annotation: `kgateway.dev/inherited-policy-priority`. */
  readonly annotation: string;
  /**
   * The choice for each of its values; or a function that returns the choice for any value, and `undefined` for one that means nothing. Each
   * strategy must support its stanza, and be none of those that cannot meet others, such as None.
   */
  readonly values: Readonly<Record<string, StrategyChoice>> | ((value: string) => StrategyChoice | undefined);
  /** The choice without an annotation, or for another value. Default: Atomic defaults. */
  readonly otherwise?: StrategyChoice | undefined;
}

/**
 * Returns a chooser that reads an annotation of the less specific *target*: kgateway.
 *
 * @param options The annotation and its values.
 * @returns The chooser.
 */
export function byAnnotation({
  annotation,
  values,
  otherwise = { strategy: atomic, stanza: 'defaults' },
}: AnnotationOptions): StrategyChooser {
  const isFunction = typeof values === 'function';
  const choiceOf = (value: string): StrategyChoice | undefined => {
    if (isFunction) return values(value);
    return Object.hasOwn(values, value) ? values[value] : undefined;
  };
  return {
    unit: 'level',
    choices: [...(isFunction ? [] : Object.values(values)), otherwise],
    choose: ({ target }) => {
      const value = target.resource.metadata.annotations?.[annotation];
      const choice = value === undefined ? undefined : choiceOf(value);
      if (value === undefined) return { ...otherwise, because: selection(annotation, undefined) };
      if (choice === undefined) return { ...otherwise, because: `${annotation} has an unknown value` };
      return { dialectName: value, ...choice, because: selection(annotation, value) };
    },
  };
}

/**
 * Returns a chooser that always takes the strategy in the configuration of the controller, regardless of policies.
 *
 * @param choice The strategy and the stanza.
 * @returns The chooser.
 */
export function byConfiguration<Spec>(choice: StrategyChoice<Spec>): StrategyChooser<Spec> {
  return { unit: 'level', choices: [choice], choose: () => choice };
}
