import { describeOutput } from '@policy-machinery/golden-output';
import { describe, expect, it } from 'vitest';
import { examples } from './examples.ts';
import { report } from './report.ts';

describeOutput(
  new URL('../output.golden.txt', import.meta.url),
  'has the 25 outcomes that GEP-713 expects of its three examples',
  async (colors) => report(await examples(), colors),
);

describe('the manifests', () => {
  it('are without faults', async () => {
    const all = await examples();
    expect(all.flatMap(({ effective }) => [...effective.topology.issues, ...effective.issues])).toEqual([]);
  });
});
