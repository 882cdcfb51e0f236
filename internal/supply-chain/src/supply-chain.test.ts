import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { beforeEach, describe, expect, it } from 'vitest';
import { withAbsoluteLinks } from './absolute-links.ts';
import { billOfMaterials, lockedHashes } from './bill-of-materials.ts';
import { licenceFaults } from './licences.ts';
import { writeRepository } from './repository.ts';
import { foldersOf, type Shipped, shippedBy } from './shipped.ts';
import { vulnerabilitiesIn } from './vulnerabilities.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const shipped = (license: string | undefined, name = 'left'): Shipped => ({
  name,
  version: '1.0.0',
  license,
  neededBy: ['a'],
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'supply-chain-'));
});

function put(path: string, manifest: object): void {
  mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, path, 'package.json'), JSON.stringify({ version: '1.0.0', license: 'MIT', ...manifest }));
}
function link(from: string, to: string): void {
  mkdirSync(dirname(join(folder, from)), { recursive: true });
  symlinkSync(join(folder, to), join(folder, from));
}

describe('the shipped packages', () => {
  it('are the dependencies of packages, direct or not, and bundled ones of programs; no tools, peers or packages of ours', () => {
    put('packages/one', {
      name: 'one',
      dependencies: { left: '1', two: '1' },
      devDependencies: { tool: '1' },
      peerDependencies: { peer: '1' },
    });
    put('packages/two', { name: 'two', bin: 'two.js', devDependencies: { bundled: '1' } });
    put('node_modules/.pnpm/left@1/node_modules/left', {
      name: 'left',
      dependencies: { below: '1' },
      optionalDependencies: { windows: '1' },
    });
    put('node_modules/.pnpm/left@1/node_modules/below', { name: 'below', license: 'ISC' });
    put('node_modules/.pnpm/bundled@1/node_modules/bundled', { name: 'bundled' });
    link('packages/one/node_modules/left', 'node_modules/.pnpm/left@1/node_modules/left');
    link('packages/one/node_modules/two', 'packages/two');
    link('packages/two/node_modules/bundled', 'node_modules/.pnpm/bundled@1/node_modules/bundled');
    expect(shippedBy(folder)).toEqual([
      { name: 'below', version: '1.0.0', license: 'ISC', neededBy: ['left'] },
      { name: 'bundled', version: '1.0.0', license: 'MIT', neededBy: ['two'] },
      { name: 'left', version: '1.0.0', license: 'MIT', neededBy: ['one'] },
    ]);
  });

  it('is not guessed where a dependency is not installed', () => {
    put('packages/one', { name: 'one', dependencies: { left: '1' } });
    expect(() => shippedBy(folder)).toThrow('one needs left, which is not installed; run npm run setup');
  });
});

describe('licences', () => {
  it.each(['MIT', 'Apache-2.0', 'MIT OR GPL-3.0-only', '(MIT OR GPL-3.0-only)', '(Apache-2.0 AND BSD-3-Clause)'])(
    'may be %s',
    (license) => {
      expect(licenceFaults([shipped(license)])).toEqual([]);
    },
  );

  it.each(['GPL-3.0-only', 'MIT AND AGPL-3.0-only', 'SEE LICENSE IN LICENSE.md', 'UNLICENSED', undefined])(
    'may not be %s',
    (license) => {
      expect(licenceFaults([shipped(license)])).toEqual([
        expect.stringMatching(/^left@1\.0\.0 .*licence.*; a needs it$/),
      ]);
    },
  );

  it('of all that is shipped may be so', () => {
    expect(licenceFaults(shippedBy(root))).toEqual([]);
  });
});

describe('known vulnerabilities', () => {
  const advisory = (module_name: string, version: string) => ({
    module_name,
    severity: 'high',
    title: 'Hangs',
    url: 'https://example.com/1',
    patched_versions: '>=1.0.1',
    findings: [{ version }],
  });

  it('are reported for the shipped packages, in the versions that are shipped, and not for tools', () => {
    const advisories = { 1: advisory('left', '1.0.0'), 2: advisory('left', '0.9.0'), 3: advisory('tool', '1.0.0') };
    expect(vulnerabilitiesIn([shipped('MIT')], JSON.stringify({ advisories }))).toEqual({
      found: ['left@1.0.0: high: Hangs; use >=1.0.1 (a needs it, https://example.com/1)'],
    });
  });

  it.each([
    ['', 'the registry does not answer'],
    [
      '{"error":{"message":"The audit endpoint (at https://mirror) responded with 405: ."}}',
      'the registry answers 405 to the question',
    ],
  ])('are reported as unknown without an answer: %j', (answer, notChecked) => {
    expect(vulnerabilitiesIn([shipped('MIT')], answer)).toEqual({ notChecked });
  });
});

