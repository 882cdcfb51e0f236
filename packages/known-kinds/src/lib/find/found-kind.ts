import type { Vocabulary } from '@policy-machinery/conditions';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import type { JsonObject } from '@policy-machinery/resource';
import type { TargetKind, TargetNode } from '@policy-machinery/topology';

/** Where policies of a kind count, as `effectivePolicies` takes it. */
export interface ViewOptions {
  /** Returns whether policies count at an object. Default: they count at all objects. */
  readonly ours?: ((object: TargetNode) => boolean) | undefined;
}

/** The CustomResourceDefinition of a kind. */
export interface DefinedBy {
  /** Its short names: `btp`. */
  readonly shortNames: readonly string[];
  /** The release that it is from, if none of the resources defines the kind: `Envoy Gateway v1.9.0`. */
  readonly release?: string;
}

/** A policy kind, and how it was found. */
export interface FoundKind {
  readonly kind: PolicyKind<unknown>;
  /**
   * The source of the kind: `yours` is your own declaration, `table` is `knownKinds`, `schema` is its
   * CustomResourceDefinition, and `objects` are policies of a kind that nothing else defines.
   */
  readonly foundBy: 'yours' | 'table' | 'schema' | 'objects';
  /**
   * Whether policies are merged. With `unknown`, they are kept apart: an effective spec has a field for each policy that the context meets,
   * `namespace/name`, with the spec of that policy. `--dialect` declares how they are merged.
   */
  readonly merging: 'known' | 'unknown';
  /** The reason why policies are kept apart although their merging is known, as a sentence: a reference has a field that is not read. */
  readonly unmergedBecause?: string;
  /** The class in GEP-713, with its source. */
  readonly policyClass: 'Direct' | 'Inherited';
  readonly classFrom: 'yours' | 'label' | 'table' | 'schema';
  /** The structural schema of its effective specs, if a CustomResourceDefinition of the input or of a release says it. */
  readonly effectiveSchema?: JsonObject;
  /** The name of the dialect, if it was chosen for this kind. */
  readonly dialect?: string;
  /** The project that defines the kind, if known. */
  readonly system?: string;
  /** Options for `effectivePolicies`: Gateways of classes with another system's controller are left out. */
  readonly viewOptions: ViewOptions;
  /** Where the status of a policy has its conditions. */
  readonly status: 'ancestors' | 'conditions' | 'other';
  /** The kinds of backends that refer to other backends, so that statuses also have their ancestors. `undefined` for none. */
  readonly referrers?: readonly TargetKind[];
  /** The conditions that its controller reports for a policy. GEP-713's, unless the table knows others. */
  readonly vocabulary: Vocabulary;
  /** The CustomResourceDefinition for checking specs. `undefined` without one. */
  readonly definedBy?: DefinedBy;
  /** Notes about unknown, unchecked or left-out parts, as sentences. */
  readonly notes: readonly string[];
}
