import { fileURLToPath } from 'node:url';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { describeOutput } from '@policy-machinery/golden-output';
import { readManifests } from '@policy-machinery/resource/node';
import type { Colors } from '@policy-machinery/text';
import { expect } from 'vitest';
import { hub } from './hub.ts';
import { Policy } from './policy-kind.ts';
import { removals } from './removals.ts';
import { report } from './report.ts';

async function reportIn(colors: Colors): Promise<string> {
  const topology = hub();
  topology.apply({ upsert: await readManifests(fileURLToPath(new URL('../manifests', import.meta.url))) });
  const effective = effectivePolicies(topology, Policy);
  expect([topology.issues, topology.unresolved, effective.issues]).toEqual([[], [], []]);
  return report(effective, removals, colors);
}

describeOutput(
  new URL('../output.golden.txt', import.meta.url),
  'says for each cluster what is on it, through which bindings, and what removing one would do',
  reportIn,
);
