import { fileURLToPath } from 'node:url';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { formatIssue } from '@policy-machinery/resource';
import { readManifests } from '@policy-machinery/resource/node';
import { colorsFor } from '@policy-machinery/text';
import { hub } from './hub.ts';
import { Policy } from './policy-kind.ts';
import { removals } from './removals.ts';
import { report } from './report.ts';

const manifests = await readManifests(fileURLToPath(new URL('../manifests', import.meta.url)));
const topology = hub();
topology.apply({ upsert: manifests });

const effective = effectivePolicies(topology, Policy);
process.stdout.write(report(effective, removals, colorsFor(process.stdout, process.env)));
for (const issue of [...topology.issues, ...effective.issues]) console.error(formatIssue(manifests.locate(issue)));
