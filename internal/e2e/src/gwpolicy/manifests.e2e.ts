import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { readFiles } from '../../../../packages/cli/src/lib/input/files/files.ts';
import { type Shape, shapes } from './manifest-shapes.ts';

/** Writes a folder. Returns its path. */
function folderOf(shape: Shape): string {
  const folder = mkdtempSync(join(tmpdir(), 'manifests-'));
  for (const [name, entry] of Object.entries(shape)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof entry === 'string' || entry instanceof Uint8Array) writeFileSync(path, entry);
    else symlinkSync(entry.link, path);
  }
  return folder;
}

/** Returns the objects that kubectl would apply, as JSON, and whether it refuses anything. It asks no server. */
async function readByKubectl(folder: string) {
  const { kubectl } = inject('cluster');
  const args = ['label', '--local', '-R', '-f', folder, 'x-', '-o', 'json'];
  const env = { ...process.env, KUBECONFIG: '/dev/null' };
  const { stdout, isRefused } = await new Promise<{ stdout: string; isRefused: boolean }>((resolve) => {
    execFile(kubectl, args, { env }, (error, stdout) => resolve({ stdout, isRefused: error !== null }));
  });
  const documents = stdout.replaceAll(/^\}$/gm, '}\u0000').split('\u0000');
  return {
    objects: documents
      .filter((it) => it.trim() !== '')
      .map(normal)
      .sort(),
    isRefused,
  };
}

/** Returns the objects that gwpolicy reads, as JSON, and whether it refuses anything. */
async function readByGwpolicy(folder: string) {
  const environment = { stdin: Readable.from([]), kubectl: async () => '' };
  const reading = await readFiles({ filename: [folder], recursive: true }, environment);
  const { objects = [], issues = [] } = reading ?? {};
  const texts = objects.map((object) => normal(JSON.stringify(object)));
  const isRefused = issues.some(({ code, severity }) => severity === 'error' || code === 'link-left-out');
  return { objects: texts.sort(), isRefused };
}

/** Returns an object as JSON with its keys in order. kubectl leaves out empty labels and namespaces. */
function normal(text: string): string {
  return JSON.stringify(JSON.parse(text), (key, value) => {
    if (key === 'labels' && (value === null || Object.keys(value).length === 0)) return undefined;
    if (key === 'namespace' && value === '') return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Expects that gwpolicy reads what kubectl reads, or refuses something: then no answer counts as complete. */
async function expectTheSame(shape: Shape): Promise<void> {
  const folder = folderOf(shape);
  const [own, expected] = [await readByGwpolicy(folder), await readByKubectl(folder)];
  if (own.isRefused || expected.isRefused) return;
  expect(own.objects).toEqual(expected.objects);
}

describe('gwpolicy reads the manifests that kubectl applies, or refuses them', () => {
  it.each(Object.entries(shapes))('%s', async (_, shape) => {
    await expectTheSame(shape);
  });

  it('refuses less than half of them', async () => {
    const readings = await Promise.all(Object.values(shapes).map((shape) => readByGwpolicy(folderOf(shape))));
    expect(readings.filter(({ isRefused }) => !isRefused).length).toBeGreaterThan(readings.length / 2);
  });

  it('random parts of these shapes', async () => {
    const texts = Object.values(shapes).flatMap((shape) => Object.values(shape).filter((it) => typeof it === 'string'));
    const part = fc.tuple(fc.constantFrom(...texts), fc.nat(200), fc.nat(200)).map(([text, from, to]) => {
      const [start, end] = [Math.min(from, to), Math.max(from, to)];
      return end > text.length ? text : text.slice(0, start) + text.slice(end);
    });
    const joined = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
    const property = fc.asyncProperty(joined, (text) => expectTheSame({ 'a.yaml': text }));
    await fc.assert(property, { numRuns: 30, seed: Number(process.env.PROPERTY_SEED ?? 7) });
  }, 600_000);
});
