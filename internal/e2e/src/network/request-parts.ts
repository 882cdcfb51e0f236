import { objectIn, objectsIn, stringIn } from '@policy-machinery/resource';
import type { AuditedRequest } from '../audit.ts';
import { controllerName } from './shop-controller.ts';

/** Returns whether a write has a part, for each part that promises depend on. */
const parts = {
  'preconditions.uid': ({ sent }) => isText(objectIn(objectIn(sent).preconditions).uid),
  'preconditions.resourceVersion': ({ sent }) => isText(objectIn(objectIn(sent).preconditions).resourceVersion),
  fieldManager: ({ query }) => query.fieldManager === controllerName,
  force: ({ query }) => query.force === 'true',
  uid: ({ sent }) => isText(objectIn(objectIn(sent).metadata).uid),
  resourceVersion: ({ sent }) => isText(versionIn(sent)),
} satisfies Readonly<Record<string, (request: AuditedRequest) => boolean>>;

/** The name of a part. */
export type Part = keyof typeof parts;

/** Returns the names of the parts that a write has. */
export function partsOf(request: AuditedRequest): readonly string[] {
  return Object.entries(parts).flatMap(([name, has]) => (has(request) ? name : []));
}

/** Returns the form and the resource of a write: `json-patch httproutes/status`. */
export function writeIn({ verb, resource, sent }: AuditedRequest): string {
  const form = verb === 'patch' ? (Array.isArray(sent) ? 'json-patch' : 'apply') : verb;
  return `${form} ${resource.replace(/\..*/, '')}`;
}

/** Returns the version that a write is bound to: in the first operation of a JSON Patch, else in the metadata. */
function versionIn(sent: unknown): unknown {
  if (!Array.isArray(sent)) return objectIn(objectIn(sent).metadata).resourceVersion;
  const [{ path, value } = {}] = objectsIn(sent);
  return path === '/metadata/resourceVersion' ? value : undefined;
}

const isText = (value: unknown): boolean => (stringIn(value) ?? '') !== '';
