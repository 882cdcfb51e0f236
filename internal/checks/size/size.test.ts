import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { excesses } from '../budgets/budgets.ts';
import { builtEntries, countBytes } from '../budgets/sizes.ts';
import { readBudgets } from '../budgets/versions.ts';

/** The only entry that needs graphology, which is as large as everything else together. */
const withGraphology = '@policy-machinery/topology/graph';

describe('the size of packages', () => {
  it('is within the budget: minified and compressed, without dependencies', async () => {
    const bytes = await countBytes();
    console.log(
      Object.entries(bytes)
        .map(([name, size]) => `${name.padEnd(36)} ${size} bytes`)
        .join('\n'),
    );
    expect(Object.keys(bytes)).toEqual([...builtEntries.keys()]);
    expect(excesses(readBudgets(), { bytes })).toEqual([]);
  });

  it('holds graphology where a graph is asked for, and nowhere else', async () => {
    const holders = await Promise.all(
      Array.from(builtEntries, async ([name, file]) => {
        const options = { bundle: true, format: 'esm', platform: 'node', write: false, metafile: true } as const;
        const { metafile } = await build({ entryPoints: [file], ...options, logLevel: 'error' });
        return Object.keys(metafile.inputs).some((input) => input.includes('/graphology/')) ? [name] : [];
      }),
    );
    expect(holders.flat()).toEqual([withGraphology]);
  });
});
