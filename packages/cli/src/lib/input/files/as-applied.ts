import type { KubernetesObject } from '@policy-machinery/resource';
import type { Manifests } from '@policy-machinery/resource/manifests';
import type { Finding } from '../../model/answer.ts';

/** Whether the objects of files have the fields that an API server sets. */
export type ServerFields = 'count' | 'do-not-count' | 'are-absent';

/** An object as it counts, and whether the fields that an API server sets are part of it. */
export interface AppliedObject {
  readonly object: KubernetesObject;
  readonly serverFields: ServerFields;
}

/** Objects that have fields of an API server, each with the object that counts in its place. */
const applied = new WeakMap<KubernetesObject, KubernetesObject>();

/**
 * Returns the relevant part of an object of a file. Whoever writes a file can write any status and any deletion time into it, and an API server
 * drops both. They count if the object is from a cluster: an item with a `resourceVersion` of a list, as `kubectl get -o yaml` prints objects. The
 * creation time counts in any file.
 *
 * @param object The object in the file.
 * @param manifests The manifests that it is from.
 * @param keepsStatus Whether the status stays, for a command that compares statuses.
 */
export function asApplied(object: KubernetesObject, manifests: Manifests, keepsStatus: boolean): AppliedObject {
  const { resourceVersion, uid, deletionTimestamp, ...metadata } = object.metadata;
  if (!hasStatus(object) && [resourceVersion, uid, deletionTimestamp].every((it) => it === undefined))
    return { object, serverFields: 'are-absent' };
  if (resourceVersion !== undefined && manifests.isListed(object)) return { object, serverFields: 'count' };
  const { status, ...rest } = object;
  const known = applied.get(object) ?? { ...rest, metadata };
  applied.set(object, known);
  return { object: keepsStatus ? { ...known, status } : known, serverFields: 'do-not-count' };
}

/** Returns whether an object has a status with content. Generators write an empty one into manifests. */
function hasStatus({ status }: KubernetesObject): boolean {
  return typeof status === 'object' && status !== null && Object.keys(status).length > 0;
}

/** Returns the findings about fields that an API server sets: each kind once, with the number of objects. */
export function serverFieldFindings(objects: readonly AppliedObject[]): readonly Finding[] {
  const count = (fields: ServerFields) => objects.filter(({ serverFields }) => serverFields === fields).length;
  const findings: Finding[] = [];
  const add = (number: number, message: string) => {
    if (number > 0) findings.push({ code: 'server-fields', severity: 'note', message });
  };
  const [from, without] = [count('count'), count('do-not-count')];
  add(from, `${objectsOf(from)} in lists with resourceVersions, so statuses and deletion times count as in a cluster`);
  add(
    without,
    `${objectsOf(without)} in files with a status, deletionTimestamp, uid or resourceVersion, which an API server sets: these fields do not count; to use them, print the objects with kubectl get -o yaml, or add --live`,
  );
  return findings;
}

function objectsOf(count: number): string {
  return count === 1 ? '1 object is' : `${count} objects are`;
}
