import type { JsonObject, KubernetesObject, ObjectFault, ResourceScope } from '@policy-machinery/resource';
import type { Targetable } from '@policy-machinery/topology';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { StanzaReader } from '../stanzas/stanza-reader.ts';
import type { AttachmentOptions } from './attachment-options.ts';
import type { ConcernField } from './concern-field.ts';
import type { MergingOptions } from './merging-options.ts';
import type { OtherVersion } from './other-version.ts';
import type { SecretField } from './secret-field.ts';
import type { StatusOptions } from './status-options.ts';

/** The declaration of any policy kind. */
// biome-ignore lint/suspicious/noExplicitAny: strategies of any spec, as for MergeStrategy.
export type AnyPolicyKindDefinition = PolicyKindDefinition<StandardSchemaV1<any, any>>;
/** The declaration of a policy kind: its names, its targets and its spec, and the options of attachment, merging and statuses. */
export interface PolicyKindDefinition<
  Schema extends StandardSchemaV1,
  Reader extends StanzaReader<NoInfer<StandardSchemaV1.InferInput<Schema>>> = StanzaReader,
> extends AttachmentOptions,
    MergingOptions<Schema, Reader>,
    StatusOptions {
  readonly group: string;
  /** The version that `spec` is the schema of. Policies of versions that the kind does not name are also read, with a warning. */
  readonly version: string;
  /**
   * Further versions, best first: policies are read in the first version that the API server serves, so that definitions and programs can be updated
   * one after the other. Default: none.
   */
  readonly otherVersions?: readonly OtherVersion[] | undefined;
  /** The version that the API server stores. Default: `version`. */
  readonly storedVersion?: string | undefined;
  readonly kind: string;
  /** Its name in URLs: `timeoutpolicies`. Default: the plural of the kind in lower case, as Kubernetes' generators write it. */
  readonly plural?: string | undefined;
  /** Default `Namespaced`. */
  readonly scope?: ResourceScope | undefined;
  /** The targets that its policies may name: the declared targets. */
  readonly targets: readonly Targetable[];
  /**
   * The schema of the spec proper: any Standard Schema (zod, valibot, arktype …). It validates each stanza as written. Its
   * transformations and defaults are not applied, because a filled-in default would count as set by the policy. Fields that a
   * patch may leave out must be optional.
   */
  readonly spec: Schema;
  /**
   * Returns a spec as the API server stores it, for example without fields that are `null`: this spec is read, validated and merged. Must be
   * pure. Default: the spec unchanged.
   */
  readonly stored?: ((spec: JsonObject) => JsonObject) | undefined;
  /** How policies write defaults, overrides and strategies. Default: a bare spec, merged by None for a direct kind, otherwise by Atomic defaults. */
  readonly stanzas?: Reader | undefined;
  /**
   * Returns the faults of a policy outside its spec, such as in its annotations. A policy with an error is left out. Must be pure. Default:
   * nothing.
   */
  readonly faults?: ((policy: KubernetesObject) => readonly ObjectFault[]) | undefined;
  /**
   * The fields that serve concerns of requests, such as authentication, so that `gwpolicy coverage` knows which requests are protected; `[]` for a kind
   * that serves none. Default: not known, and its policies may serve any concern.
   */
  readonly concerns?: readonly ConcernField[] | undefined;
  /**
   * The fields with values that must not be shown, such as passwords: answers, pages and comments mask them. `[]` for a kind without any. Default: fields
   * with the name of a secret, such as `password` and `apiKey`.
   */
  readonly secrets?: readonly SecretField[] | undefined;
  /** Never set: the mark of a profile that is spread without being called, which is an error. */
  readonly uncalled?: never | undefined;
}
