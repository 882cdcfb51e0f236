import { describeOutput } from '@policy-machinery/golden-output';
import type { Colors } from '@policy-machinery/text';
import { cluster } from './cluster.fixture.ts';
import { tell } from './story.ts';

async function told(colors: Colors): Promise<string> {
  return tell(await cluster(), colors);
}

describeOutput(new URL('../output.golden.txt', import.meta.url), 'tells the parable', told);
