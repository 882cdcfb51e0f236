import { lstat, stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Guarantee, guaranteeKind, isGuarantee, readGuarantee } from '@policy-machinery/guarantees';
import { formatIssue, groupKindKey, groupOf, type Issue, type KubernetesObject } from '@policy-machinery/resource';
import { printableLines } from '@policy-machinery/resource/inner';
import { readFiles } from '../input/files/files.ts';
import { type RevisionReading, readRevision } from '../input/git/read-revision.ts';
import { UsageError } from '../model/usage-error.ts';
import type { World } from '../model/world.ts';

/** The end of the names of guarantees that a change edits or deletes. */
export const ofBase = ' (base)';

/** Guarantees, and where they are written. */
export interface GuaranteeSource {
  readonly guarantees: readonly Guarantee[];
  /** Returns an issue about a guarantee, with its position in a file. */
  readonly locate: (issue: Issue) => Issue;
}

/**
 * Reads guarantees from files and folders. In a folder, objects of other kinds are left out.
 *
 * @param paths The files and folders, and `-` for standard input.
 * @param base A revision of git. Its guarantees count as well, where they differ. Default: none.
 * @returns The guarantees. Rejects with a {@link UsageError} with everything that is wrong, line by line: a file that cannot be read, an object in a
 * named file that is not a guarantee, an unknown field, a path without any guarantee.
 */
export async function readGuarantees(
  paths: readonly string[],
  environment: Parameters<typeof readFiles>[1],
  base?: string,
): Promise<GuaranteeSource> {
  const sources: GuaranteeSource[] = [];
  const earlier = base === undefined ? nowhere : await readRevision(base, paths);
  for (const path of paths) {
    const wasThere = base !== undefined && !earlier.absent.includes(path);
    if (!wasThere || (await exists(path))) sources.push(await readPath(path, environment, wasThere));
  }
  const source = {
    guarantees: sources.flatMap(({ guarantees }) => guarantees),
    locate: (issue: Issue) => sources.reduce((located, each) => each.locate(located), issue),
  };
  return base === undefined ? source : withEarlier(source, earlier);
}

const nowhere: Pick<RevisionReading, 'objects' | 'issues' | 'locate' | 'absent'> = {
  objects: [],
  issues: [],
  locate: (issue) => issue,
  absent: [],
};

async function exists(path: string): Promise<boolean> {
  return path === '-' || (await lstat(path).catch(() => undefined)) !== undefined;
}

/** Adds the guarantees of a revision that are others now, or deleted, by the name `NAME (base)`. */
function withEarlier(source: GuaranteeSource, { objects, locate }: typeof nowhere): GuaranteeSource {
  const earlier = sourceOf(objects.filter(isGuarantee), locate).guarantees.filter(
    (guarantee) => !source.guarantees.some((each) => isDeepStrictEqual(each, guarantee)),
  );
  const renamed = earlier.map((guarantee) => ({ ...guarantee, name: guarantee.name + ofBase }));
  return {
    guarantees: [...source.guarantees, ...renamed],
    locate: (issue) => {
      const { resource = '' } = issue;
      if (!resource.endsWith(ofBase)) return source.locate(issue);
      return { ...locate({ ...issue, resource: resource.slice(0, -ofBase.length) }), resource };
    },
  };
}

/** @param mayBeEmpty Whether the path can lack guarantees: a change may delete them. */
async function readPath(
  path: string,
  environment: Parameters<typeof readFiles>[1],
  mayBeEmpty: boolean,
): Promise<GuaranteeSource> {
  const reading = await readFiles({ filename: [path] }, environment);
  const { objects = [], issues = [], locate = (issue: Issue) => issue } = reading ?? {};
  const faults = issues.flatMap(({ severity, ...issue }) => (severity === 'error' ? [{ ...issue, severity }] : []));
  if (faults.length > 0) throw notUsable(faults);
  const isFolder = path !== '-' && (await stat(path)).isDirectory();
  const isOurs = (object: KubernetesObject): boolean =>
    !isFolder || isGuarantee(object) || groupOf(object.apiVersion) === guaranteeKind.group;
  const source = sourceOf(objects.filter(isOurs), locate);
  if (source.guarantees.length > 0 || mayBeEmpty) return source;
  throw new UsageError(`${path} does not contain guarantees: objects of the kind Guarantee in ${guaranteeKind.group}`);
}

const resources = `${guaranteeKind.plural}.${guaranteeKind.group}`;

/**
 * Says that guarantees may be there, but cannot be read.
 *
 * @returns A sentence; `undefined` if guarantees are read, or the cluster does not have the kind.
 */
export function unreadIn({ source }: World): string | undefined {
  const isUnread = source?.gaps.some(({ kind }) => groupKindKey(kind) === groupKindKey(guaranteeKind));
  return isUnread ? `Guarantees are not known: ${resources} may not be read.` : undefined;
}

/** Returns the reason why a world is without guarantees. */
function noneIn(world: World): string {
  if (world.source === undefined) return 'the input does not contain guarantees';
  const isThere = world.source.kinds.some((kind) => groupKindKey(kind) === groupKindKey(guaranteeKind));
  return isThere ? 'the cluster does not contain guarantees' : `the cluster does not have the kind ${resources}`;
}

/**
 * Returns the guarantees among the objects of the input.
 *
 * @throws {UsageError} If one is faulty, or there are none.
 */
export function guaranteesIn(world: World): GuaranteeSource {
  const source = sourceOf(world.objects.filter(isGuarantee), world.locate);
  if (source.guarantees.length > 0) return source;
  const why = unreadIn(world) ?? noneIn(world);
  throw new UsageError(`${why}; name a file with some, such as "verify -f cluster/ guarantees.yaml"`);
}

function sourceOf(objects: readonly KubernetesObject[], locate: GuaranteeSource['locate']): GuaranteeSource {
  const readings = objects.map(readGuarantee);
  const issues = readings.flatMap((reading) => reading.issues);
  if (issues.length > 0) throw notUsable(issues.map(locate));
  return { guarantees: readings.flatMap(({ guarantee }) => guarantee ?? []), locate };
}

/**
 * Returns the error for guarantees that cannot be verified.
 *
 * @param issues The faults, with positions.
 */
export function notUsable(issues: readonly Issue[]): UsageError {
  return new UsageError(printableLines(['the guarantees cannot be used', ...issues.map(formatIssue)].join('\n  ')));
}
