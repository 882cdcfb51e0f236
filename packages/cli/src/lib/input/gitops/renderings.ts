import { dirname } from 'node:path';
import { type KubernetesObject, specOf, stringIn } from '@policy-machinery/resource';
import { foldersAbove, type Kustomization, localPaths, rendersAny } from './kustomization.ts';
import type { ObjectInFile } from './object-in-file.ts';
import { endsOf, fluxPath, isFluxKustomization, rendersElsewhere, slashed } from './renderers.ts';

/** The files that one renderer applies together: the files of a kustomization, or of a path of Flux. */
export interface Rendering {
  /** The files, each with the namespace that the renderer sets. */
  readonly files: ReadonlyMap<string, string | undefined>;
}

/**
 * Finds the files that are rendered together.
 *
 * @returns The files of each Kustomization of Flux, and of each kustomization that no other one includes. `undefined` if no file is
 * about a renderer: all files are then applied together.
 */
export function renderingsOf(
  objects: readonly ObjectInFile[],
  kustomizations: readonly Kustomization[],
): readonly Rendering[] | undefined {
  const flux = objects.filter(({ object }) => isFluxKustomization(object));
  if (flux.length + kustomizations.length === 0 && !objects.some(({ object }) => rendersElsewhere(object))) return;
  const sources = objects.map(({ source }) => source);
  const files = new RenderedFiles(sources, kustomizations);
  const namespaces = new Map<string, string | undefined>();
  for (const { object } of flux) {
    const namespace = stringIn(specOf(object).targetNamespace);
    for (const folder of files.foldersOf(fluxPath(object))) {
      const isSame = !namespaces.has(folder) || namespaces.get(folder) === namespace;
      namespaces.set(folder, isSame ? namespace : several);
    }
  }
  const included = new Set(kustomizations.flatMap(localPaths));
  const tops = kustomizations.map(({ source }) => dirname(source)).filter((folder) => !included.has(folder));
  for (const folder of tops) if (!namespaces.has(folder)) namespaces.set(folder, undefined);
  return [...namespaces].map(([folder, namespace]) => files.below(folder, namespace));
}

/** A Kustomization of Flux, with the files that it renders. */
export interface FluxRendering {
  readonly kustomization: KubernetesObject;
  readonly files: ReadonlySet<string>;
}

/** Returns which files each Kustomization of Flux renders, of all files. */
export function fluxRenderings(
  objects: readonly ObjectInFile[],
  kustomizations: readonly Kustomization[],
  sources: readonly string[],
): readonly FluxRendering[] {
  const files = new RenderedFiles(sources, kustomizations);
  return objects
    .filter(({ object }) => isFluxKustomization(object))
    .map(({ object }) => {
      const folders = files.foldersOf(fluxPath(object));
      return {
        kustomization: object,
        files: new Set(folders.flatMap((folder) => [...files.below(folder, undefined).files.keys()])),
      };
    });
}

/** The namespace of files that are rendered into several ones. */
const several = '?';

/** Returns a lookup of the kustomization that leaves out a file: it is in a folder above the file, and no renderer names the file. */
export function leavingOut(
  renderings: readonly Rendering[] | undefined = [],
  kustomizations: readonly Kustomization[],
): (file: string) => Kustomization | undefined {
  const byFolder = new Map(kustomizations.filter(rendersAny).map((each) => [dirname(each.source), each]));
  const rendered = new Set(renderings.flatMap(({ files }) => [...files.keys()]));
  return (file) => {
    const above = foldersAbove(dirname(file)).flatMap((folder) => byFolder.get(folder) ?? [])[0];
    return above === undefined || above.source === file || rendered.has(file) ? undefined : above;
  };
}

/** Returns whether two files are applied together, as far as that is known: of a repository with renderers, by one of these. */
export function areTogetherIn(renderings: readonly Rendering[] | undefined) {
  return (one: string, other: string): boolean =>
    renderings === undefined || one === other || renderings.some(({ files }) => files.has(one) && files.has(other));
}

/**
 * Returns the namespaces of files that every renderer puts into the same one.
 *
 * @param renderings The files that are rendered together.
 * @returns The namespace of each such file.
 */
export function placesIn(renderings: readonly Rendering[] = []): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  for (const { files } of renderings) {
    for (const [file, namespace = several] of files) {
      all.set(file, [undefined, namespace].includes(all.get(file)) ? namespace : several);
    }
  }
  return new Map([...all].filter(([, namespace]) => isNamespace.test(namespace)));
}

/** The name of a namespace (RFC 1123), without a variable. */
const isNamespace = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Files and folders, and their output of kustomize. */
class RenderedFiles {
  /** The files and folders in each folder. */
  readonly #entries = new Map<string, Set<string>>();
  readonly #kustomizations: ReadonlyMap<string, Kustomization>;
  /** The folders by the ends of their paths. */
  readonly #byPath = new Map<string, string[]>();

  constructor(sources: readonly string[], kustomizations: readonly Kustomization[]) {
    this.#kustomizations = new Map(kustomizations.map((each) => [dirname(each.source), each]));
    for (const source of [...sources, ...kustomizations.map((each) => each.source)]) this.#addFile(source);
    for (const folder of this.#entries.keys()) {
      for (const path of endsOf(slashed(folder))) {
        this.#byPath.set(path, [...(this.#byPath.get(path) ?? []), folder]);
      }
    }
  }

  /** Returns the folders of a path in a repository at an unknown place. */
  foldersOf(path: string): readonly string[] {
    return this.#byPath.get(path) ?? [];
  }

  below(folder: string, namespace: string | undefined): Rendering {
    const files = new Map<string, string | undefined>();
    this.#render(folder, namespace, files, new Set());
    return { files };
  }

  #addFile(source: string): void {
    for (let path = source, folder = dirname(path); path !== folder; path = folder, folder = dirname(path)) {
      const entries = this.#entries.get(folder);
      this.#entries.set(folder, (entries ?? new Set()).add(path));
      if (entries?.has(path) === true) break;
    }
  }

  /** Adds the files that are rendered from a path; a namespace of a kustomization further out prevails. */
  #render(path: string, outer: string | undefined, files: Map<string, string | undefined>, seen: Set<string>): void {
    const entries = this.#entries.get(path);
    if (entries === undefined) {
      files.set(path, files.has(path) && files.get(path) !== outer ? several : outer);
      return;
    }
    const way = `${path} ${outer ?? ''}`;
    if (seen.has(way)) return;
    seen.add(way);
    const kustomization = this.#kustomizations.get(path);
    if (kustomization === undefined) {
      for (const entry of entries) this.#render(entry, outer, files, seen);
      return;
    }
    const inner = outer ?? (stringIn(kustomization.fields.namespace) || undefined);
    for (const named of localPaths(kustomization)) this.#render(named, inner, files, seen);
  }
}
