import { createHash } from 'node:crypto';
import type { ObjectWrite } from '@policy-machinery/cluster';
import { isJsonObject, type JsonObject, type KubernetesObject, locatorOf, refOf } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';

/** The write of an owned object, with the target that it belongs to. */
export interface OwnedWrite extends ObjectWrite {
  readonly target: string;
}

/** The marks on a controller's owned objects. */
export interface OwnedMarks {
  /** The label of all owned objects: `app.kubernetes.io/managed-by`. */
  readonly label: readonly [key: string, value: string];
  /** The annotation with the key of the context: the locator of the target, and of the data plane if it is another object. */
  readonly target: string;
  /** The annotation with a hash of the applied content. */
  readonly applied: string;
}

const longestLabel = 63;

/** A name that makes its own label when its slash is replaced. */
const plainName = /^[a-z0-9.-]+\/[A-Za-z0-9.-]*[A-Za-z0-9]$/;

/**
 * Returns the marks of a controller's owned objects, which no other controller has: a label that is not the whole name ends with a hash of it,
 * because a controller deletes objects that have its label and are not wanted.
 */
export function marksOf(controller: string): OwnedMarks {
  const [domain = controller] = controller.split('/');
  const isPlain = plainName.test(controller) && controller.length <= longestLabel;
  const written = controller.replaceAll(/[^A-Za-z0-9.-]/g, '-');
  const hash = hashOf(controller);
  const value = isPlain ? written : `${written.slice(0, longestLabel - hash.length - 1)}-${hash}`;
  return { label: ['app.kubernetes.io/managed-by', value], target: `${domain}/target`, applied: `${domain}/applied` };
}

/** Returns whether an object of the cluster is the controller's. */
export function isMarked(object: KubernetesObject | undefined, { label }: OwnedMarks): object is KubernetesObject {
  const [key, value] = label;
  return object?.metadata.labels?.[key] === value;
}

/** Returns whether an object of the cluster is of others. One that has lost its label is not, as long as it names a target. */
export function isForeign(object: KubernetesObject | undefined, marks: OwnedMarks): boolean {
  if (object === undefined) return false;
  const { labels, annotations } = object.metadata;
  const [key, value] = marks.label;
  return labels?.[key] === undefined ? annotations?.[marks.target] === undefined : labels[key] !== value;
}

/**
 * Returns the body of an owned object: with its marks, and the target's object as its owner where Kubernetes allows that, which is in one namespace, or
 * for a cluster-scoped owner. Kubernetes then deletes the object with its owner, whether or not the controller runs.
 */
export function bodyOf(
  object: KubernetesObject,
  target: TargetNode,
  context: string,
  marks: OwnedMarks,
): KubernetesObject {
  const { metadata, ...content } = object;
  const [label, value] = marks.label;
  const hash = hashOf(JSON.stringify([metadata, content]));
  const owner = ownerOf(target, metadata.namespace);
  return {
    ...content,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [label]: value },
      annotations: { ...metadata.annotations, [marks.target]: context, [marks.applied]: hash },
      ...(owner === undefined ? {} : { ownerReferences: [owner] }),
    },
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function ownerOf({ resource, ref }: TargetNode, namespace: string | undefined): JsonObject | undefined {
  const { uid, name } = resource.metadata;
  const isAllowed = ref.namespace === undefined || ref.namespace === namespace;
  if (uid === undefined || !isAllowed) return undefined;
  return { apiVersion: resource.apiVersion, kind: resource.kind, name, uid };
}

/** Returns the write that creates an owned object, or restores its content. */
export function applying(body: KubernetesObject, target: string): OwnedWrite {
  const ref = refOf(body);
  const patch = [{ op: 'replace', path: '', value: body }];
  return {
    ref,
    locator: locatorOf(body),
    subresource: undefined,
    patch,
    apply: JSON.parse(JSON.stringify(body)),
    action: 'apply',
    target,
  };
}

/** Returns the write that deletes an owned object, and no other of the same name. */
export function deleting(object: KubernetesObject, target: string): OwnedWrite {
  const { name, uid, resourceVersion } = object.metadata;
  const metadata = { name, ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
  return {
    ref: refOf(object),
    locator: locatorOf(object),
    subresource: undefined,
    patch: [],
    apply: { metadata },
    action: 'delete',
    target,
  };
}

/** Returns whether a value has all that another one has: objects may have further keys, which others set. */
export function holds(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(value) && value.length === wanted.length && wanted.every((it, index) => holds(value[index], it))
    );
  }
  if (!isJsonObject(wanted)) return Object.is(value, wanted);
  return (
    isJsonObject(value) &&
    Object.entries(wanted).every(([key, field]) => field === undefined || holds(value[key], field))
  );
}
