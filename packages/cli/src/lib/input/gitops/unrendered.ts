import { sep } from 'node:path';
import {
  groupKindKey,
  groupKindOf,
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  locatorOf,
  objectIn,
  objectsIn,
  specOf,
} from '@policy-machinery/resource';
import type { Change, Sign, Unrendered } from '../../model/unrendered.ts';
import { changeCause, originOf } from './causes.ts';
import { embedsRoutes } from './embedded.ts';
import { foldersAbove, type Kustomization, localPaths, rendersIn, rendersOthers } from './kustomization.ts';
import { type LabelSelectors, labelSelectors, setsLabels } from './labels.ts';
import type { LeftOut } from './left-out.ts';
import type { ObjectInFile } from './object-in-file.ts';
import { variableIn } from './variables.ts';

/** What a field of a renderer changes. */
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
};

/** The fields after which objects have other names. */
const renaming: ReadonlySet<string> = new Set(['namePrefix', 'nameSuffix']);

/** A renderer's field that is set, and what it is about. */
interface RendererRule {
  readonly field: string;
  readonly source: string;
  readonly isAbout: (source: string, object: KubernetesObject) => boolean;
}

/** What is noticed while files are read. */
export interface NotRendered {
  /** The files of charts, which are not YAML yet. */
  readonly templates: readonly string[];
  /** Different declarations of objects that are declared elsewhere, for another cluster. */
  readonly declaredApart: readonly ObjectInFile[];
  /** All files. */
  readonly files: readonly string[];
  /** Objects that a deployer may leave out. */
  readonly leftOut: readonly LeftOut[];
}

/**
 * Notices what is not rendered in files: fields of kustomize and of Flux, variables, and charts.
 *
 * @param objects The objects.
 * @param kustomizations The files of kustomize.
 * @param others What was noticed while the files were read.
 * @returns What a renderer would change, and what it may add. Nothing of that can be the ground of a verdict.
 */
export function noticeUnrendered(
  objects: readonly ObjectInFile[],
  kustomizations: readonly Kustomization[],
  { templates, declaredApart, files, leftOut }: NotRendered,
): Unrendered {
  const isAbout = rendersIn(kustomizations);
  const selected = labelSelectors(objects.map(({ object }) => object));
  const rules = [
    ...kustomizations.flatMap((each) => rulesOf(each.fields, each.source, () => isAbout(each), selected)),
    ...objects.flatMap((each) => fluxRules(each, selected)),
  ];
  const charts = objects.filter(({ object }) => rendersElsewhere(object) || embedsRoutes(object));
  const unread = unreadPaths(objects, kustomizations, files);
  const others = [
    ...charts.map(({ object, source }) => ({ what: object.kind, source })),
    ...kustomizations.filter(rendersOthers).map(({ source }) => ({ what: 'remote resources', source })),
    ...templates.map((source) => ({ what: 'a template', source })),
    ...unread,
  ];
  const { changed, renamed, names, variables } = changesOf(objects, rules);
  for (const { object } of declaredApart) changed.set(locatorOf(object), { change: 'content', object });
  for (const { object, sign } of leftOut) changed.set(locatorOf(object), { change: 'content', object, sign });
  const signs = [
    ...leftOut.map(({ sign }) => sign),
    ...declaredApart.map(({ source }) => ({ what: 'another declaration of the same object', source })),
    ...rules.map(({ field, source }) => ({ what: field, source })),
    ...variables,
    ...others,
  ];
  const changedAt = (locator: string): ObjectChange | undefined => {
    const object = upTo('#', locator);
    const [kind, name] = [upTo(':', object), lastPart(object)];
    return changed.get(object) ?? changed.get(`${kind}:${name}`); // Those without a namespace are placed later.
  };
  return {
    unknown: others,
    signs: [...new Map(signs.map((sign) => [`${sign.what} ${sign.source}`, sign])).values()],
    changeOf: (locator) => changedAt(locator)?.change,
    causeOf(locator) {
      const change = changedAt(locator);
      return change && changeCause(change.object, change.sign);
    },
    originOf: (locator) => originOf(lastPart(upTo('#', locator)).replace(/^.*:/, ''), charts, others),
    mayExist(locator) {
      const kind = upTo(':', locator);
      if (others.length > 0) return true;
      const name = lastPart(upTo('#', locator).slice(kind.length + 1));
      return name === '?' ? names.size > 0 : renamed.has(kind) || names.has(`${kind}:${name}`);
    },
  };
}

