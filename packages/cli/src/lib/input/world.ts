import type { FoundKinds } from '@policy-machinery/known-kinds';
import { type Issue, isJsonObject, type KubernetesObject } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import type { Finding } from '../frame/answer.ts';
import type { Gap, ServedKind } from './cluster/served-kind.ts';
import { fillAll } from './fill.ts';
import { hierarchiesOf, type PolicyView } from './hierarchies.ts';

/** What the answer is about. */
export interface Scope {
  /** The only namespace of the answer; `undefined` for all of them. */
  readonly namespace: string | undefined;
}

/** Where objects of a cluster come from, so that they can be followed. */
export interface ClusterSource {
  /** The kinds that were read, at least in one namespace. */
  readonly kinds: readonly ServedKind[];
  /** The kinds that were not read in all namespaces. */
  readonly gaps: readonly Gap[];
  /**
   * Returns the kinds to read, by the CustomResourceDefinitions that there are.
   *
   * @param definitions The definitions.
   */
  readonly servedKinds: (definitions: readonly KubernetesObject[]) => readonly ServedKind[];
  /** The namespace that is meant where none is named. */
  readonly namespace: string;
  /** Objects of files, which lie over those of the cluster. */
  readonly files: readonly KubernetesObject[];
}

/** What a world is made of. */
export interface WorldInput {
  /** Each object once. */
  readonly objects: readonly KubernetesObject[];
  readonly found: FoundKinds;
  /** What is wrong with the texts that the objects are from. Default: nothing. */
  readonly issues?: readonly Finding[];
  /** Adds its position in a file to an issue. Default: there are no files. */
  readonly locate?: (issue: Issue) => Issue;
  /** What could not be read, in sentences; the world may be incomplete. Default: nothing. */
  readonly gaps?: readonly string[];
  readonly scope: Scope;
  /** Default: the objects are from files alone. */
  readonly source?: ClusterSource;
}

/** Everything that a question can be about: objects, their topologies, and the effective policies of each kind. */
export interface World extends Required<Omit<WorldInput, 'issues' | 'source'>>, Pick<WorldInput, 'source'> {
  /** The topology of Gateway API. */
  readonly topology: Topology;
  /** That topology, and the topology of a mesh if there are policy kinds of one. */
  readonly topologies: readonly Topology[];
  /** One for each policy kind, by topology, then by group and kind. */
  readonly views: readonly PolicyView[];
  /** What is wrong with the input: texts, objects and kinds. */
  readonly inputIssues: readonly Finding[];
}

/**
 * Makes a world of objects.
 *
 * @param input The objects, the policy kinds among them, and what was wrong with reading them.
 * @returns The world.
 */
export function createWorld(input: WorldInput): World {
  const { objects, found, issues = [], locate = (issue) => issue, gaps = [], scope, source } = input;
  const hierarchies = hierarchiesOf(found);
  const topologies = hierarchies.map(({ topology }) => topology);
  const refused = fillAll(topologies, objects);
  return {
    objects,
    found,
    gaps,
    scope,
    ...(source === undefined ? {} : { source }),
    locate,
    topology: hierarchies[0].topology,
    topologies,
    views: hierarchies.flatMap(({ views }) => views),
    inputIssues: [...issues, ...[...found.issues, ...refused].map(locate)],
  };
}

/** Returns whether an object is a CustomResourceDefinition, as far as that can be seen from its kind. */
export function isDefinition({ kind, apiVersion, spec }: KubernetesObject): boolean {
  return kind === 'CustomResourceDefinition' && apiVersion.startsWith('apiextensions.k8s.io/') && isJsonObject(spec);
}
