import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { FoundKind, FoundKinds } from '@policy-machinery/known-kinds';
import type { SecretField } from '@policy-machinery/policy-kind';
import type { Issue, KubernetesObject, ReleasedDefinition } from '@policy-machinery/resource';
import type { IsComplete, Topology } from '@policy-machinery/topology';
import type { Finding } from './answer.ts';
import type { Gap, ServedKind } from './served-kind.ts';
import type { Unrendered } from './unrendered.ts';

/** The part of a world that an answer is about. */
export interface Scope {
  /** The only namespace of the answer; `undefined` for all of them. */
  readonly namespace: string | undefined;
}

/** How the objects of a cluster were read, which is needed to follow them. */
export interface ClusterSource {
  /** The kinds that were read in at least one namespace. */
  readonly kinds: readonly ServedKind[];
  /** The kinds that were not read in all namespaces. */
  readonly gaps: readonly Gap[];
  /** Returns the kinds to read, by the CustomResourceDefinitions that there are. */
  readonly servedKinds: (definitions: readonly KubernetesObject[]) => readonly ServedKind[];
  readonly namespace: string;
  /** The objects of files, which are applied over the cluster's. */
  readonly files: readonly KubernetesObject[];
}

/** A Gateway that routes refer to, and that is not in the input. */
export interface AssumedGateway {
  /** Whether the files have a Gateway of that name without a namespace: it may be the one that is meant. */
  readonly hasNamesake: boolean;
  readonly object: KubernetesObject;
  /** The references to it: the route, and where it has the reference. */
  readonly refs: readonly { readonly resource: string; readonly pointer: string }[];
}

/** A policy kind, with the effective policies of that kind. */
export interface PolicyView {
  readonly found: FoundKind;
  /** The fields with values that must not be shown; `undefined` if their names decide. */
  readonly secrets: readonly SecretField[] | undefined;
  readonly effective: EffectivePolicies<unknown>;
}

export interface WorldInput {
  /** Each object once. */
  readonly objects: readonly KubernetesObject[];
  readonly found: FoundKinds;
  /** The findings about the texts of the objects. Default: none. */
  readonly issues?: readonly Finding[];
  /** Returns an issue with its position in a file. Default: none. */
  readonly locate?: (issue: Issue) => Issue;
  /** The parts that could not be read, in sentences; with any, the world may be incomplete. Default: none. */
  readonly gaps?: readonly string[];
  /** The completeness of the objects. Default: nothing, because files need not have everything that is applied. */
  readonly isComplete?: IsComplete;
  readonly scope: Scope;
  /** The namespace of names that have none. Default: there is none. */
  readonly namespace?: string | undefined;
  /** Whether statuses do not count. Default: a policy that its controller has refused holds nothing. */
  readonly ignoreStatus?: boolean;
  /** Whether secret values are shown. Default: they are masked. */
  readonly showSecrets?: boolean;
  /** The Gateways of others that routes refer to. Default: none. */
  readonly assumed?: readonly AssumedGateway[];
  /** The definitions of `--kinds`. Default: none. */
  readonly definitions?: readonly KubernetesObject[];
  /** The definitions of releases that objects were read with, for kinds that none of the objects defines. Default: none. */
  readonly released?: readonly ReleasedDefinition[];
  /** The input that must be rendered before it is applied. Default: nothing. */
  readonly unrendered?: Unrendered;
  /** The world before a change, with the same kinds and options: results for the same objects are shared with it. Default: there is none. */
  readonly earlier?: Pick<World, 'views'> | undefined;
  /** Default: the objects are from files alone. */
  readonly source?: ClusterSource;
}

/** Everything that a question can be about: objects, their topologies, and the effective policies of each kind. */
export interface World extends Required<Omit<WorldInput, 'issues' | 'source' | 'earlier'>>, Pick<WorldInput, 'source'> {
  /** The topology of Gateway API. */
  readonly topology: Topology;
  /** Gateway API's topology, and a mesh's if there are policy kinds for one. */
  readonly topologies: readonly Topology[];
  /** The effective policies of each kind, sorted by topology, then by group and kind. */
  readonly views: readonly PolicyView[];
  /** The findings about the input: texts, objects and kinds. */
  readonly inputIssues: readonly Finding[];
}
