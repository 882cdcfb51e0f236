import { atomic, type MergeStrategy, type Stanza } from '@policy-machinery/merge';
import type { TargetNode } from '@policy-machinery/topology';
import type { Layer } from './policy.ts';

/** A strategy and the stanza that it is used for. */
export interface Choice {
  readonly strategy: MergeStrategy;
  readonly stanza: Stanza;
  /** The name in the dialect, for messages that also have GEP-713's name (M-08): the name in a policy or an annotation. */
  readonly dialectName?: string | undefined;
}

/** A layer and the target that its policy is attached to. */
export interface Standing {
  readonly layer: Layer<unknown>;
  readonly target: TargetNode;
}

/**
 * Who chooses the strategy when the policies of two levels meet. Within one level, the older layer's own strategy
 * applies.
 */
export interface Dictate {
  /**
   * What meets everything below a level: each of its `layers` separately, so that its stanzas count as written; or the `level`
   * as one, after its policies have been merged with each other.
   */
  readonly meeting: 'layers' | 'level';
  /**
   * Chooses the strategy.
   *
   * @param established The less specific layer, or the layer that was merged last if a level meets as one.
   * @param challenger The layer below it that was merged last.
   */
  readonly choose: (established: Standing, challenger: Standing) => Choice;
  /** All possible choices, if it does not choose what policies select. None cannot be one of several (C-07). */
  readonly choices?: readonly Choice[];
}

/** The established policy dictates: GEP-713 and Kuadrant (C-05, K-09). */
export const byEstablished: Dictate = { meeting: 'layers', choose: ({ layer }) => layer };

/** The more specific policy dictates: Envoy Gateway's `mergeType` (E-01). */
export const byChallenger: Dictate = { meeting: 'level', choose: (_established, { layer }) => layer };

/** How an annotation chooses the strategy. */
export interface AnnotationOptions {
  /** The annotation: `kgateway.dev/inherited-policy-priority`. */
  readonly annotation: string;
  /** The choice for each of its values. */
  readonly values: Readonly<Record<string, Choice>>;
  /** The choice if there is no annotation, or another value. Default: Atomic defaults. */
  readonly otherwise?: Choice;
}

/**
 * Returns a rule with which the less specific *target* dictates, by an annotation: kgateway (G-05).
 *
 * @param options The annotation and its values.
 * @returns The rule.
 */
export function byAnnotation({
  annotation,
  values,
  otherwise = { strategy: atomic, stanza: 'defaults' },
}: AnnotationOptions): Dictate {
  return {
    meeting: 'level',
    choices: [...Object.values(values), otherwise],
    choose: ({ target }) => {
      const value = target.resource.metadata.annotations?.[annotation];
      const choice = value !== undefined && Object.hasOwn(values, value) ? values[value] : undefined;
      return choice === undefined || value === undefined ? otherwise : { dialectName: value, ...choice };
    },
  };
}

/**
 * Returns a rule with which the configuration of the controller dictates, whatever policies say (P-08).
 *
 * @param choice The strategy and the stanza.
 * @returns The rule.
 */
export function byConfiguration(choice: Choice): Dictate {
  return { meeting: 'level', choices: [choice], choose: () => choice };
}
