import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cluster, testEnvironment } from '../../run.fixture.ts';
import { loadWorld } from '../load.ts';
import { followFiles } from './follow-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'gwpolicy-follow-'));

describe('followFiles', () => {
  it('keeps the last content while files cannot be read, reports why, and continues', async () => {
    const world = await loadWorld({ filename: [cluster] }, testEnvironment().environment, () => {});
    const [faults, end] = [[] as unknown[], new AbortController()];
    let readings = 0;
    const touch = () => writeFileSync(join(folder, 'a.yaml'), String(readings));
    const read = async () => {
      readings += 1;
      if (readings !== 2) return world;
      setImmediate(touch);
      throw new Error('half written');
    };
    const worlds = followFiles({
      paths: [folder],
      recursive: false,
      signal: end.signal,
      read,
      onFault: (fault) => faults.push(fault),
    });
    await worlds.next();
    touch();
    expect((await worlds.next()).value).toBe(world);
    expect(faults).toEqual([new Error('half written')]);
    expect(readings).toBe(3);
    end.abort();
    expect((await worlds.next()).done).toBe(true);
  });

  it('leaves it to reading to say that a path does not exist', async () => {
    const faults: unknown[] = [];
    const read = () => Promise.reject(new Error('nonexistent does not exist'));
    const { signal } = new AbortController();
    const worlds = followFiles({
      paths: ['nonexistent'],
      recursive: false,
      signal,
      read,
      onFault: (it) => faults.push(it),
    });
    await expect(worlds.next()).rejects.toThrow('nonexistent does not exist');
    expect(faults).toEqual([]);
  });
});
