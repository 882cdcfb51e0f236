import { describeOutput } from '@policy-machinery/golden-output';
import { cluster } from './cluster.ts';
import { report } from './report.ts';

describeOutput(
  new URL('../output.golden.txt', import.meta.url),
  'says how each port is spoken to, and what statuses say for each Gateway',
  async (colors) => report(await cluster(), colors),
);
