import {
  type KubernetesObject,
  locatorOf,
  objectIn,
  objectsIn,
  parseLocator,
  refOf,
  stringIn,
} from '@policy-machinery/resource';
import { formatRef } from '@policy-machinery/topology';
import type { Finding } from '../model/answer.ts';
import type { World } from '../model/world.ts';

/** The annotation of an object that accepts findings about it: `overridden: the default may lose`, one in each line. */
export const ignoreAnnotation = 'lint.policy-machinery/ignore';

/** The kind of objects in files that accept findings. */
export const acceptanceKind = 'FindingAcceptance';

/** A finding that is accepted, and why. */
interface Entry {
  readonly code: string;
  /** The object that the finding is about, as people write it. Default: any. */
  readonly resource: string | undefined;
}

/** Findings without those that are accepted. */
export interface Remaining {
  readonly findings: readonly Finding[];
  readonly accepted: number;
}

/**
 * Leaves out the findings that somebody accepts with a reason: by an annotation of the object, or by an entry of a FindingAcceptance in the input.
 *
 * @param findings Its findings.
 * @returns The others, with findings about entries without a reason, and about those that accept nothing.
 */
export function withoutAccepted({ objects }: Pick<World, 'objects'>, findings: readonly Finding[]): Remaining {
  const files = objects.filter(isAcceptance);
  const annotated = new Map(objects.flatMap((object) => annotationsOf(object)));
  if (files.length + annotated.size === 0) return { findings, accepted: 0 };
  const read = files.map((object) => ({ object, entries: entriesIn(object) }));
  const used = new Set<Entry>();
  const remaining = findings.filter((finding) => {
    const { code, resource } = finding;
    if (annotated.has(keyOf(code, resource))) return false;
    const entry = read.flatMap(({ entries }) => entries).find((it) => it !== undefined && accepts(it, finding));
    if (entry === undefined) return true;
    used.add(entry);
    return false;
  });
  const about = read.flatMap(({ object, entries }) =>
    entries.flatMap((entry, index) => faultOf(entry, used, locatorOf(object), index)),
  );
  return { findings: [...remaining, ...about], accepted: findings.length - remaining.length };
}

function isAcceptance({ apiVersion, kind }: KubernetesObject): boolean {
  return kind === acceptanceKind && apiVersion.startsWith('lint.policy-machinery/');
}

/** Returns the entries of an object; `undefined` for each without a code or a reason. */
function entriesIn({ spec }: KubernetesObject): readonly (Entry | undefined)[] {
  return objectsIn(objectIn(spec).accepted).map(({ code, resource, reason }) => {
    const [named, why] = [stringIn(code), stringIn(reason)?.trim()];
    return named === undefined || why === undefined || why === ''
      ? undefined
      : { code: named, resource: stringIn(resource) };
  });
}

function accepts({ code, resource }: Entry, finding: Finding): boolean {
  if (code !== finding.code) return false;
  return (
    resource === undefined || (finding.resource !== undefined && nameOf(finding.resource) === resource.toLowerCase())
  );
}

/** Returns a locator as people write it, in lower case: a locator does not have the spelling of its kind. */
function nameOf(locator: string): string {
  return formatRef({ ...parseLocator(locator), section: undefined }).toLowerCase();
}

function faultOf(
  entry: Entry | undefined,
  used: ReadonlySet<Entry>,
  resource: string,
  index: number,
): readonly Finding[] {
  const place = { resource, pointer: `/spec/accepted/${index}` };
  if (entry === undefined) {
    return [
      {
        code: 'invalid-acceptance',
        severity: 'error',
        message: 'accepts nothing, because code or reason is missing',
        ...place,
      },
    ];
  }
  if (used.has(entry)) return [];
  return [
    { code: 'unused-acceptance', severity: 'note', message: `accepts no finding ${entry.code}; remove it`, ...place },
  ];
}

/** Returns which findings the annotation of an object accepts: those with a reason. */
function annotationsOf(object: KubernetesObject): readonly (readonly [key: string, reason: string])[] {
  const lines = object.metadata.annotations?.[ignoreAnnotation]?.split('\n') ?? [];
  const { namespace = 'default', name } = refOf(object);
  return lines.flatMap((line) => {
    const [code = '', ...reason] = line.split(':');
    const why = reason.join(':').trim();
    if (why === '') return [];
    const places = [locatorOf(object), locatorOf({ ...object, metadata: { ...object.metadata, name, namespace } })];
    return places.map((place) => [keyOf(code.trim(), place), why] as const);
  });
}

function keyOf(code: string, resource: string | undefined): string {
  return `${code} ${resource}`;
}