describe('the bill of materials', () => {
  const all = shippedBy(root);
  const bill = billOfMaterials(root, all, lockedHashes(root));

  it('has all that is shipped, with versions, licences and the hashes of the lockfile', () => {
    const names = bill.components.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['gwpolicy', '@policy-machinery/cel', '@bufbuild/re2', 'commander', 'yaml']),
    );
    const others = bill.components.filter(({ name }) => all.some((each) => each.name === name));
    expect(
      others.filter(({ hashes, licenses }) => hashes?.[0]?.content.length !== 128 || licenses === undefined),
    ).toEqual([]);
  });

  it('says which needs which, by references that exist, and each only once', () => {
    const refs = bill.components.map((component) => component['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    expect(bill.dependencies.map(({ ref }) => ref).sort()).toEqual(refs.toSorted());
    expect(bill.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.includes(ref))).toEqual([]);
    const re2 = bill.dependencies.filter(({ dependsOn }) =>
      dependsOn.some((ref) => ref.startsWith('pkg:npm/%40bufbuild/re2@')),
    );
    expect(re2.map(({ ref }) => ref.replace(/@[^@]*$/, ''))).toEqual([
      'pkg:npm/%40policy-machinery/cel',
      'pkg:npm/%40bufbuild/cel',
    ]);
  });
});

describe('the address of the repository', () => {
  it('goes into each package that is published, with its folder', () => {
    put('.', { name: 'all', repository: { type: 'git', url: 'git+https://example.com/all.git' } });
    put('packages/one', { name: 'one', description: 'One.' });
    writeRepository(folder);
    expect(JSON.parse(readFileSync(join(folder, 'packages/one/package.json'), 'utf8')).repository).toEqual({
      type: 'git',
      url: 'git+https://example.com/all.git',
      directory: 'packages/one',
    });
  });

  const readme = [
    '![Picture](picture.svg) and [`other`](../other#heading), [here](#heading), [there](https://example.com/x)',
    'the call `list[0](../other)`',
    '```ts',
    'list[0](../other)',
    '```',
  ];

  it('goes into the links of READMEs, but not into code', () => {
    put('.', { name: 'all', repository: { type: 'git', url: 'git+https://example.com/all.git' } });
    put('packages/one', { name: 'one' });
    writeFileSync(join(folder, 'packages/one/README.md'), readme.join('\n'));
    writeRepository(folder);
    expect(readFileSync(join(folder, 'packages/one/README.md'), 'utf8').split('\n')).toEqual([
      '![Picture](https://example.com/all/raw/HEAD/packages/one/picture.svg) and [`other`](https://example.com/all/blob/HEAD/packages/other#heading), [here](#heading), [there](https://example.com/x)',
      ...readme.slice(1),
    ]);
  });

  it('is not written while a page states that a release does not exist', () => {
    put('.', { name: 'all', repository: { type: 'git', url: 'git+https://example.com/all.git' } });
    put('packages/one', { name: 'one' });
    writeFileSync(join(folder, 'packages/one/README.md'), 'There is no release yet: wait.');
    expect(() => writeRepository(folder)).toThrow(/^packages\/one\/README.md: remove "There is no release yet"/);
    expect(JSON.parse(readFileSync(join(folder, 'packages/one/package.json'), 'utf8')).repository).toBeUndefined();
  });

  it.each(foldersOf(root).map((each) => relative(root, each)))(
    'leaves %s/README.md no link that npm cannot follow',
    (each) => {
      const text = withAbsoluteLinks(
        readFileSync(join(root, each, 'README.md'), 'utf8'),
        'https://example.com/all',
        each,
      );
      const tokens = new MarkdownIt({ html: true }).parse(text, {}).flatMap(({ children }) => children ?? []);
      const targets = tokens.flatMap((token) => token.attrGet('href') ?? token.attrGet('src') ?? []);
      expect(targets.filter((target) => !/^(?:#|https:|mailto:)/.test(String(target)))).toEqual([]);
    },
  );

  it('is asked for before anything is published', () => {
    put('.', { name: 'all' });
    expect(() => writeRepository(folder)).toThrow(
      /^package.json does not say where the repository is; add "repository": /,
    );
  });
});
