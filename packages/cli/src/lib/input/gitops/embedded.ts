import { HTTPRoute } from '@policy-machinery/gateway-api';
import { knownKinds } from '@policy-machinery/known-kinds';
import { isJsonObject, type KubernetesObject } from '@policy-machinery/resource';

/** The groups of routes, Gateways and policies. */
const groups: ReadonlySet<string> = new Set([HTTPRoute.group, ...knownKinds.map(({ group }) => group)]);

/** Fields that a whole object has, and a reference to one does not. */
const contents = ['metadata', 'spec', 'data', 'clone'] as const;

/** Returns whether an object has another one in it, which its controller may create: a route, a Gateway or a policy. O(size). */
export function embedsRoutes({
  apiVersion: _version,
  kind: _kind,
  metadata: _metadata,
  status: _status,
  ...fields
}: KubernetesObject): boolean {
  return Object.values(fields).some(hasObject);
}

function hasObject(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasObject);
  if (!isJsonObject(value)) return false;
  const { apiVersion, kind } = value;
  const isWhole =
    typeof apiVersion === 'string' && typeof kind === 'string' && contents.some((field) => Object.hasOwn(value, field));
  if (isWhole && groups.has(apiVersion.split('/', 1)[0] ?? '')) return true;
  return Object.values(value).some(hasObject);
}
