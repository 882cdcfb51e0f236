import {
  isJsonObject,
  type KubernetesObject,
  locatorOf,
  objectIn,
  objectsIn,
  specOf,
  stringIn,
} from '@policy-machinery/resource';
import type { ManifestText } from '@policy-machinery/resource/manifests';
import { parse } from 'yaml';
import type { Kustomization } from './kustomization.ts';
import type { ObjectInFile } from './object-in-file.ts';
import { isFluxKustomization } from './renderers.ts';
import { fluxRenderings } from './renderings.ts';

/**
 * Fills in the variables of Flux with certain values: from `postBuild.substitute`, and from ConfigMaps in the input.
 * Values of Secrets are not read.
 *
 * @returns The files that change, by their names. A variable stays unchanged if its value is not certain.
 */
export function filledTexts(
  texts: readonly ManifestText[],
  objects: readonly ObjectInFile[],
  kustomizations: readonly Kustomization[],
): ReadonlyMap<string, string> {
  const candidates = texts.filter(({ text }) => text.includes('${') && !text.includes(optOut));
  const isUsed = objects.some(({ object }) => isFluxKustomization(object) && isJsonObject(specOf(object).postBuild));
  if (candidates.length === 0 || !isUsed) return new Map();
  const sources = texts.map(({ source }) => source);
  const renderings = fluxRenderings(objects, kustomizations, sources).map(({ kustomization, files }) => ({
    files,
    valueFor: valuesFor(kustomization, objects, kustomizations),
  }));
  return new Map(
    candidates.flatMap(({ source, text }) => {
      const versions = renderings.filter(({ files }) => files.has(source)).map(({ valueFor }) => fill(text, valueFor));
      const [filled = text, ...others] = versions;
      return filled === text || others.some((other) => other !== filled) ? [] : [[source, filled] as const];
    }),
  );
}

/** The label and annotation of objects that Flux does not fill in. */
const optOut = 'kustomize.toolkit.fluxcd.io/substitute';

/** Returns the value of a variable; `undefined` if it is not certain, and `null` if it is certain that there is none. */
type ValueFor = (name: string) => string | null | undefined;

function valuesFor(
  kustomization: KubernetesObject,
  objects: readonly ObjectInFile[],
  kustomizations: readonly Kustomization[],
): ValueFor {
  const patches = patchesIn(objects, kustomizations);
  const isUnique = objects.filter(({ object }) => locatorOf(object) === locatorOf(kustomization)).length === 1;
  if (!isUnique || /\bsubstitute\b|\/spec["'\s\\]/.test(patches)) return () => undefined;
  const { substitute, substituteFrom } = objectIn(specOf(kustomization).postBuild);
  const inline = objectIn(substitute);
  const isPatched = /postBuild|substituteFrom|ConfigMap/.test(patches);
  const maps = objectsIn(substituteFrom).map((from) => dataOf(from, kustomization, objects));
  return (name) => {
    if (Object.hasOwn(inline, name)) return stringIn(inline[name]);
    if (isPatched) return undefined;
    for (const data of maps.toReversed()) {
      if (data === undefined) return undefined;
      if (Object.hasOwn(data, name)) return stringIn(data[name]);
    }
    return null;
  };
}

/** Returns all patches, as one text: a patch may change the filled-in values. */
function patchesIn(objects: readonly ObjectInFile[], kustomizations: readonly Kustomization[]): string {
  const specs = objects.filter(({ object }) => isFluxKustomization(object)).map(({ object }) => specOf(object));
  const documents = [...specs, ...kustomizations.map(({ fields }) => fields)];
  return JSON.stringify(
    documents.map(({ patches, patchesStrategicMerge, patchesJson6902, replacements }) => {
      return [patches, patchesStrategicMerge, patchesJson6902, replacements];
    }),
  );
}

/** Returns the data of a source of variables; `undefined` if they are not certain. Of a Secret, only the names are read. */
function dataOf(
  { kind, name }: Readonly<Record<string, unknown>>,
  { metadata: { namespace } }: KubernetesObject,
  objects: readonly ObjectInFile[],
): Readonly<Record<string, unknown>> | undefined {
  const sources = objects.filter(({ object }) => object.kind === kind && object.metadata.name === name);
  const [only, ...others] = sources;
  const isThere = others.length === 0 && [undefined, namespace].includes(only?.object.metadata.namespace);
  if (only === undefined || !isThere) return undefined;
  const { data, stringData } = objectIn(only.object);
  if (kind === 'ConfigMap') return objectIn(data);
  const names = Object.keys({ ...objectIn(data), ...objectIn(stringData) });
  return Object.fromEntries(names.map((key) => [key, undefined]));
}

/** `$${A}` is an escaped text; `${A:-b}` and `${A:=b}` have a default. */
const reference = /\$?\$\{([A-Za-z_]\w*)(?::[-=]([^{}$\n]*))?\}/g;

/** Values that mean the same in each style of YAML. */
const plain = /^[\w./][\w./@+=~%^*()?! :-]*$/;

function fill(text: string, valueFor: ValueFor): string {
  return text.replaceAll(/^.*\$\{.*$/gm, (line) =>
    line.replaceAll(reference, (written: string, name: string, fallback: string | undefined) => {
      if (written.startsWith('$$')) return written;
      const value = valueFor(name);
      const filled = (value === null || value === '' ? fallback : value)?.replaceAll('\n', '');
      return filled === undefined || !isAlike(filled, line) ? written : filled;
    }),
  );
}

/** Returns whether a value is the same text in a line as in the YAML that Flux fills in, which has quotes only where they are needed. */
function isAlike(value: string, line: string): boolean {
  if (!plain.test(value) || /: |:$|\s$/.test(value)) return false;
  return !/["']/.test(line) || typeof parse(value) === 'string';
}
