import type { Issue, KubernetesObject } from '@policy-machinery/resource';
import type { LayerReading } from '../stanzas/stanza-reader.ts';

/** A valid policy. */
export interface Policy<Spec> {
  readonly locator: string;
  /** `namespace/name`, or the name alone of a cluster-scoped policy. */
  readonly name: string;
  readonly resource: KubernetesObject;
  /** Creation time in whole seconds; `undefined` if unknown, which counts as the newest. */
  readonly createdAt: number | undefined;
  /** Its layers: usually one, or more if its dialect allows several stanzas in one policy. */
  readonly layers: readonly Layer<Spec>[];
}

/** One stanza of a policy, which is merged with the stanzas of others. */
export interface Layer<Spec> extends Omit<LayerReading, 'spec'> {
  readonly policy: Policy<Spec>;
  /**
   * The spec proper, of an additive kind under its group and the name of its policy. It shares its parts with the policy; neither is
   * changed or frozen.
   */
  readonly spec: Spec;
}

/** The result of reading a policy. */
export interface PolicyReading<Spec> {
  /** The policy; `undefined` if one of the issues is an error. */
  readonly policy: Policy<Spec> | undefined;
  readonly issues: readonly Issue[];
}