interface ObjectChange {
  readonly change: Change;
  readonly object: KubernetesObject;
  /** The field of the renderer. Default: a variable is filled in, or the object is declared elsewhere. */
  readonly sign?: Sign;
}

interface ObjectChanges {
  /** By locator. */
  readonly changed: Map<string, ObjectChange>;
  /** The kinds of renamed objects. */
  readonly renamed: ReadonlySet<string>;
  /** The kinds and names of all changed objects. */
  readonly names: ReadonlySet<string>;
  readonly variables: readonly Sign[];
}

function changesOf(objects: readonly ObjectInFile[], rules: readonly RendererRule[]): ObjectChanges {
  const changed = new Map<string, ObjectChange>();
  const renamed = new Set<string>();
  const names = new Set<string>();
  const variables: Sign[] = [];
  for (const { object, source } of objects) {
    const about = rules.filter((rule) => rule.isAbout(source, object));
    const hasVariables = variableIn(object) !== undefined;
    if (hasVariables) variables.push({ what: 'a variable', source });
    if (about.length === 0 && !hasVariables) continue;
    const isContent = hasVariables || about.some(isOfContent);
    const locator = locatorOf(object);
    const [sign] = about.toSorted((a, b) => Number(isOfContent(b)) - Number(isOfContent(a)));
    const change = isContent ? 'content' : (changed.get(locator)?.change ?? 'place');
    changed.set(locator, {
      change,
      object,
      ...(sign === undefined ? {} : { sign: { what: sign.field, source: sign.source } }),
    });
    const kind = groupKindKey(groupKindOf(object));
    names.add(`${kind}:${object.metadata.name}`);
    if (hasVariables || about.some(({ field }) => renaming.has(field))) renamed.add(kind);
  }
  return { changed, renamed, names, variables };
}

function isOfContent({ field }: RendererRule): boolean {
  return changes[field] === 'content';
}

/** Returns the part of a text before the first mark; all if there is none. */
function upTo(mark: string, text: string): string {
  return text.split(mark, 1)[0] ?? text;
}

/** Returns the part of a text after the last slash; all if there is none. */
function lastPart(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1);
}

/** Returns whether an object tells Flux what to render. */
export function isFluxKustomization({ kind, apiVersion }: KubernetesObject): boolean {
  return kind === 'Kustomization' && apiVersion.startsWith('kustomize.toolkit.fluxcd.io/');
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

/** Returns the path of a Kustomization of Flux in the repository, without leading dots and slashes. */
function fluxPath(object: KubernetesObject): string {
  const { path } = specOf(object);
  const parts = typeof path === 'string' ? path.split('/') : [];
  return parts.filter((part) => part !== '' && part !== '.').join('/');
}

/** Returns what renderers name in this repository and what is not among the files. */
function unreadPaths(
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

/** Returns a path without none, one and more of its first folders. */
function endsOf(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_, start) => parts.slice(start).join('/'));
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

function slashed(path: string): string {
  return path.split(sep).join('/');
}

/** The kinds whose controllers render charts or other repositories. */
const chartKinds: Readonly<Record<string, RegExp>> = {
  HelmRelease: /^helm\.toolkit\.fluxcd\.io\//,
  HelmChart: /^helm\.cattle\.io\//,
  Application: /^argoproj\.io\//,
  ApplicationSet: /^argoproj\.io\//,
};

/** Returns whether the controller of an object renders charts or other repositories. */
export function rendersElsewhere({ kind, apiVersion }: KubernetesObject): boolean {
  return Object.hasOwn(chartKinds, kind) && chartKinds[kind]?.test(apiVersion) === true;
}

/** How many signs a text names. */
const maxNamed = 3;

/** Returns what is not rendered, in a sentence; empty if everything is as it will be applied. */
export function unrenderedText({ signs }: Unrendered): string {
  if (signs.length === 0) return '';
  const bySign = new Map<string, string[]>();
  for (const { what, source } of signs) bySign.set(what, [...(bySign.get(what) ?? []), source]);
  const named = [...bySign].map(([what, [first = '', ...more]]) => {
    return `${what} in ${first}${more.length === 0 ? '' : ` and ${more.length} more`}`;
  });
  const rest = named.length > maxNamed ? `, and ${named.length - maxNamed} other things` : '';
  return `Not rendered: ${named.slice(0, maxNamed).join(', ')}${rest}. Answers that depend on it are undecided; render the files first to get all answers.`;
}
