import { groupKindKey, groupKindOf, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { groupedBy } from '@policy-machinery/resource/inner';
import type { Change, Sign, Unrendered } from '../../model/unrendered.ts';
import { changeCause, originOf } from './causes.ts';
import { embedsRoutes } from './embedded.ts';
import { type Kustomization, rendersOthers } from './kustomization.ts';
import type { LeftOut } from './left-out.ts';
import type { ObjectInFile } from './object-in-file.ts';
import { isOfContent, isRenaming, type RendererRule, rendererRules } from './renderer-rules.ts';
import { rendersElsewhere } from './renderers.ts';
import { unreadPaths } from './unread-paths.ts';
import { variableIn } from './variables.ts';

/** The unrendered input, collected while files are read. */
export interface NotRendered {
  /** The files of charts, which are not YAML yet. */
  readonly templates: readonly string[];
  /** Different declarations of objects that are declared elsewhere, for another cluster. */
  readonly declaredApart: readonly ObjectInFile[];
  readonly files: readonly string[];
  /** Objects that a deployer may leave out. */
  readonly leftOut: readonly LeftOut[];
}

/**
 * Notices unrendered input in files: fields of kustomize and of Flux, variables, and charts.
 *
 * @returns The changes and possible additions of renderers. They cannot be the ground of a verdict.
 */
export function noticeUnrendered(
  objects: readonly ObjectInFile[],
  kustomizations: readonly Kustomization[],
  { templates, declaredApart, files, leftOut }: NotRendered,
): Unrendered {
  const rules = rendererRules(objects, kustomizations);
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
    if (hasVariables || about.some(isRenaming)) renamed.add(kind);
  }
  return { changed, renamed, names, variables };
}

/** Returns the part of a text before the first mark; all if there is none. */
function upTo(mark: string, text: string): string {
  return text.split(mark, 1)[0] ?? text;
}

/** Returns the part of a text after the last slash; all if there is none. */
function lastPart(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1);
}

/** How many signs a text names. */
const maxNamed = 3;

/** Returns the unrendered input, in a sentence; empty if everything is rendered. */
export function unrenderedText({ signs }: Unrendered): string {
  if (signs.length === 0) return '';
  const named = [...groupedBy(signs, ({ what }) => what)].map(([what, [first, ...more]]) => {
    return `${what} in ${first.source}${more.length === 0 ? '' : ` and ${more.length} more`}`;
  });
  const rest = named.length > maxNamed ? `, and ${named.length - maxNamed} other things` : '';
  return `Not rendered: ${named.slice(0, maxNamed).join(', ')}${rest}. Answers that depend on it are undecided; render the files first to get all answers.`;
}
