import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { ConcernField, ConcernName } from '@policy-machinery/policy-kind';
import type { GroupKind, KubernetesObject, ResourceRef } from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';

/** The effects of the fields of a kind. */
export interface Facts {
  readonly fields: readonly ConcernField[];
  /** The stanzas of specs that are not merged. Default: the spec itself. */
  readonly stanzas?: readonly string[];
}

/** A policy kind with policies that may protect requests. */
export interface CoveringKind {
  readonly effective: EffectivePolicies<unknown>;
  /** Whether its policies are merged. */
  readonly isMerged: boolean;
}

/** The input of {@link coverage}. */
export interface CoverageInput {
  /** The topology of Gateway API. */
  readonly topology: Topology;
  /** The policy kinds, each with a topology, of Gateway API or of a mesh. */
  readonly kinds: readonly CoveringKind[];
  /**
   * Returns the effects of the fields of a kind: of policies without `concerns`, of Gateways, routes and filters. `undefined` if they
   * are not known.
   */
  readonly factsOf: (kind: GroupKind) => Facts | undefined;
  /** Returns the concerns that objects of a kind without facts can serve. Default: any. */
  readonly mayServe?: (kind: GroupKind) => readonly ConcernName[] | undefined;
  /** Returns an object that a route or policy names. */
  readonly find: (ref: ResourceRef) => KubernetesObject | undefined;
  /** Returns whether a Gateway is assumed, so that its policies are not known. Default: all are declared. */
  readonly isAssumed?: (gateway: TargetNode) => boolean;
}

/** The concerns that TLS, TCP and UDP have; others are about HTTP, and cannot be checked there. */
export const concernsOfConnections: ReadonlySet<ConcernName> = new Set([
  'client-tls',
  'client-certificate',
  'backend-tls',
  'mesh-mtls',
  'overload',
  'circuit-breaking',
  'health-check',
  'load-balancing',
  'timeout',
  'observability',
  'dns',
  'custom',
]);

/** The concerns that custom code of a Gateway cannot serve: they are decided before, or elsewhere. */
export const notByCustomCode: ReadonlySet<ConcernName> = new Set([
  'client-tls',
  'client-certificate',
  'backend-tls',
  'mesh-mtls',
  'dns',
]);
