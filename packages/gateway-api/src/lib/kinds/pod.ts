import {
  formatGroupKind,
  groupKindOf,
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  specOf,
} from '@policy-machinery/resource';
import { defineTargetKind, type TargetKind, type TargetKindDefinition } from '@policy-machinery/topology';

const definition = {
  group: '',
  kind: 'Pod',
  plural: 'pods',
  versions: ['v1'],
  mayReferTo: () => false,
} as const satisfies TargetKindDefinition;

/** A Pod, which policies usually select by its labels. Its Namespace contains the Pod. */
export const Pod = defineTargetKind(definition);

/** Functions that return the Pod template from the spec of a workload, by kind. */
const templates: Readonly<Record<string, (spec: JsonObject) => unknown>> = {
  'Deployment.apps': ({ template }) => template,
  'StatefulSet.apps': ({ template }) => template,
  'DaemonSet.apps': ({ template }) => template,
  'Job.batch': ({ template }) => template,
  'CronJob.batch': ({ jobTemplate }) =>
    isJsonObject(jobTemplate) && isJsonObject(jobTemplate.spec) ? jobTemplate.spec.template : undefined,
};

/**
 * The target kinds of workloads in manifests without Pods: Deployment, StatefulSet, DaemonSet, Job and CronJob, and a virtual Pod
 * for each workload, with the labels of its template. Its name is the name of the workload with `-*`, like the names of its Pods: `reviews-v1-*`. Policies
 * target a virtual Pod like a {@link Pod}. A topology has either this kind of Pod or {@link Pod}, not both.
 */
export const podTemplates: readonly TargetKind[] = [
  defineTargetKind({ ...definition, derive: podsOfTemplate }),
  ...Object.keys(templates).map((name) => {
    const [kind = '', group = ''] = name.split('.');
    return defineTargetKind({ group, kind, versions: ['v1'], mayReferTo: () => false });
  }),
];

/** Returns the name of the virtual Pod of a workload. */
export function podsNamedAfter(workload: string): string {
  return `${workload}-*`;
}

function* podsOfTemplate(resource: KubernetesObject): Iterable<KubernetesObject> {
  const key = formatGroupKind(groupKindOf(resource));
  const template = Object.hasOwn(templates, key) ? templates[key]?.(specOf(resource)) : undefined;
  if (!isJsonObject(template)) return;
  const { name: workload, namespace } = resource.metadata;
  const name = podsNamedAfter(workload);
  const labels = isJsonObject(template.metadata) ? textsIn(template.metadata.labels) : {};
  const spec = isJsonObject(template.spec) ? template.spec : {};
  yield { apiVersion: 'v1', kind: 'Pod', metadata: { name, ...(namespace && { namespace }), labels }, spec };
}

function textsIn(labels: unknown): Readonly<Record<string, string>> {
  if (!isJsonObject(labels)) return {};
  const isText = (label: [string, unknown]): label is [string, string] => typeof label[1] === 'string';
  return Object.fromEntries(Object.entries(labels).filter(isText));
}
