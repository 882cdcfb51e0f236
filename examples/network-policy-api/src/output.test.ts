import { fileURLToPath } from 'node:url';
import { describeOutput } from '@policy-machinery/golden-output';
import { readManifests } from '@policy-machinery/resource/node';
import type { Colors } from '@policy-machinery/text';
import { expect } from 'vitest';
import { cluster } from './cluster.ts';
import { tiersOf } from './pod-rules.ts';
import { questions } from './questions.ts';
import { report } from './report.ts';

async function reportIn(colors: Colors): Promise<string> {
  const topology = cluster();
  topology.apply({ upsert: await readManifests(fileURLToPath(new URL('../manifests', import.meta.url))) });
  expect(topology.issues).toEqual([]);
  return report(tiersOf(topology), questions, colors);
}

describeOutput(
  new URL('../output.golden.txt', import.meta.url),
  'says for each Pod which rules apply in which order, and answers questions',
  reportIn,
);
