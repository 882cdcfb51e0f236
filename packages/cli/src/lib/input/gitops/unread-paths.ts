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
  ];
}
