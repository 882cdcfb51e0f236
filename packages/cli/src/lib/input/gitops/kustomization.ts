import { dirname, join } from 'node:path';
import { isJsonObject, type JsonObject, objectsIn, stringIn } from '@policy-machinery/resource';
import type { ManifestText } from '@policy-machinery/resource/manifests';
import { parse } from 'yaml';

/** A file that tells kustomize how to render others. */
export interface Kustomization {
  /** The path of the file. */
  readonly source: string;
  /** What the file has. */
  readonly fields: JsonObject;
}

const fileName = /(^|[\\/])kustomization\.ya?ml$/i;

/** Returns whether a file is one of kustomize, by its name. */
export function isKustomization({ source }: Pick<ManifestText, 'source'>): boolean {
  return fileName.test(source);
}

/** Reads a file of kustomize. One that is not YAML has no fields: kustomize says why. */
export function readKustomization({ source, text }: ManifestText): Kustomization {
  try {
    const fields: unknown = parse(text, { logLevel: 'silent', maxAliasCount: 100 });
    return { source, fields: isJsonObject(fields) ? fields : {} };
  } catch {
    return { source, fields: {} };
  }
}

/** Fields with paths of what is rendered. */
export const pathFields = ['resources', 'components', 'bases'] as const;

/** Returns the folders and files that a kustomization renders: its own folder, and those that it names. */
export function renderedPaths({ source, fields }: Kustomization): readonly string[] {
  const folder = dirname(source);
  const named = pathFields.flatMap((field) => namesIn(fields[field]));
  return [folder, ...named.filter((name) => !isRemote(name)).map((name) => join(folder, name))];
}

/** Returns whether a kustomization renders what is not in the input: charts, and resources of other repositories. */
export function rendersOthers({ fields }: Kustomization): boolean {
  const named = pathFields.flatMap((field) => namesIn(fields[field]));
  return named.some(isRemote) || objectsIn(fields.helmCharts).length > 0 || namesIn(fields.generators).length > 0;
}

/** Returns the texts of a list. */
export function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.flatMap((name) => stringIn(name) ?? []) : [];
}

/** Returns whether a resource is in another repository. */
export function isRemote(name: string): boolean {
  return /^[a-z+]+:\/\/|^git@|^github\.com\//i.test(name);
}
