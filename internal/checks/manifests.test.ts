import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { root } from './files.ts';
import { isProgram, manifestOf, type Package, published, umbrella } from './packages.ts';

const repository = manifestOf('.');

describe.each(published.map((each) => [each.manifest.name, each] as const))('%s', (name, { folder, manifest }) => {
  const text = (file: string) => readFileSync(`${root}${folder}/${file}`, 'utf8');

  it('has a README, a CHANGELOG and the licence of the repository', () => {
    expect(text('README.md')).toMatch(new RegExp(`^# ${name}\n[^]*\n## Install\n[^]*\n## Example\n`));
    expect(text('CHANGELOG.md')).toContain(`## ${manifest.version}\n`);
    expect(text('LICENSE')).toBe(readFileSync(`${root}LICENSE`, 'utf8'));
  });

  it('states in its README that no release exists yet only if people install it by itself', () => {
    const notice = (path: string) => /There is no release yet: .*\./.exec(readFileSync(root + path, 'utf8'))?.[0];
    const isProduct = name === umbrella || isProgram(manifest);
    const expected = isProduct ? notice('README.md')?.replace('(docs/', '(../../docs/') : undefined;
    expect(notice(`${folder}/README.md`)).toBe(expected);
  });

  it('is an ES module without side effects, for the Node of the repository', () => {
    expect(manifest).toMatchObject({ type: 'module', sideEffects: false, license: repository.license });
    expect(manifest.engines).toEqual(repository.engines);
    expect(manifest.description).toMatch(/^[A-Z].*\.$/);
  });

  it('exports sources in the repository, and types before code to everyone else', () => {
    const { './package.json': self, ...others } = manifest.exports ?? {};
    expect(self).toBe('./package.json');
    const { '.': main, ...parts } = others;
    // The main entry of the package with all others is an error.
    const entries = manifest.name === umbrella ? parts : others;
    if (manifest.name === umbrella) expect(main).toEqual({ types: './main.d.ts', default: './main.js' });
    for (const [path, conditions] of Object.entries(entries)) {
      const file = path === '.' ? 'index' : path.slice(2);
      expect(Object.entries(conditions)).toEqual([
        ['@policy-machinery/source', `./src/${file}.ts`],
        ['types', `./dist/${file}.d.ts`],
        ['default', `./dist/${file}.js`],
      ]);
      expect(existsSync(`${root}${folder}/src/${file}.ts`)).toBe(true);
    }
  });

  it('publishes the same exports without the sources, to everyone', () => {
    const exports = Object.entries(manifest.exports ?? {}).map(([path, target]) => {
      if (typeof target === 'string') return [path, target];
      const { '@policy-machinery/source': _source, ...conditions } = target;
      return [path, conditions];
    });
    expect(manifest.publishConfig?.access).toBe('public');
    // npm then publishes only from a workflow that signs the package's commit and build steps.
    expect(manifest.publishConfig?.provenance).toBe(true);
    expect(Object.entries(manifest.publishConfig?.exports ?? {})).toEqual(exports);
  });

  it('says where in the repository it is, once the repository has an address', () => {
    const expected = repository.repository && { ...repository.repository, directory: folder };
    expect(manifest.repository).toEqual(expected);
  });
});

const programs = published.filter(({ manifest }) => isProgram(manifest));

describe.each(programs.map((each) => [each.manifest.name, each] as const))(
  '%s, a program',
  (_name, { manifest, entries }) => {
    it('installs nothing but itself, and exports nothing', () => {
      expect([manifest.dependencies, manifest.peerDependencies, [...entries]]).toEqual([undefined, undefined, []]);
    });
  },
);

describe(umbrella, () => {
  const others = published.filter(({ manifest }) => manifest.name !== umbrella && !isProgram(manifest));
  const { folder, entries, manifest } = published.find((each) => each.manifest.name === umbrella) as Package;

  it('has each entry of each package under its name without the scope', () => {
    const expected = others.flatMap((each) => [...each.entries.keys()]);
    expect([...entries.keys()]).toEqual(expected.map((entry) => entry.replace('@', '')));
    for (const [entry, source] of entries) {
      expect(readFileSync(`${root}${folder}/${source}`, 'utf8')).toBe(`export * from '@${entry}';\n`);
    }
  });

  it('lists its entries for those who import none', async () => {
    const names = [...entries.keys()].map((entry) => `\n  ${entry}`).join('');
    const message = `${umbrella} has no main entry; import from one of its entries:${names}`;
    await expect(import(`${root}${folder}/main.js`)).rejects.toThrow(new Error(message));
  });

  it('depends on all of them', () => {
    expect(Object.keys(manifest.dependencies ?? {})).toEqual(others.map((each) => each.manifest.name));
  });
});
