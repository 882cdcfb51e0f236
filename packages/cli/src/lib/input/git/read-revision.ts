import { join, relative } from 'node:path';
import type { ManifestText } from '@policy-machinery/resource/manifests';
import type { Finding } from '../../model/answer.ts';
import { UsageError } from '../../model/usage-error.ts';
import { excludes, ignoreFile } from '../files/exclude.ts';
import type { FileReading } from '../files/file-reading.ts';
import { isManifestLink, isManifestName, linkFinding, submoduleFinding } from '../files/manifest-names.ts';
import { manifestsOf } from '../files/manifests-of.ts';
import { readBlobs } from './read-blobs.ts';
import { runGit } from './run-git.ts';
import { entriesIn, followPath, type TreeEntry } from './tree-path.ts';
import { type GitPath, gitPathOf } from './work-tree.ts';

export interface RevisionReading extends FileReading {
  /** The paths that the revision does not have. */
  readonly absent: readonly string[];
}

/**
 * Reads manifests of a revision from git, into memory: nothing is checked out, and no link of the work tree is followed.
 *
 * @param revision A commit, a branch or a tag.
 * @param paths Files and folders of the repository, by their current path or the path in the revision. A path that is a link in the revision
 * is read where the link leads in the revision.
 * @param exclude Patterns of files in folders that are not read, beside those in the revision's `.gwpolicyignore` of the folder.
 * @returns The objects; positions name the files as `paths` do. Rejects with a {@link UsageError} that contains the message of git.
 */
export async function readRevision(
  revision: string,
  paths: readonly string[],
  exclude: readonly string[] = [],
): Promise<RevisionReading> {
  const { texts, issues, absent } = await readRevisionTexts(revision, paths, isManifestName, exclude);
  const reading = manifestsOf(texts, (source) => paths.includes(source));
  return { ...reading, issues: [...reading.issues, ...issues], absent };
}

/** The texts of a revision, with the findings about its folders and the paths that it does not have. */
interface RevisionTexts extends Pick<RevisionReading, 'issues' | 'absent'> {
  readonly texts: readonly ManifestText[];
}

/**
 * Reads files of a revision from git, like {@link readRevision}.
 *
 * @param isMeant Returns whether a file in a folder is read, by its name. Named files are.
 * @param exclude Patterns of files that are not read. Default: all are read, also those that the revision excludes.
 */
export async function readRevisionTexts(
  revision: string,
  paths: readonly string[],
  isMeant: (name: string) => boolean,
  exclude?: readonly string[],
): Promise<RevisionTexts> {
  const issues: Finding[] = [];
  const texts: ManifestText[] = [];
  const absent: string[] = [];
  for (const path of paths) {
    checkRevision(revision);
    const place = await gitPathOf(path, revision);
    const { entry, links } = await followPath(place.top, await treeOf(place, revision), place.name);
    issues.push(...links.map(([name, target]) => linkFinding('followed', name, target)));
    if (entry === undefined) {
      absent.push(path);
      continue;
    }
    const all = await entriesBelow(place, entry, path);
    const isExcluded = exclude && excludes(exclude, await ignoredIn(place, all, path));
    const below = entry.type === 'file' ? all : all.filter(({ name }) => isExcluded?.(relative(path, name)) !== true);
    issues.push(...below.filter(isLeftOut).map(({ name }) => linkFinding('left out', name)));
    issues.push(...below.filter(({ type }) => type === 'submodule').map(({ name }) => submoduleFinding(name)));
    const files = below.filter(({ type, name }) => type === 'file' && (entry.type === 'file' || isMeant(name)));
    const contents = await readBlobs(place.top, files, revision);
    for (const [index, { name }] of files.entries()) texts.push({ source: name, text: contents[index] ?? '' });
  }
  return { texts, issues, absent };
}

/**
 * Returns the commit where two revisions diverged: the one that a pull request is compared with.
 *
 * @param other Another revision.
 * @param path A file or folder of the repository.
 * @returns The commit. Rejects with a {@link UsageError} if there is none.
 */
export async function mergeBase(one: string, other: string, path: string): Promise<string> {
  for (const revision of [one, other]) checkRevision(revision);
  const { top } = await gitPathOf(path, `${one}...${other}`);
  return (await runGit(top, ['merge-base', one, other], `${one}...${other}`)).toString('utf8').trim();
}

async function treeOf({ top }: GitPath, revision: string): Promise<string> {
  return (await runGit(top, ['rev-parse', '--verify', `${revision}^{tree}`], revision)).toString('utf8').trim();
}

function checkRevision(revision: string): void {
  if (revision.startsWith('-')) throw new UsageError(`${revision} is not a revision; name a branch, a tag or a commit`);
}

/** Returns the text of the file that excludes files from reading. */
async function ignoredIn(place: GitPath, entries: readonly TreeEntry[], path: string): Promise<string> {
  const files = entries.filter(({ name, type }) => type === 'file' && name === join(path, ignoreFile));
  const [text = ''] = await readBlobs(place.top, files, ignoreFile);
  return text;
}

/** Returns the entries that a path leads to, with their names as the caller writes the path. */
async function entriesBelow({ top }: GitPath, entry: TreeEntry, path: string): Promise<readonly TreeEntry[]> {
  if (entry.type === 'file') return [{ ...entry, name: path }];
  return (await entriesIn(top, entry.id, ['-r'])).map((each) => ({ ...each, name: join(path, each.name) }));
}

function isLeftOut({ type, name }: TreeEntry): boolean {
  return type === 'link' && isManifestLink(name);
}
