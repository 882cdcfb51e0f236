import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Issue, PolicyMachineryError } from '../../index.ts';
import { readManifests } from '../../node.ts';
import { service } from './issues.fixture.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'manifests-'));
});

async function write(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

const namesIn = (manifests: Iterable<{ metadata: { name: string } }>) =>
  [...manifests].map(({ metadata }) => metadata.name);

describe('readManifests', () => {
  it('reads a file, and names it by its path', async () => {
    await write({ 'cart.yaml': `# the cart\n${service()}` });
    const path = join(folder, 'cart.yaml');
    const manifests = await readManifests(path);
    const [resource] = manifests.resources;
    expect(resource && manifests.positionOf(resource)).toEqual({ source: path, line: 2, column: 1 });
  });

  it('reads the yaml, yml and json files below a directory, in the order of their paths', async () => {
    await write({
      'c.yml': service('c'),
      'a.yaml': service('a'),
      'b/b.json': '{"apiVersion":"v1","kind":"Service","metadata":{"name":"b"}}',
      'b/a/deep.yaml': service('deep'),
      'b/a/capitals.YAML': service('capitals'),
      'README.md': 'not: [a manifest',
      yaml: 'not: [a manifest',
    });
    expect(namesIn(await readManifests(folder))).toEqual(['a', 'deep', 'b', 'c']);
  });

  it('reads no resource from an empty directory', async () => {
    expect(namesIn(await readManifests(folder))).toEqual([]);
  });

  it('follows no symbolic links below a directory', async () => {
    await write({ 'data/a.yaml': service() });
    await symlink(join(folder, 'data'), join(folder, 'current'));
    await symlink(join(folder, 'data/a.yaml'), join(folder, 'b.yaml'));
    expect(namesIn(await readManifests(folder))).toEqual(['cart']);
    expect(namesIn(await readManifests(join(folder, 'b.yaml')))).toEqual(['cart']);
  });

  it('reads paths in the given order, regardless of their names', async () => {
    await write({ b: service('b'), 'a.yaml': service('a') });
    expect(namesIn(await readManifests([join(folder, 'b'), join(folder, 'a.yaml')]))).toEqual(['b', 'a']);
  });

  it('reads standard input for "-"', async () => {
    const stdin = Readable.from([
      Buffer.from('apiVersion: v1\nkind: Serv'),
      Buffer.from('ice\nmetadata: { name: ä }\n'),
    ]);
    const manifests = await readManifests('-', { stdin });
    const [resource] = manifests.resources;
    expect(resource?.metadata.name).toBe('ä');
    expect(resource && manifests.positionOf(resource, '/kind')).toEqual({ source: 'stdin', line: 2, column: 1 });
  });

  it('reports the faults of all files, including unreadable paths', async () => {
    await write({ 'a.yaml': 'kind: [', 'b/b.yaml': service(), 'c.json': '{"kind":"Service"}' });
    await write({ 'd.yaml': `\n${service()}` });
    const reading = readManifests([join(folder, 'missing.yaml'), folder, '-'], {
      stdin: new Readable({
        read() {
          this.destroy(new Error('closed'));
        },
      }),
    });
    await expect(reading).rejects.toThrow(PolicyMachineryError);
    const { issues } = (await reading.catch((error: PolicyMachineryError) => error)) as PolicyMachineryError;
    const lines = issues.map(
      ({ code, position }) => `${position?.source.replace(folder, '')} ${position?.line} ${code}`,
    );
    expect([...new Set(lines)]).toEqual([
      '/missing.yaml 1 unreadable-file',
      '- 1 unreadable-file',
      '/a.yaml 1 yaml-syntax',
      '/c.json 1 no-kubernetes-object',
      '/d.yaml 2 duplicate-resource',
    ]);
    expect(issues.at(-1)?.message).toBe(
      `declared twice, first at ${join(folder, 'b/b.yaml')}:1:1; remove one of the two`,
    );
  });

  it('returns valid resources, with onIssue', async () => {
    await write({ 'a.yaml': 'kind: [', 'b.yaml': service() });
    const issues: Issue[] = [];
    const manifests = await readManifests([join(folder, 'missing'), folder], {
      onIssue: (issue) => issues.push(issue),
    });
    expect(namesIn(manifests)).toEqual(['cart']);
    expect(issues[0]).toMatchObject({
      code: 'unreadable-file',
      message: expect.stringContaining('cannot be read: ENOENT'),
      position: { source: join(folder, 'missing'), line: 1, column: 1 },
    });
  });

  it('passes limits on', async () => {
    await write({ 'a.yaml': service() });
    await expect(readManifests(folder, { limits: { characters: 10 } })).rejects.toMatchObject({
      code: 'invalid-manifests',
      issues: [{ code: 'too-large' }],
    });
  });
});
