import { isDeepStrictEqual } from 'node:util';
import { findPolicyKinds } from '@policy-machinery/known-kinds';
import { groupKindKey, groupKindOf, type Issue, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { type DocumentMemory, type ManifestText, parseManifests } from '@policy-machinery/resource/manifests';
import type { Finding } from '../../model/answer.ts';
import { firstOf } from '../../model/first-of.ts';
import { judge, noObject } from '../gitops/foreign.ts';
import { isKustomization, type Kustomization, readKustomization } from '../gitops/kustomization.ts';
import { leftOutOf } from '../gitops/left-out.ts';
import type { ObjectInFile } from '../gitops/object-in-file.ts';
import { areTogetherIn, leavingOut, placesIn, renderingsOf } from '../gitops/renderings.ts';
import { filledTexts } from '../gitops/substitution.ts';
import { noticeUnrendered } from '../gitops/unrendered.ts';
import { requiredKindsOf } from '../kinds/hierarchies.ts';
import { asApplied, serverFieldFindings } from './as-applied.ts';
import { FileMemory, type Parsed } from './file-memory.ts';
import type { FileReading } from './file-reading.ts';
import { testFile } from './manifest-names.ts';

/**
 * Reads the objects of texts. Files in folders that do not contain Kubernetes objects are skipped, and kustomizations determine the unrendered input.
 *
 * @param isNamed Returns whether the user has named a source: then it must have objects. Default: none is named.
 * @param memory The earlier content of the same files. Default: nothing.
 * @param keepsStatus Whether statuses stay that do not count, for a command that compares them. Default: no.
 * @returns The objects. Of two different ones with the same name, the first counts.
 */
export function manifestsOf(
  texts: readonly ManifestText[],
  isNamed: (source: string) => boolean = () => false,
  memory: FileMemory = new FileMemory(),
  keepsStatus = false,
): FileReading {
  memory.begin();
  const kustomizations = texts.filter((text) => isKustomization(text) && !isNamed(text.source)).map(readKustomization);
  const parsed = parseAll(texts, kustomizations, (text) => {
    const isOwn = isNamed(text.source);
    return memory.recall(text, isOwn, (documents) => parse(text, isOwn, documents));
  });
  const read = parsed.filter(({ is }) => is !== 'foreign');
  const written = read.flatMap((from) =>
    from.manifests.resources.map((object) => ({
      ...asApplied(object, from.manifests, keepsStatus),
      written: object,
      from,
    })),
  );
  const renderings = renderingsOf(written.map(inFile), kustomizations);
  const declared = inNamespaces(written, placesIn(renderings));
  const { objects, repeated, placeOf } = combine(declared, areTogetherIn(renderings));
  const templates = read.filter(({ is, hasUnfilledName }) => is === 'template' || hasUnfilledName);
  return {
    objects: [...objects.values()].map(({ object }) => object),
    issues: [
      ...read.flatMap(({ issues, manifests }) => [...issues, ...manifests.warnings]),
      ...repeated.findings,
      ...(keepsStatus ? [] : serverFieldFindings(written)),
      ...passedOver(parsed.filter(({ is, text }) => is === 'foreign' && !isOfKnownFormat(text))),
    ],
    locate: placeOf,
    unrendered: noticeUnrendered(declared.map(inFile), kustomizations, {
      templates: templates.map(({ text }) => text.source),
      declaredApart: repeated.apart,
      files: texts.map(({ source }) => source),
      leftOut: leftOutOf(declared.map(inFile), () => kindsOf(declared), leavingOut(renderings, kustomizations)),
    }),
  };
}

/** Parses texts, and once more those with variables that can be filled in. */
function parseAll(
  texts: readonly ManifestText[],
  kustomizations: readonly Kustomization[],
  parseText: (text: ManifestText) => Parsed,
): readonly Parsed[] {
  const written = texts.map(parseText);
  const filled = filledTexts(texts, written.flatMap(objectsIn), kustomizations);
  return written.map((parsed) => {
    const text = filled.get(parsed.text.source);
    return text === undefined ? parsed : parseText({ ...parsed.text, text });
  });
}

function parse(text: ManifestText, isNamed: boolean, memory: DocumentMemory): Parsed {
  const issues: Issue[] = [];
  const manifests = parseManifests(text, {
    onIssue: (issue) => issues.push(issue),
    equalDuplicates: 'ignored',
    memory,
  });
  if (isNamed) return { text, manifests, is: 'manifest', issues, hasUnfilledName: false };
  if (isPointer(text)) return { text, manifests, is: 'manifest', issues: [pointerIssue(text)], hasUnfilledName: false };
  if (isOfKnownFormat(text)) {
    const about = issues.filter(({ code }) => code !== noObject); // A document that cannot be read may be an object for kubectl.
    const isOther = about.length === 0 && manifests.resources.every(isOfKustomize);
    return { text, manifests, is: isOther ? 'foreign' : 'manifest', issues: about, hasUnfilledName: false };
  }
  return { text, manifests, ...judge(text, issues, manifests.resources.length) };
}

/** Returns whether a text stands for a file that Git LFS has in another place. */
function isPointer({ text }: ManifestText): boolean {
  return /^version https:\/\/git-lfs\.github\.com\/spec\/v\d+\n(?:.*\n)*?oid /.test(text);
}

function pointerIssue({ source }: ManifestText): Issue {
  const message = 'the file is in Git LFS, and only its pointer is read; run `git lfs pull`';
  return { code: 'unreadable-file', severity: 'error', message, position: { source, line: 1, column: 1 } };
}

/** Returns whether a file of a folder is for kustomize or for `gwpolicy test`, by its name. kubectl applies the Kubernetes objects in it all the same. */
function isOfKnownFormat(text: ManifestText): boolean {
  return isKustomization(text) || testFile.test(text.source);
}

function isOfKustomize({ apiVersion }: KubernetesObject): boolean {
  return apiVersion.startsWith('kustomize.config.k8s.io/');
}

/** Says once which files do not have objects. */
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
  return [{ code: 'no-manifest', severity: 'note', message: `${what} skipped: ${names}` }];
}

