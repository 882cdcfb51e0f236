import type { Sources } from '@policy-machinery/cluster';
import {
  formatGroupKind,
  formatLocator,
  type GroupKind,
  groupKindKey,
  type KubernetesObject,
  PolicyMachineryError,
} from '@policy-machinery/resource';
import type { ObjectReader } from './watch.ts';

export type ReadSources = Pick<Sources, 'get' | 'objects'>;

/**
 * Returns a reader of the objects of some kinds.
 *
 * @param kinds The kinds, by `groupKindKey`.
 * @param sources Returns the sources.
 * @param onRead Called with the key of each object that is read, there or not, and with `listKey` of each list.
 */
export function objectReader(
  kinds: ReadonlySet<string>,
  sources: () => ReadSources,
  onRead: (key: string) => void = () => {},
): ObjectReader {
  const check = (kind: GroupKind): void => {
    if (kinds.has(groupKindKey(kind))) return;
    const name = formatGroupKind(kind);
    throw new PolicyMachineryError('unwatched-kind', `the controller does not watch ${name}; add it to watches`);
  };
  return {
    get(kind, { namespace, name }) {
      check(kind);
      const { group, kind: of } = kind;
      const locator = formatLocator({ group, kind: of, name, ...(namespace === undefined ? {} : { namespace }) });
      onRead(locator);
      return sources().get(locator);
    },
    list(kind, namespace) {
      check(kind);
      onRead(listKey(groupKindKey(kind), namespace));
      const objects: readonly KubernetesObject[] = [...sources().objects(kind)];
      return namespace === undefined
        ? objects
        : objects.filter((it) => (it.metadata.namespace || 'default') === namespace);
    },
  };
}

/** Returns the key of a list of a kind: of the objects in a namespace, or of all. */
export function listKey(kind: string, namespace: string | undefined): string {
  return `${kind}:${namespace ?? '*'}/`;
}
