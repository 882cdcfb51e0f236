import { fileURLToPath } from 'node:url';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { formatIssue, PolicyMachineryError } from '@policy-machinery/resource';
import { readManifests } from '@policy-machinery/resource/node';
import { createTopology } from '@policy-machinery/topology';
import { colorsFor } from './colors.ts';
import { RateLimitPolicy, TimeoutPolicy } from './policy-kinds.ts';
import { report } from './report.ts';

const [path = fileURLToPath(new URL('../manifests', import.meta.url))] = process.argv.slice(2);

try {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy, RateLimitPolicy] });
  const manifests = await readManifests(path);
  topology.apply({ upsert: manifests });
  const kinds = [effectivePolicies(topology, TimeoutPolicy), effectivePolicies(topology, RateLimitPolicy)];

  process.stdout.write(report(kinds, colorsFor(process.stdout, process.env)));
  const issues = [...topology.issues, ...kinds.flatMap((effective) => effective.issues)];
  for (const issue of issues) console.error(formatIssue(manifests.locate(issue)));
} catch (error) {
  if (!(error instanceof PolicyMachineryError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
