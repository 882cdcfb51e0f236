import type { Vocabulary } from '@policy-machinery/conditions';
import type { GatewayApiOptions } from '@policy-machinery/gateway-api';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import type { GroupKind, JsonObject, ResourceScope } from '@policy-machinery/resource';
import type { Targetable, TargetKind } from '@policy-machinery/topology';
import type { Dialect } from './dialects.ts';
import type { OwnField } from './own-fields.ts';
import type { TargetFields } from './served-fields.ts';
import type { SpecChecks } from './spec-checks.ts';

/** The properties of a kind that a table cannot know: how the kind is used in one cluster. */
export interface KindOptions {
  /** The version in use. Default: the first one of {@link KnownKind.versions}. */
  readonly version?: string | undefined;
  /** Further versions, where policies are the same as in the version in use. Default: none is known. */
  readonly otherVersions?: readonly string[] | undefined;
  /**
   * Further kinds that policies in this cluster target, for kinds that leave their targets to implementations. Other kinds ignore
   * them. Default none.
   */
  readonly otherTargets?: readonly TargetKind[] | undefined;
  /** The checks of specs. Default: a spec must be an object. */
  readonly checks?: SpecChecks | undefined;
  /** How policies are merged. Default: as in the table; not at all, if merging is not known. */
  readonly dialect?: Dialect | undefined;
  /** `unknown` declares a kind that does not merge, whatever the table says; a dialect prevails. Default: as in the table. */
  readonly merging?: 'unknown' | undefined;
}

/** A policy kind of an existing system, as data. */
export interface KnownKind extends GroupKind {
  /** The project that defines the kind: `Envoy Gateway`. */
  readonly system: string;
  /** Its name in URLs: `backendtrafficpolicies`. */
  readonly plural: string;
  /** The served versions, the preferred one first. */
  readonly versions: readonly string[];
  readonly scope: ResourceScope;
  /** The class in GEP-713: whether policies affect only their targets (`Direct`), or also targets below (`Inherited`). */
  readonly policyClass: 'Direct' | 'Inherited';
  /** The targets that its policies may name. */
  readonly targets: readonly Targetable[];
  /** The targets that its policies affect. */
  readonly effectiveTargets: readonly Targetable[];
  /**
   * The fields with targets in the definition of the kind, each with its fields beside `group`, `kind`, `name` and `matchLabels`. Default: not known, and
   * all are read.
   */
  readonly targetFields?: TargetFields;
  /**
   * Whether the rules of merging are known. With `unknown`, the policy kind does not merge: the effective
   * spec of a context has a field for each of its policies, `namespace/name`, with the spec of that policy.
   */
  readonly merging: 'known' | 'unknown';
  /** Where the status of a policy has its conditions: for each ancestor, in one list, or nowhere in these forms. */
  readonly status: 'ancestors' | 'conditions' | 'other';
  /**
   * The kinds of backends that refer to other backends. Statuses of policies on a backend then also have the ancestors of the objects that refer to
   * the backend in `backendRef` fields: of these backends, and of the targets of policies. Default: none.
   */
  readonly referrers?: readonly TargetKind[];
  /** The conditions that its controller reports for a policy. */
  readonly vocabulary: Vocabulary;
  /** The page or the source file with these facts. */
  readonly source: string;
  /**
   * The options of `definePolicyKind` that the row sets, beside its names, targets and schema, sorted: `fold`, `sameLevel`. They determine how
   * targets are read and policies are merged.
   */
  readonly options: readonly string[];
  /** The fields of routes and backends that policies also set, and which of the two counts. Default: none is known. */
  readonly ownFields: readonly OwnField[];
  /** Notes for readers of results: the parts that the policy kind leaves out. Default: none. */
  readonly notes: readonly string[];
  /** The kinds that virtual targets of this kind are derived from. Default: none. */
  readonly sources: readonly TargetKind[];
  /** How `gatewayApi()` must link routes, so that policies of this kind reach all of their targets. Default: its defaults. */
  readonly linking: GatewayApiOptions;
  /** The hierarchy for policies of this kind: of `gatewayApi()`, or of `istioMesh()`. A topology has one hierarchy. */
  readonly hierarchy: 'gateway-api' | 'istio';
  /**
   * The domains of the controllers, in the `controllerName` of GatewayClasses, if policies of the kind count at their
   * Gateways: `gateway.envoyproxy.io`. Default: not known.
   */
  readonly controllers?: readonly string[];
  /**
   * Declares the policy kind.
   *
   * @param options The version, the checks of specs, and the dialect.
   * @returns The policy kind, for `createTopology` and `effectivePolicies`.
   */
  readonly define: (options?: KindOptions) => PolicyKind<JsonObject>;
}
