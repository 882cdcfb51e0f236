import { describeOutput } from '@policy-machinery/golden-output';
import { cluster } from './cluster.ts';
import { report } from './report.ts';

describeOutput(
  new URL('../output.golden.txt', import.meta.url),
  'says for each route what applies, and what the status of each policy says',
  async (colors) => report(await cluster(), colors),
);
