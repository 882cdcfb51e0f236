import {
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  objectIn,
  objectsIn,
  specOf,
} from '@policy-machinery/resource';
import type { Change } from '../../model/unrendered.ts';
import { type Kustomization, rendersIn } from './kustomization.ts';
import { type LabelSelectors, labelSelectors, setsLabels } from './labels.ts';
import type { ObjectInFile } from './object-in-file.ts';
import { fluxPath, isFluxKustomization, slashed } from './renderers.ts';

/** The fields of objects that a field of a renderer changes. */
const changes: Readonly<Record<string, Change>> = {
  namespace: 'place',
  targetNamespace: 'place',
  namePrefix: 'place',
  nameSuffix: 'place',
  patches: 'content',
  patchesStrategicMerge: 'content',
  patchesJson6902: 'content',
  replacements: 'content',
  transformers: 'content',
  vars: 'content',
  commonLabels: 'content',
  labels: 'content',
  commonMetadata: 'content',
  trafficRouting: 'content',
};

/** The fields that rename objects. */
const renaming: ReadonlySet<string> = new Set(['namePrefix', 'nameSuffix']);

/** A renderer's field that is set, and its subject. */
export interface RendererRule {
  readonly field: string;
  readonly source: string;
  readonly isAbout: (source: string, object: KubernetesObject) => boolean;
}

/** Returns the fields of renderers that change objects. */
export function rendererRules(
  objects: readonly ObjectInFile[],
  kustomizations: readonly Kustomization[],
): readonly RendererRule[] {
  const isAbout = rendersIn(kustomizations);
  const selected = labelSelectors(objects.map(({ object }) => object));
  return [
    ...kustomizations.flatMap((each) => rulesOf(each.fields, each.source, () => isAbout(each), selected)),
    ...objects.flatMap((each) => [...fluxRules(each, selected), ...rolloutRules(each)]),
  ];
}

/** Returns whether a rule changes more than the names and namespaces of objects. */
export function isOfContent({ field }: RendererRule): boolean {
  return changes[field] === 'content';
}

export function isRenaming({ field }: RendererRule): boolean {
  return renaming.has(field);
}

/** Returns the fields of a Kustomization of Flux, which are about the files below its path in the repository. */
function fluxRules({ object, source }: ObjectInFile, selected: LabelSelectors): readonly RendererRule[] {
  if (!isFluxKustomization(object)) return [];
  const path = fluxPath(object);
  return rulesOf(
    specOf(object),
    source,
    () => (file) => path === '' || `/${slashed(file)}`.includes(`/${path}/`),
    selected,
  );
}

/**
 * Returns the routes that the Gateway API plugin of Argo Rollouts changes: it sets weights of their backends, and may add rules.
 *
 * Its fields: https://github.com/argoproj-labs/rollouts-plugin-trafficrouter-gatewayapi/blob/main/pkg/plugin/types.go
 */
function rolloutRules({ object, source }: ObjectInFile): readonly RendererRule[] {
  if (object.kind !== 'Rollout' || !object.apiVersion.startsWith('argoproj.io/')) return [];
  const { plugins } = objectIn(objectIn(objectIn(specOf(object).strategy).canary).trafficRouting);
  return Object.values(objectIn(plugins)).map((plugin) => {
    const { namespace = object.metadata.namespace, ...fields } = objectIn(plugin);
    const isBeside = ({ metadata }: KubernetesObject) => [namespace, undefined].includes(metadata.namespace);
    return { field: 'trafficRouting', source, isAbout: (_, it) => isBeside(it) && isRouted(it, fields) };
  });
}

/** Returns whether a plugin names a route, or may select it. */
function isRouted({ kind, metadata }: KubernetesObject, fields: JsonObject): boolean {
  const field = kind.replace(/^[A-Z]+(?=Route$)/, (it) => it.toLowerCase());
  const names = [fields[field], ...objectsIn(fields[`${field}s`]).map(({ name }) => name)];
  return names.includes(metadata.name) || Object.hasOwn(fields, `${field}Selector`);
}

function rulesOf(
  fields: JsonObject,
  source: string,
  about: () => (file: string) => boolean,
  selected: LabelSelectors,
): readonly RendererRule[] {
  const set = Object.keys(changes).filter((field) => Object.hasOwn(fields, field) && isSet(fields[field]));
  const isAbout = set.length === 0 ? () => false : about();
  return set.map((field) => {
    const isChanged = changesObject(field, fields[field], selected);
    return { field, source, isAbout: (file, object) => isChanged(object) && isAbout(file) };
  });
}

/** Returns which objects a field changes, of those that are rendered. */
function changesObject(field: string, value: unknown, selected: LabelSelectors): (object: KubernetesObject) => boolean {
  const labels = setsLabels(field, value, selected);
  if (labels !== undefined) return labels;
  if (field !== 'patches') return () => true;
  const isPatched = patchedKinds(value);
  return ({ kind }) => isPatched(kind);
}

/** Returns which kinds some patches are about: each names the kind as its target, or has it itself. */
function patchedKinds(patches: unknown): (kind: string) => boolean {
  const kinds = objectsIn(patches).map(({ target, patch }) => {
    const { kind } = objectIn(target);
    return typeof kind === 'string' ? kind : /^kind: *["']?(\w+)/m.exec(typeof patch === 'string' ? patch : '')?.[1];
  });
  return (kind) => kinds.some((it) => it === undefined || !/^\w+$/.test(it) || it === kind);
}

function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) ? Object.keys(value).length > 0 : value !== undefined && value !== null && value !== '';
}
