import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import setup from './temporary-folder.ts';

afterEach(() => void vi.unstubAllEnvs());

describe('the temporary folder', () => {
  it('is one for the run that goes on', () => {
    expect(setup()).toBeUndefined();
  });

  it('is removed with all that tests have left, for the projects together', () => {
    const outer = mkdtempSync(join(tmpdir(), 'outer-'));
    for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, outer);
    const remove = setup();
    expect(setup()).toBeUndefined();
    writeFileSync(join(mkdtempSync(join(tmpdir(), 'left-')), 'file'), '');
    expect(readdirSync(outer)).toHaveLength(1);
    remove?.();
    expect(readdirSync(outer)).toEqual([]);
  });
});
