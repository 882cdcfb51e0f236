import { dirname, join } from 'node:path';
import { isJsonObject, type JsonObject, objectsIn, stringIn } from '@policy-machinery/resource';
import type { ManifestText } from '@policy-machinery/resource/manifests';
import { parse } from 'yaml';

/** A file that tells kustomize how to render others. */
export interface Kustomization {
  /** The path of the file. */
  readonly source: string;
  /** The content of the file. */
  readonly fields: JsonObject;
}

const fileName = /(^|[\\/])kustomization(?:\.ya?ml)?$/i;

/** Returns whether a file is one of kustomize, by its name. */
export function isKustomization({ source }: Pick<ManifestText, 'source'>): boolean {
  return fileName.test(source);
}

/** Reads a file of kustomize. A file that is not YAML does not have fields: kustomize reports why. */
export function readKustomization({ source, text }: ManifestText): Kustomization {
  try {
    const fields: unknown = parse(text, { logLevel: 'silent', maxAliasCount: 100 });
    return { source, fields: isJsonObject(fields) ? fields : {} };
  } catch {
    return { source, fields: {} };
  }
}

/** Returns the paths of files and folders in the same repository that a kustomization renders. */
export function localPaths({ source, fields }: Kustomization): readonly string[] {
  return namedIn(fields).flatMap((name) => (isRemote(name) ? [] : join(dirname(source), name)));
}

function namedIn(fields: JsonObject): readonly string[] {
  return ['resources', 'components', 'bases'].flatMap((field) => namesIn(fields[field]));
}

/** Returns whether a kustomization renders objects that are in no file here: charts, and resources of other repositories. */
export function rendersOthers({ fields }: Kustomization): boolean {
  const charts = [...objectsIn(fields.helmCharts), ...objectsIn(fields.helmChartInflationGenerator)];
  return namedIn(fields).some(isRemote) || charts.length > 0 || namesIn(fields.generators).length > 0;
}

/** Fields that add objects. kustomize refuses a file without any. */
const adding = [
  'resources',
  'components',
  'bases',
  'generators',
  'helmCharts',
  'configMapGenerator',
  'secretGenerator',
];

/** Returns whether a kustomization renders anything at all. */
export function rendersAny({ fields }: Kustomization): boolean {
  return adding.some((field) => Array.isArray(fields[field]) && fields[field].length > 0);
}

/** How many paths are followed for all kustomizations. Beyond that, each may render every file. */
const mostPaths = 100_000;

/**
 * Returns the files that kustomizations render: the files below their folders, the files that they name, and the files that kustomizations there
 * render. The fields of a component are also about everything that its includers render.
 *
 * @returns For a kustomization, returns whether its fields are about a file.
 */
export function rendersIn(all: readonly Kustomization[]): (kustomization: Kustomization) => (file: string) => boolean {
  const byFolder = new Map(all.map((each) => [dirname(each.source), each]));
  let left = mostPaths;
  const includers = new Map<string, Kustomization[]>();
  for (const each of all)
    for (const path of localPaths(each)) includers.set(path, [...(includers.get(path) ?? []), each]);
  return (kustomization) => {
    const tops = new Set([kustomization]);
    for (const { fields, source } of tops) {
      for (const one of (fields.kind === 'Component' && includers.get(dirname(source))) || []) tops.add(one);
    }
    const paths = new Set([...tops].map(({ source }) => dirname(source)));
    for (const path of paths) {
      const inner = byFolder.get(path);
      for (const named of inner === undefined ? [] : localPaths(inner)) paths.add(named);
    }
    left -= paths.size;
    return (file) => left < 0 || foldersAbove(file).some((path) => paths.has(path));
  };
}

/** Returns a path, and the folders above it. */
export function foldersAbove(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...foldersAbove(above)];
}

/** Returns the texts of a list. */
export function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.flatMap((name) => stringIn(name) ?? []) : [];
}

/** Returns whether a resource is in another repository. */
function isRemote(name: string): boolean {
  return /^[a-z+]+:\/\/|^git@|^github\.com\//i.test(name);
}
