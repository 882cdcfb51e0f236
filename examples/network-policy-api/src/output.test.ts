import { fileURLToPath } from 'node:url';
import { readManifests } from '@policy-machinery/resource/node';
import { describe, expect, it } from 'vitest';
import { cluster } from './cluster.ts';
import { colorsFor } from './colors.ts';
import { tiersOf } from './pod-rules.ts';
import { questions } from './questions.ts';
import { report } from './report.ts';

async function reportFor(stream: { readonly isTTY?: boolean }): Promise<string> {
  const topology = cluster();
  topology.apply({ upsert: await readManifests(fileURLToPath(new URL('../manifests', import.meta.url))) });
  expect(topology.issues).toEqual([]);
  return report(tiersOf(topology), questions, colorsFor(stream, {}));
}

describe('the output', () => {
  it('says for each Pod which rules apply in which order, and answers questions', async () => {
    await expect(await reportFor({})).toMatchFileSnapshot('../output.golden.txt');
  });

  it('is plain on a pipe, and the same text in colours on a terminal', async () => {
    const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
    const [plain, coloured] = [await reportFor({}), await reportFor({ isTTY: true })];
    expect(plain).not.toMatch(escapes);
    expect(coloured).toMatch(escapes);
    expect(coloured.replaceAll(escapes, '')).toBe(plain);
  });
});
