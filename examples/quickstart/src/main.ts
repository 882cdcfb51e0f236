import { fileURLToPath } from 'node:url';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { formatIssue, type Issue, PolicyMachineryError } from '@policy-machinery/resource';
import { readManifests } from '@policy-machinery/resource/node';
import { colorsFor } from '@policy-machinery/text';
import { createTopology } from '@policy-machinery/topology';
import { RateLimitPolicy, TimeoutPolicy } from './policy-kinds.ts';
import { report } from './report.ts';

const [path = fileURLToPath(new URL('../manifests', import.meta.url))] = process.argv.slice(2);
let locate = (issue: Issue): Issue => issue;

/** Writes issues to standard error. If one is an error, the program exits with a failure. */
function warn(issues: readonly Issue[]): void {
  for (const issue of issues) console.error(formatIssue(locate(issue)));
  if (issues.some(({ severity }) => severity === 'error')) process.exitCode = 1;
}

try {
  const manifests = await readManifests(path);
  locate = manifests.locate;
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy, RateLimitPolicy] });
  const { ignored } = topology.apply({ upsert: manifests });
  const kinds = [effectivePolicies(topology, TimeoutPolicy), effectivePolicies(topology, RateLimitPolicy)];

  process.stdout.write(report(kinds, colorsFor(process.stdout, process.env)));
  warn(topology.issues);
  warn(
    topology.unresolved.map(({ from, missing, reference: { pointer } }) => {
      const message = `refers to ${missing}, which does not exist`;
      return { code: 'unresolved', severity: 'warning', message, resource: from.object.locator, pointer };
    }),
  );
  warn(
    ignored.map((resource) => {
      return { code: 'unknown-kind', severity: 'warning', message: 'is ignored: its kind is unknown', resource };
    }),
  );
  warn(kinds.flatMap((effective) => [...effective.issues, ...[...effective].flatMap(({ issues }) => issues)]));
} catch (error) {
  if (!(error instanceof PolicyMachineryError)) throw error;
  console.error(error.message.split('\n', 1)[0]);
  warn(error.issues);
  process.exitCode = 1;
}
