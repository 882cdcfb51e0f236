import { Pod } from '@policy-machinery/gateway-api';
import { podsNamedAfter } from '@policy-machinery/gateway-api/inner';
import { groupOf, type KubernetesObject, namespaceOf, objectIn, specOf } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import { targetsOfKind } from '../input/topologies.ts';
import type { PolicyView, World } from '../model/world.ts';

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

/** Returns whether policies of a mesh may apply to Pods of a Service, none of which is in the input: charts and operators create Pods. */
export function lacksPods(world: World, target: TargetNode): boolean {
  const { resource, ref } = target.object;
  const isOfPods = ({ effective: { kind, policies } }: PolicyView) =>
    policies.length > 0 && kind.effectiveTargets.includes(Pod);
  const isAbsent = podsOf(world, target).length === 0 && !world.isComplete(Pod, ref.namespace);
  return isAbsent && isOneOf(resource) !== undefined && world.views.some(isOfPods);
}

type IsOne = (pod: KubernetesObject) => boolean;

/** Returns the test for the Pods of an object; `undefined` if it has none. */
function isOneOf(object: KubernetesObject): IsOne | undefined {
  const { apiVersion, kind, metadata } = object;
  const { selector } = specOf(object);
  if (kind === 'Service' && groupOf(apiVersion) === '') return hasLabels(selector);
  if (kind === 'Pod' || !isWorkload(object)) return undefined;
  const { matchLabels, matchExpressions } = objectIn(selector);
  const isSelected = matchExpressions === undefined ? hasLabels(matchLabels) : undefined;
  const [ofTemplate, suffix] = [podsNamedAfter(metadata.name), podsNamedAfter('')];
  return (pod) => (pod.metadata.name.endsWith(suffix) ? pod.metadata.name === ofTemplate : isSelected?.(pod) === true);
}

/** Returns the test for labels; `undefined` if there are none. */
function hasLabels(labels: unknown): IsOne | undefined {
  const wanted = Object.entries(objectIn(labels));
  if (wanted.length === 0) return undefined;
  return ({ metadata }) => wanted.every(([label, value]) => metadata.labels?.[label] === value);
}

/** Returns whether no workload of a namespace is in the input: charts and operators may create them. */
export function hasNoWorkloads({ objects }: World, namespace: string): boolean {
  return !objects.some((object) => isWorkload(object) && namespaceOf(object) === namespace);
}