interface Declared {
  /** The object, in the namespace where a renderer puts it. */
  readonly object: KubernetesObject;
  readonly written: KubernetesObject;
  readonly from: Parsed;
}

function objectsIn({ manifests, text }: Parsed): readonly ObjectInFile[] {
  return manifests.resources.map((object) => ({ object, source: text.source }));
}

function inFile({ object, from }: Declared): ObjectInFile {
  return { object, source: from.text.source };
}

function kindsOf(declared: readonly Declared[]): ReturnType<typeof requiredKindsOf> {
  return requiredKindsOf(findPolicyKinds({ resources: declared.map(({ object }) => object) }));
}

/** Puts objects into the namespaces of their files. */
function inNamespaces(declared: readonly Declared[], places: ReadonlyMap<string, string>): readonly Declared[] {
  if (places.size === 0) return declared;
  const namespaced = new Set(
    kindsOf(declared)
      .filter(({ scope }) => scope === 'Namespaced')
      .map(groupKindKey),
  );
  return declared.map((each) => {
    const namespace = places.get(each.from.text.source);
    if (namespace === undefined || !namespaced.has(groupKindKey(groupKindOf(each.object)))) return each;
    return { ...each, object: { ...each.object, metadata: { ...each.object.metadata, namespace } } };
  });
}

interface Combined {
  readonly objects: ReadonlyMap<string, Declared>;
  readonly repeated: Repeated;
  readonly placeOf: (issue: Issue) => Issue;
}

/** Different declarations of one object. */
interface Repeated {
  readonly findings: readonly Finding[];
  /** The later declarations that no rendering has together with the first: those are for other clusters. */
  readonly apart: readonly ObjectInFile[];
}

/** Combines the objects of several texts. Equal declarations are one. */
function combine(declared: readonly Declared[], areTogether: (one: string, other: string) => boolean): Combined {
  const objects = new Map<string, Declared>();
  const findings: Finding[] = [];
  const apart: ObjectInFile[] = [];
  for (const each of declared) {
    const resource = locatorOf(each.object);
    const first = objects.get(resource);
    if (first === undefined) objects.set(resource, each);
    else if (isDeepStrictEqual(each.object, first.object)) continue;
    else if (areTogether(first.from.text.source, each.from.text.source)) findings.push(differs(resource, each, first));
    else apart.push(inFile(each));
  }
  const placeOf = (issue: Issue): Issue => {
    const { resource = '' } = issue;
    const of = objects.get(resource) ?? objects.get(resource.replace(':default/', ':'));
    if (of === undefined) return issue;
    const { position } = of.from.manifests.locate({ ...issue, resource: locatorOf(of.written) });
    return position === undefined ? issue : { ...issue, position };
  };
  return { objects, repeated: { findings, apart }, placeOf };
}

function differs(resource: string, second: Declared, first: Declared): Finding {
  const at = first.from.manifests.positionOf(first.written);
  const position = second.from.manifests.positionOf(second.written);
  const place = at === undefined ? first.from.text.source : `${at.source}:${at.line}:${at.column}`;
  const message = `declared twice with different content, first at ${place}; remove one of the two`;
  return { code: 'duplicate-resource', severity: 'error', message, resource, ...(position ? { position } : {}) };
}
