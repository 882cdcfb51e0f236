import { fileURLToPath } from 'node:url';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { readManifests } from '@policy-machinery/resource/node';
import { describe, expect, it } from 'vitest';
import { colorsFor } from './colors.ts';
import { hub } from './hub.ts';
import { Policy } from './policy-kind.ts';
import { removals } from './removals.ts';
import { report } from './report.ts';

async function reportFor(stream: { readonly isTTY?: boolean }): Promise<string> {
  const topology = hub();
  topology.apply({ upsert: await readManifests(fileURLToPath(new URL('../manifests', import.meta.url))) });
  const effective = effectivePolicies(topology, Policy);
  expect([topology.issues, topology.unresolved, effective.issues]).toEqual([[], [], []]);
  return report(effective, removals, colorsFor(stream, {}));
}

describe('the output', () => {
  it('says for each cluster what is on it, by way of which bindings, and what removing one would do', async () => {
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
