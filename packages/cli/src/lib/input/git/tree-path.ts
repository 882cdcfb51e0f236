import { UsageError } from '../../model/usage-error.ts';
import { runGit } from './run-git.ts';

export interface TreeEntry {
  readonly type: 'tree' | 'file' | 'link' | 'submodule';
  /** The object that holds the content. */
  readonly id: string;
  /** The path below the tree. */
  readonly name: string;
}

/** The entry that a path leads to in a revision. */
export interface Found {
  /** `undefined` if the revision lacks the path. */
  readonly entry: TreeEntry | undefined;
  /** The links on the way, by their paths, with their targets. */
  readonly links: readonly (readonly [name: string, target: string])[];
}

/** As many as Linux follows. */
const maxLinks = 40;

/**
 * Follows a path in a tree of git, as that tree has its folders and links. The files of the work tree do not count.
 *
 * @param top The top of the work tree.
 * @param tree The tree of a revision.
 * @param name The path, with slashes.
 * @returns The entry that the path leads to. Rejects with a {@link UsageError} if the path leads out of the tree: the
 * content is not in the revision.
 */
export async function followPath(top: string, tree: string, name: string): Promise<Found> {
  const links: (readonly [string, string])[] = [];
  const folders: TreeEntry[] = [{ type: 'tree', id: tree, name: '' }];
  const rest = partsOf(name);
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    const folder = folders.at(-1);
    if (folder === undefined) throw new UsageError(`${name} ${leadsAway(links)}`);
    if (part === '..') folders.pop();
    if (part === '..') continue;
    const [found] = await entriesIn(top, folder.id, ['--', part]);
    if (found === undefined) return { entry: undefined, links };
    const entry = { ...found, name: folder.name === '' ? part : `${folder.name}/${part}` };
    if (entry.type === 'submodule') throw new UsageError(`${entry.name} is a submodule; name a path in its work tree`);
    if (entry.type === 'file') return { entry: rest.length === 0 ? entry : undefined, links };
    if (entry.type === 'tree') folders.push(entry);
    else {
      const target = (await runGit(top, ['cat-file', 'blob', entry.id], name)).toString('utf8');
      links.push([entry.name, target]);
      if (target.startsWith('/') || links.length > maxLinks) throw new UsageError(`${name} ${leadsAway(links)}`);
      rest.unshift(...partsOf(target));
    }
  }
  const entry = folders.at(-1);
  if (entry === undefined) throw new UsageError(`${name} ${leadsAway(links)}`);
  return { entry, links };
}

function leadsAway(links: Found['links']): string {
  const [link, target] = links.at(-1) ?? [];
  if (links.length > maxLinks) return `leads through more than ${maxLinks} links; remove some`;
  return `leads out of the repository: ${link} is a link to ${target}; name files that git has`;
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

/**
 * Returns entries of a tree.
 *
 * @param top The top of the work tree.
 * @param args Further arguments of `git ls-tree`.
 */
export async function entriesIn(top: string, tree: string, args: readonly string[]): Promise<readonly TreeEntry[]> {
  const listing = await runGit(top, ['ls-tree', '-z', '--full-tree', tree, ...args], tree);
  return listing
    .toString('utf8')
    .split('\0')
    .flatMap((line): readonly TreeEntry[] => {
      const [, mode = '', id, name] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
      return id === undefined || name === undefined ? [] : [{ type: typeOf(mode), id, name }];
    });
}

function typeOf(mode: string): TreeEntry['type'] {
  return mode === '040000' ? 'tree' : mode === '120000' ? 'link' : mode === '160000' ? 'submodule' : 'file';
}
