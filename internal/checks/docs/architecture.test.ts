import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/** The folders that the page lists for a package, the highest one first. */
function listedFolders(name: string): readonly string[] {
  const section = page.split(/^## /m).find((it) => it.startsWith(`Inside \`${name}\``)) ?? '';
  return [...section.matchAll(/^([a-z]+)\/ +/gm)].map(([, folder]) => folder ?? '');
}

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sourcesIn(path);
    return /(?<!\.(?:test|test-d|fixture))\.ts$/.test(name) ? [path] : [];
  });
}

/** The sources that each source imports at once or later, for types alone or not. */
function importsIn(folder: string, mayShareTypes = (_path: string) => false): ReadonlyMap<string, readonly string[]> {
  const sources = sourcesIn(folder);
  return new Map(
    sources.map((path) => {
      const text = readFileSync(path, 'utf8');
      const imports = text.matchAll(/^(?:import|export) (type )?[^;]*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm);
      const named = Array.from(imports, ([, type, to = '', loaded = to]) => ({
        type,
        to: join(dirname(path), loaded),
      }));
      const counted = named.filter(({ type, to }) => !type || !mayShareTypes(path) || !mayShareTypes(to));
      return [path, counted.map(({ to }) => to).filter((to) => sources.includes(to))];
    }),
  );
}

/** The sources that import themselves through others. */
function sourcesInCircles(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const importsItself = (start: string) => {
    const reached = new Set(imports.get(start));
    for (const path of reached) for (const to of imports.get(path) ?? []) reached.add(to);
    return reached.has(start);
  };
  return [...imports.keys()].filter(importsItself);
}

describe.each(['topology', 'effective-policy', 'cli'])('docs/architecture.md about %s', (name) => {
  const lib = join(root, 'packages', name, 'src/lib');
  const folders = listedFolders(name);
  const imports = importsIn(lib);
  const folderOf = (path: string) => relative(lib, path).split(sep).slice(0, -1)[0] ?? '';

  it('lists every folder', () => {
    const isFolder = (name: string) => statSync(join(lib, name)).isDirectory();
    const existing = readdirSync(lib).filter((name) => isFolder(name) && sourcesIn(join(lib, name)).length > 0);
    expect(folders.toSorted()).toEqual(existing.toSorted());
  });

  it('lists them so that each imports only from those below it', () => {
    const upwards = [...imports].flatMap(([path, all]) => {
      const at = folders.indexOf(folderOf(path));
      const wrong = all.filter((to) => folders.indexOf(folderOf(to)) < at);
      return wrong.map((to) => `${relative(lib, path)} imports ${relative(lib, to)}`);
    });
    expect(upwards).toEqual([]);
  });
});

const packages = readdirSync(join(root, 'packages'));

/** The packages that the page lists, each above those that may import it. */
const listedPackages = [...page.matchAll(/^\| ((?:`[a-z-]+`(?:, )?)+) \|/gm)].flatMap(([, names = '']) =>
  namesIn(names),
);

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name ?? '');
}

/** The packages of this repository that the sources of one import. */
function packagesImportedBy(name: string): ReadonlySet<string> {
  const imported = sourcesIn(join(root, 'packages', name, 'src')).flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    return [...text.matchAll(/^(?:import|export) [^;]*?from '@policy-machinery\/([a-z-]+)/gm)];
  });
  return new Set(imported.map(([, to]) => to ?? ''));
}

describe('docs/architecture.md about packages', () => {
  it('lists each one once', () => {
    expect(listedPackages.toSorted()).toEqual(packages.toSorted());
  });

  it.each(packages)('lists %s below all that it imports', (name) => {
    const above = listedPackages.slice(0, listedPackages.indexOf(name));
    expect([...packagesImportedBy(name)].filter((to) => !above.includes(to))).toEqual([]);
  });
});

describe('docs/decisions.md', () => {
  it('names the packages that know a cluster', () => {
    const decision = /^3\. .*?\n\n/ms.exec(readFileSync(join(root, 'docs/decisions.md'), 'utf8'))?.[0] ?? '';
    const knowing = new Set(['cluster']);
    for (const name of listedPackages) {
      if ([...packagesImportedBy(name)].some((to) => knowing.has(to))) knowing.add(name);
    }
    knowing.delete('policy-machinery'); // It exports everything, and knows nothing itself.
    expect(namesIn(decision).toSorted()).toEqual([...knowing].toSorted());
  });
});

describe('docs/architecture.md', () => {
  it('names files that exist', () => {
    const named = [...page.matchAll(/`([a-z]+\/[a-z-]+)`/g)].map(([, path]) => path ?? '');
    const libs = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name, 'src/lib'));
    const missing = named.filter((path) => !libs.some((lib) => existsSync(join(lib, `${path}.ts`))));
    expect(named).not.toEqual([]);
    expect(missing.filter((path) => path !== 'src/lib')).toEqual([]);
  });
});

/** The sources that may import types from each other, by package. */
const mutualTypes: Readonly<Record<string, readonly string[]>> = {
  topology: [
    'change-record',
    'check-kinds',
    'kind-reach',
    'kinds',
    'load-order',
    'path',
    'policy-node',
    'resolved-reference',
    'target-kind',
    'target-node',
    'target-status',
    'topology',
    'topology-trial',
  ].map((name) => `model/${name}`),
};

describe.each(packages)('the files of %s', (name) => {
  const sources = join(root, 'packages', name, 'src');
  const exceptions = mutualTypes[name] ?? [];

  it('import each other in no circle, not even for types, except for those that the page names', () => {
    const mayShareTypes = (path: string) => exceptions.some((file) => path === join(sources, 'lib', `${file}.ts`));
    expect(sourcesInCircles(importsIn(sources, mayShareTypes)).map((path) => relative(sources, path))).toEqual([]);
    expect(exceptions.filter((path) => !page.includes(`\`${path}\``))).toEqual([]);
  });
});
