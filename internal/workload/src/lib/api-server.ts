import type { GroupKind, JsonValue, KubernetesObject, ObjectMeta } from '@policy-machinery/resource';
import type { Random } from './random.ts';

/** What the creator of an object writes into its metadata. */
export type WrittenMeta = Pick<ObjectMeta, 'name' | 'namespace' | 'labels' | 'annotations'>;

/** Makes objects as an API server serves them. It never changes one that it has made. */
export interface ApiServer {
  /** A new object, with a uid, a resource version, a generation and a creation time of its own. */
  readonly create: (
    kind: GroupKind,
    metadata: WrittenMeta,
    parts?: Pick<KubernetesObject, 'spec' | 'status'>,
  ) => KubernetesObject;
  /** The object as someone has written it, with another resource version. */
  readonly serve: (object: KubernetesObject) => KubernetesObject;
  /** The object with another spec: one generation on. */
  readonly respec: (object: KubernetesObject, spec: JsonValue) => KubernetesObject;
  /** Another object of the same name with this spec, which has come since the last one went. Some lack a creation time, or have none that can be read. */
  readonly replace: (object: KubernetesObject, spec: JsonValue) => KubernetesObject;
  /** The object with other labels, and maybe other annotations. */
  readonly relabel: (
    object: KubernetesObject,
    labels: Readonly<Record<string, string>>,
    annotations?: Readonly<Record<string, string>>,
  ) => KubernetesObject;
  /** The object after its deletion has begun, while finalizers keep it. */
  readonly beginDeletion: (object: KubernetesObject) => KubernetesObject;
  /** The object with another status, or without any. */
  readonly restatus: (object: KubernetesObject, status?: JsonValue) => KubernetesObject;
}

/** 2025-01-01T00:00:00Z, in milliseconds. */
const firstCreation = 1_735_689_600_000;
const hour = 3_600_000;

/**
 * Creates an API server.
 *
 * @param random For uids and creation times. Some objects are of the same age.
 * @param resourceVersion That of the last object so far. Default 0.
 */
export function createApiServer(random: Random, resourceVersion = 0): ApiServer {
  let version = resourceVersion;
  const nextVersion = (): string => {
    version += 1;
    return String(version);
  };
  const creationTime = (): string =>
    new Date(firstCreation + random.int(10_000) * hour).toISOString().replace('.000Z', 'Z');
  const changed = (object: KubernetesObject, metadata: Partial<ObjectMeta>, spec = object.spec): KubernetesObject => ({
    ...object,
    metadata: { ...object.metadata, ...metadata, ...{ resourceVersion: nextVersion() } },
    ...(spec === undefined ? {} : { spec }),
  });
  return {
    create({ group, kind }, { name, namespace, labels, annotations }, parts = {}) {
      const metadata = {
        ...(annotations ? { annotations } : {}),
        creationTimestamp: creationTime(),
        generation: 1,
        ...(labels ? { labels } : {}),
        name,
        ...(namespace === undefined ? {} : { namespace }),
        resourceVersion: nextVersion(),
        uid: uid(random),
      };
      return { apiVersion: group === '' ? 'v1' : `${group}/v1`, kind, metadata, ...parts };
    },
    serve: (object) => changed(object, {}),
    respec: (object, spec) => changed(object, { generation: (object.metadata.generation ?? 0) + 1 }, spec),
    replace: (object, spec) => {
      const { creationTimestamp: _, deletionTimestamp: __, ...kept } = object.metadata;
      const creationTimestamp = random.pick([creationTime(), creationTime(), undefined, 'yesterday']);
      const created = creationTimestamp === undefined ? {} : { creationTimestamp };
      const metadata = { ...kept, ...created, generation: 1, uid: uid(random), resourceVersion: nextVersion() };
      return { apiVersion: object.apiVersion, kind: object.kind, metadata, spec };
    },
    relabel: (object, labels, annotations) =>
      changed(object, { labels, ...(annotations === undefined ? {} : { annotations }) }),
    beginDeletion: (object) => changed(object, { deletionTimestamp: '2026-06-01T00:00:00Z' }),
    restatus: (object, status) => {
      const { status: _, ...rest } = changed(object, {});
      return status === undefined ? rest : { ...rest, status };
    },
  };
}

function uid(random: Random): string {
  const hex = Array.from({ length: 4 }, () =>
    random
      .int(2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-a$4-');
}
