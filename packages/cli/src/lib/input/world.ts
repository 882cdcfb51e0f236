import { isJsonObject, type KubernetesObject } from '@policy-machinery/resource';
import { rendered } from '../model/unrendered.ts';
import type { World, WorldInput } from '../model/world.ts';
import { nothing } from './completeness.ts';
import { fillAll } from './fill.ts';
import { hasGrounds } from './gitops/grounds.ts';
import { hierarchiesOf } from './kinds/hierarchies.ts';
import { misspelledKinds } from './kinds/misspelled-kinds.ts';

/**
 * Creates a world from objects.
 *
 * @param input The objects, their policy kinds, and the findings about the input.
 * @returns The world.
 */
export function createWorld(input: WorldInput): World {
  const { objects, found, issues = [], locate = (issue) => issue, gaps = [], scope, source, earlier } = input;
  const {
    ignoreStatus = false,
    showSecrets = false,
    unrendered = rendered,
    definitions = [],
    released = [],
    assumed = [],
    isComplete = nothing,
  } = input;
  const hierarchies = hierarchiesOf(found, { ignoreStatus, showSecrets, isComplete, earlier });
  const topologies = hierarchies.map(({ topology }) => topology);
  const refused = fillAll(topologies, [...objects, ...assumed.map(({ object }) => object)]);
  return {
    objects,
    found,
    gaps,
    scope,
    namespace: input.namespace,
    ignoreStatus,
    showSecrets,
    isComplete,
    unrendered,
    definitions,
    released,
    assumed,
    ...(source === undefined ? {} : { source }),
    locate,
    topology: hierarchies[0].topology,
    topologies,
    views: hierarchies.flatMap(({ views }) => views),
    inputIssues: [...issues, ...[...misspelledKinds(objects, found), ...found.issues, ...refused].map(locate)].filter(
      (issue) => hasGrounds({ unrendered, topologies }, issue),
    ),
  };
}

/** Returns a world without the Gateways that are assumed, for answers that rest on declared objects alone. */
export function onlyDeclared(world: World): World {
  return world.assumed.length === 0 ? world : createWorld({ ...world, assumed: [] });
}

/** Returns whether an object looks like a CustomResourceDefinition. */
export function isDefinition({ kind, apiVersion, spec }: KubernetesObject): boolean {
  return kind === 'CustomResourceDefinition' && apiVersion.startsWith('apiextensions.k8s.io/') && isJsonObject(spec);
}
