import { isDeepStrictEqual } from 'node:util';
import { type Issue, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { type Manifests, type ManifestText, parseManifests } from '@policy-machinery/resource/manifests';
import type { Finding } from '../model/answer.ts';
import { firstOf } from '../model/first-of.ts';
import type { FileReading } from './file-reading.ts';
import { isKustomization, readKustomization } from './gitops/kustomization.ts';
import { noticeUnrendered } from './gitops/unrendered.ts';
import { testFile } from './manifest-names.ts';

/** A text with what was read from it. */
interface Parsed {
  readonly text: ManifestText;
  readonly manifests: Manifests;
  readonly issues: readonly Issue[];
}

/**
 * Reads the objects of texts. Files in folders may be something else: what is no Kubernetes object is passed over, and files for kustomize say what
 * is not rendered.
 *
 * @param texts The texts.
 * @param isNamed Returns whether the user has named a source: then it must have objects. Default: none is named.
 * @returns The objects. Of two different ones with the same name, the first counts.
 */
export function manifestsOf(
  texts: readonly ManifestText[],
  isNamed: (source: string) => boolean = () => false,
): FileReading {
  const isForKustomize = (text: ManifestText) => isKustomization(text) && !isNamed(text.source);
  const parsed = texts.filter((text) => !isForKustomize(text) && !testFile.test(text.source)).map(parse);
  const templates = parsed.filter((each) => isTemplate(each) && !isNamed(each.text.source));
  const others = parsed.filter((each) => !templates.includes(each) && isOther(each) && !isNamed(each.text.source));
  const read = parsed.filter((each) => !templates.includes(each) && !others.includes(each));
  const { objects, declared, repeated, placeOf } = combine(read);
  return {
    objects: [...objects.values()].map(({ object }) => object),
    issues: [
      ...read.flatMap(({ issues, manifests, text }) => [
        ...(isNamed(text.source) ? issues : issues.filter((issue) => !isOtherDocument(issue, issues))),
        ...manifests.warnings,
      ]),
      ...repeated,
      ...passedOver(others),
    ],
    locate: placeOf,
    unrendered: noticeUnrendered(
      declared.map(({ object, from }) => ({ object, source: from.text.source })),
      texts.filter(isForKustomize).map(readKustomization),
      templates.map(({ text }) => text.source),
    ),
  };
}

function parse(text: ManifestText): Parsed {
  const issues: Issue[] = [];
  const manifests = parseManifests(text, { onIssue: (issue) => issues.push(issue), equalDuplicates: 'ignored' });
  return { text, manifests, issues };
}

/** The folder for templates in a chart. */
const inChart = /(^|[\\/])templates[\\/]/;

/** Returns whether a text is a template of a chart: with its actions, it is no YAML. */
function isTemplate({ text: { source, text }, issues, manifests }: Parsed): boolean {
  return issues.length > 0 && manifests.resources.length === 0 && inChart.test(source) && text.includes('{{');
}

/** Returns whether a text has nothing to do with Kubernetes, such as values of a chart or a playbook. */
function isOther({ text: { source, text }, issues, manifests }: Parsed): boolean {
  if (issues.length === 0 || manifests.resources.length > 0) return false;
  const isForeign = !/\bapiVersion\b/.test(text);
  const isTag = ({ message }: Issue) => message.startsWith('Unresolved tag'); // Of another program, such as `!secret`.
  return (
    /(^|[\\/])Chart\.ya?ml$/.test(source) ||
    issues.every((issue) => isOtherDocument(issue, issues) || (isForeign && isTag(issue)))
  );
}

/** Returns whether an issue is about a document that has neither `apiVersion` nor `kind`. */
function isOtherDocument({ code, pointer = '', position }: Issue, issues: readonly Issue[]): boolean {
  if (code !== 'no-kubernetes-object') return false;
  if (pointer === '') return true;
  const at = JSON.stringify(position);
  const without = (field: string) =>
    issues.some((issue) => issue.pointer === field && issue.code === code && JSON.stringify(issue.position) === at);
  return without('/kind') && without('/apiVersion');
}

/** Says once which files have no objects. */
function passedOver(others: readonly Parsed[]): readonly Finding[] {
  if (others.length === 0) return [];
  const names = firstOf(
    others.map(({ text }) => text.source),
    3,
  );
  const what =
    others.length === 1
      ? '1 file without Kubernetes objects is'
      : `${others.length} files without Kubernetes objects are`;
  return [{ code: 'no-manifest', severity: 'note', message: `${what} passed over: ${names}` }];
}

/** An object with the text that declares it. */
interface Declared {
  readonly object: KubernetesObject;
  readonly from: Parsed;
}

interface Combined {
  readonly objects: ReadonlyMap<string, Declared>;
  /** All declarations, repeated ones included. */
  readonly declared: readonly Declared[];
  readonly repeated: readonly Finding[];
  readonly placeOf: (issue: Issue) => Issue;
}

/** Combines the objects of several texts. Equal declarations are one. */
function combine(parsed: readonly Parsed[]): Combined {
  const declared = parsed.flatMap((from) => from.manifests.resources.map((object) => ({ object, from })));
  const objects = new Map<string, Declared>();
  const repeated: Finding[] = [];
  for (const each of declared) {
    const resource = locatorOf(each.object);
    const first = objects.get(resource);
    if (first === undefined) objects.set(resource, each);
    else if (!isDeepStrictEqual(each.object, first.object)) repeated.push(differs(resource, each, first));
  }
  const placeOf = (issue: Issue): Issue => {
    const { resource = '' } = issue;
    const from = objects.get(resource) ?? objects.get(resource.replace(':default/', ':'));
    return from?.from.manifests.locate(issue) ?? issue;
  };
  return { objects, declared, repeated, placeOf };
}

function differs(resource: string, second: Declared, first: Declared): Finding {
  const at = first.from.manifests.positionOf(first.object);
  const position = second.from.manifests.positionOf(second.object);
  const place = at === undefined ? first.from.text.source : `${at.source}:${at.line}:${at.column}`;
  const message = `declared twice with different content, first at ${place}; remove one of the two`;
  return { code: 'duplicate-resource', severity: 'error', message, resource, ...(position ? { position } : {}) };
}
