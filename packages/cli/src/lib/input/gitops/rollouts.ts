import { type JsonObject, type KubernetesObject, objectIn, objectsIn, specOf } from '@policy-machinery/resource';
import type { ObjectInFile } from './object-in-file.ts';
import type { RendererRule } from './renderer-rules.ts';

/**
 * Returns the routes that the Gateway API plugin of Argo Rollouts changes: it sets weights of their backends, and may add rules.
 *
 * Its fields: https://github.com/argoproj-labs/rollouts-plugin-trafficrouter-gatewayapi/blob/main/pkg/plugin/types.go
 */
export function rolloutRules({ object, source }: ObjectInFile): readonly RendererRule[] {
  if (object.kind !== 'Rollout' || !object.apiVersion.startsWith('argoproj.io/')) return [];
  const { plugins } = objectIn(objectIn(objectIn(specOf(object).strategy).canary).trafficRouting);
  return Object.values(objectIn(plugins)).map((plugin) => {
    const { namespace = object.metadata.namespace, ...fields } = objectIn(plugin);
    const isBeside = ({ metadata }: KubernetesObject) => [namespace, undefined].includes(metadata.namespace);
    return { field: 'trafficRouting', source, isAbout: (_, it) => isBeside(it) && isRouted(it, fields) };
  });
}

/** Returns whether a plugin names a route, or may select it. */
function isRouted({ kind, metadata }: KubernetesObject, fields: JsonObject): boolean {
  const field = kind.replace(/^[A-Z]+(?=Route$)/, (it) => it.toLowerCase());
  const names = [fields[field], ...objectsIn(fields[`${field}s`]).map(({ name }) => name)];
  return names.includes(metadata.name) || Object.hasOwn(fields, `${field}Selector`);
}
