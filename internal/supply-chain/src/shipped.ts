// What the published packages ship, and three looks at it: licences, known vulnerabilities, a bill of materials. `main.ts` is the command.

import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** A package of others that comes with a published package: installed as a dependency, or bundled into a program. */
export interface Shipped {
  readonly name: string;
  readonly version: string;
  /** An expression of SPDX; `undefined` if the package names none. */
  readonly license: string | undefined;
  /** The names of the packages that need it. */
  readonly neededBy: readonly string[];
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly bin?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * Returns what the packages of a repository ship, as it is installed there. Peers are not shipped: users choose their versions.
 *
 * @param root The folder of the repository.
 * @returns The packages of others, by name and version.
 */
export function shippedBy(root: string): readonly Shipped[] {
  const found = new Map<string, Shipped & { readonly neededBy: string[] }>();
  const visited = new Set<string>();
  const visit = (folder: string): void => {
    if (visited.has(folder)) return;
    visited.add(folder);
    const manifest = manifestIn(folder);
    for (const [name, isOptional] of dependenciesOf(manifest, isOurs(folder))) {
      const dependency = installed(folder, name);
      if (dependency === undefined) {
        if (isOptional) continue; // For another system.
        throw new Error(`${manifest.name} needs ${name}, which is not installed; run npm run setup`);
      }
      visit(dependency);
      if (!isOurs(dependency)) add(manifestIn(dependency), manifest.name);
    }
  };
  const add = ({ name, version, license }: Manifest, user: string): void => {
    const key = `${name}@${version}`;
    const known = found.get(key) ?? { name, version, license, neededBy: [] };
    if (!known.neededBy.includes(user)) known.neededBy.push(user);
    found.set(key, known);
  };
  const isOurs = (folder: string): boolean => !folder.includes('/node_modules/');
  for (const folder of foldersOf(root)) visit(folder);
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, shipped]) => shipped);
}

/** Returns the folders of the published packages. */
export function foldersOf(root: string): readonly string[] {
  return readdirSync(join(root, 'packages')).map((name) => realpathSync(join(root, 'packages', name)));
}

/** Returns the manifest of a package, by its folder. */
export function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Returns the names of dependencies, and whether they may be missing. A program has what it bundles in its development dependencies. */
function dependenciesOf(manifest: Manifest, isOurs: boolean): ReadonlyMap<string, boolean> {
  const { dependencies = {}, optionalDependencies = {}, devDependencies = {}, bin } = manifest;
  const bundled = isOurs && bin !== undefined ? devDependencies : {};
  const names = Object.keys({ ...dependencies, ...bundled, ...optionalDependencies });
  return new Map(names.map((name) => [name, name in optionalDependencies]));
}

/** Returns the folder of a dependency: in the package, or beside it, where pnpm puts dependencies' own dependencies. */
function installed(folder: string, name: string): string | undefined {
  const beside = folder.slice(0, folder.lastIndexOf('/node_modules/') + 1);
  const candidates = [
    join(folder, 'node_modules', name),
    ...(beside === '' ? [] : [join(beside, 'node_modules', name)]),
  ];
  const there = candidates.find((candidate) => existsSync(join(candidate, 'package.json')));
  return there && realpathSync(there);
}
