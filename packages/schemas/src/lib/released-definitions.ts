import {
  type GroupKind,
  groupKindKey,
  groupKindOf,
  type KubernetesObject,
  objectIn,
  type ReleasedDefinition,
  specOf,
  stringIn,
} from '@policy-machinery/resource';
import { projects } from './projects.ts';
import { unpack } from './unpack.ts';

/** The definitions that were asked for, by the keys of their kinds. */
const loaded = new Map<string, Promise<ReleasedDefinition | undefined>>();

/**
 * Returns the CustomResourceDefinitions of the kinds of some resources, if none of the resources defines the kind. A definition is loaded and decompressed
 * when an object of its kind is seen first.
 *
 * @param resources Any resources.
 * @returns A definition for each kind that this package knows, in the order of the resources.
 * @example
 * ```ts
 * const released = await releasedDefinitions(resources);
 * const { kinds, targetKinds } = findPolicyKinds({ resources, released });
 * ```
 */
export async function releasedDefinitions(
  resources: Iterable<KubernetesObject>,
): Promise<readonly ReleasedDefinition[]> {
  const used = new Map<string, GroupKind>();
  const defined = new Set<string>();
  let last: Pick<KubernetesObject, 'apiVersion' | 'kind'> | undefined;
  for (const resource of resources) {
    if (resource.kind === 'CustomResourceDefinition') defined.add(kindDefinedBy(resource));
    if (resource.apiVersion === last?.apiVersion && resource.kind === last.kind) continue;
    last = resource;
    const kind = groupKindOf(resource);
    used.set(groupKindKey(kind), kind);
  }
  const all = [...used].flatMap(([key, { group }]) => (defined.has(key) ? [] : [definitionOf(key, group)]));
  return (await Promise.all(all)).filter((it) => it !== undefined);
}

function kindDefinedBy(definition: KubernetesObject): string {
  const { group, names } = specOf(definition);
  return groupKindKey({ group: stringIn(group) ?? '', kind: stringIn(objectIn(names).kind) ?? '' });
}

function definitionOf(key: string, group: string): Promise<ReleasedDefinition | undefined> {
  const known = loaded.get(key);
  if (known !== undefined) return known;
  const loading = load(key, group);
  loaded.set(key, loading);
  return loading;
}

async function load(key: string, group: string): Promise<ReleasedDefinition | undefined> {
  const project = Object.hasOwn(projects, group) ? projects[group] : undefined;
  if (project === undefined) return undefined;
  const { release, definitions } = (await project()).schemas;
  const packed = Object.hasOwn(definitions, key) ? definitions[key] : undefined;
  return packed && { release, definition: await unpack(packed) };
}
