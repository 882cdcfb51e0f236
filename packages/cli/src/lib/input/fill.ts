import { type Issue, type KubernetesObject, PolicyMachineryError } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';

/**
 * Adds objects to several topologies.
 *
 * @returns The issues of the objects that were left out, without duplicates.
 */
export function fillAll(topologies: readonly Topology[], objects: readonly KubernetesObject[]): readonly Issue[] {
  const issues = topologies.flatMap((topology) => fill(topology, objects));
  return [...new Map(issues.map((issue) => [JSON.stringify(issue), issue])).values()];
}

/**
 * Adds objects to a topology. Only the objects that the topology refuses, such as one that closes a cycle, are left out.
 *
 * @returns The issues of the objects that were left out.
 */
function fill(topology: Topology, objects: readonly KubernetesObject[]): readonly Issue[] {
  const issues = refusalOf(topology, objects);
  if (issues === undefined) return [];
  if (objects.length === 1) return issues;
  const middle = objects.length >> 1;
  return [...fill(topology, objects.slice(0, middle)), ...fill(topology, objects.slice(middle))];
}

/** Returns why the topology refuses objects; `undefined` if it takes them. */
function refusalOf(topology: Topology, upsert: readonly KubernetesObject[]): readonly Issue[] | undefined {
  try {
    topology.apply({ upsert });
    return undefined;
  } catch (error) {
    if (!(error instanceof PolicyMachineryError)) throw error;
    const { code, message, issues } = error;
    return issues.length > 0 ? issues : [{ code, severity: 'error', message }];
  }
}
