import { Pod } from '@policy-machinery/gateway-api';
import { podsNamedAfter } from '@policy-machinery/gateway-api/inner';
import { groupOf, isJsonObject, type KubernetesObject, namespaceOf, specOf } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import { targetsOfKind } from '../input/topologies.ts';
import type { World } from '../model/world.ts';

/** The kinds of workloads, by group. */
const workloads: Readonly<Record<string, readonly string[]>> = {
  '': ['Pod'],
  apps: ['Deployment', 'StatefulSet', 'DaemonSet'],
  batch: ['Job', 'CronJob'],
};

/** Returns whether an object is a Pod, or makes Pods. */
export function isWorkload({ apiVersion, kind }: KubernetesObject): boolean {
  return workloads[groupOf(apiVersion)]?.includes(kind) ?? false;
}

/** Returns the Pods of a Service or workload, such as a Deployment: in a mesh, policies apply to these. None for other targets. */
export function podsOf(world: World, { object }: TargetNode): readonly TargetNode[] {
  const isOne = isOneOf(object.resource);
  if (isOne === undefined) return [];
  const { namespace } = object.ref;
  return targetsOfKind(world, Pod).filter(({ ref, resource }) => ref.namespace === namespace && isOne(resource));
}

type IsOne = (pod: KubernetesObject) => boolean;

/** Returns the test for the Pods of an object; `undefined` if it has none. */
function isOneOf(object: KubernetesObject): IsOne | undefined {
  const { apiVersion, kind, metadata } = object;
  if (kind === 'Service' && groupOf(apiVersion) === '') {
    const { selector } = specOf(object);
    const wanted = isJsonObject(selector) ? Object.entries(selector) : [];
    if (wanted.length === 0) return undefined;
    return ({ metadata: { labels } }) => wanted.every(([label, value]) => labels?.[label] === value);
  }
  if (kind === 'Pod' || !isWorkload(object)) return undefined;
  return ({ metadata: { name } }) => name === podsNamedAfter(metadata.name);
}

/** Returns whether no workload of a namespace is in the input: charts and operators may create them. */
export function hasNoWorkloads({ objects }: World, namespace: string): boolean {
  return !objects.some((object) => isWorkload(object) && namespaceOf(object) === namespace);
}
