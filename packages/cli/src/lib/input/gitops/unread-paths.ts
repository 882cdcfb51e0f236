import { objectIn, specOf } from '@policy-machinery/resource';
import type { Sign } from '../../model/unrendered.ts';
import { foldersAbove, type Kustomization, localPaths } from './kustomization.ts';
import type { ObjectInFile } from './object-in-file.ts';
import { endsOf, fluxPath, isFluxKustomization, slashed } from './renderers.ts';

/** Returns the paths that renderers name in this repository and that are not among the files. O(files · depth). */
export function unreadPaths(
  objects: readonly ObjectInFile[],
  kustomizations: readonly Kustomization[],
  files: readonly string[],
): readonly Sign[] {
  const paths = new Set([...files, ...kustomizations.map(({ source }) => source)].flatMap(foldersAbove));
  const flux = objects.filter(({ object }) => isFluxKustomization(object));
  const ends = flux.length === 0 ? new Set<string>() : new Set([...paths].flatMap((path) => endsOf(slashed(path))));
  // A path of Flux begins at the root of the repository, and files may be read from any folder of it.
  const isRead = (path: string): boolean => path === '' || ends.has(path) || endsOf(path).some((end) => paths.has(end));
  return [
    ...kustomizations.flatMap((each) =>
      localPaths(each).flatMap((path) => (paths.has(path) ? [] : { what: path, source: each.source })),
    ),
    ...flux.flatMap(({ object, source }) => (isRead(fluxPath(object)) ? [] : { what: fluxPath(object), source })),
    ...otherSources(flux),
  ];
}

/** The name that `flux bootstrap` gives to the repository that it installs. */
const bootstrapped = 'flux-system';

/**
 * Returns the sources of Flux that may be other repositories: of several, all but the one of `flux bootstrap`, or but the most common one. A single source
 * counts as this repository.
 */
function otherSources(flux: readonly ObjectInFile[]): readonly Sign[] {
  const bySource = new Map<string, ObjectInFile[]>();
  for (const each of flux) {
    const { kind, name } = objectIn(specOf(each.object).sourceRef);
    if (name === undefined) continue;
    const key = `${kind} ${name}`;
    bySource.set(key, [...(bySource.get(key) ?? []), each]);
  }
  const [most = 0, next] = [...bySource.values()].map(({ length }) => length).sort((a, b) => b - a);
  const isBootstrapped = bySource.has(`GitRepository ${bootstrapped}`);
  const isOwn = (key: string, { length }: { readonly length: number }): boolean =>
    isBootstrapped ? key === `GitRepository ${bootstrapped}` : length === most && most !== next;
  return [...bySource].flatMap(([key, objects]) =>
    isOwn(key, objects) ? [] : objects.map(({ source }) => ({ what: `the source ${key}`, source })),
  );
}
