import { fileURLToPath } from 'node:url';
import { formatIssue } from '@policy-machinery/resource';
import { readManifests } from '@policy-machinery/resource/node';
import { colorsFor } from '@policy-machinery/text';
import { cluster } from './cluster.ts';
import { tiersOf } from './pod-rules.ts';
import { questions } from './questions.ts';
import { report } from './report.ts';

const manifests = await readManifests(fileURLToPath(new URL('../manifests', import.meta.url)));
const topology = cluster();
topology.apply({ upsert: manifests });

const tiers = tiersOf(topology);
process.stdout.write(report(tiers, questions, colorsFor(process.stdout, process.env)));
const issues = [topology, ...Object.values(tiers)].flatMap((it) => it.issues);
for (const issue of issues) console.error(formatIssue(manifests.locate(issue)));
