import { join } from 'node:path';
import { type JsonObject, objectIn, objectsIn } from '@policy-machinery/resource';
import { runWith } from '../../../../packages/cli/src/lib/run.fixture.ts';
import type { Checked } from '../checked.ts';
import { type Cluster, type SystemClusters, systemClusters } from './clusters.ts';

/** Statuses that differ from what is computed, by system, with the reason: `cluster policy`. */
const meant: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Envoy Gateway': {
    'backend-tls-settings BackendTLSPolicy policy-btls-for-backend-6':
      'Envoy Gateway writes no status for a BackendTLSPolicy on a port that no route leads to.',
    'backendtlspolicy-default-ns BackendTLSPolicy policy-btls-backend-ip-2':
      'The route leads to the whole Backend, and for Envoy Gateway a policy on one port counts only where a route names the port.',
    'envoypatchpolicy-invalid-merge-gateways EnvoyPatchPolicy edit-ignore-global-limit':
      'The cluster leaves out that its class refers to the EnvoyProxy that merges Gateways.',
    'backendtrafficpolicy-status-conditions BackendTrafficPolicy also-target-httproute-in-gateway-1':
      'The cluster has no ages, and Envoy Gateway keeps the policy that its input lists first.',
    'backendtrafficpolicy-status-conditions BackendTrafficPolicy target-httproute-in-gateway-1':
      'The cluster has no ages, and Envoy Gateway keeps the policy that its input lists first.',
  },
  agentgateway: {
    'trafficpolicy/status-update AgentgatewayPolicy example-policy':
      'The cluster has an entry of another controller, which stays.',
  },
  Istio: {
    'backend-tls-policy BackendTLSPolicy tls-external-service-https':
      'ResolvedRefs of Istio is about certificates alone, and here also about the missing section of the target.',
  },
};

/** An API server has stored all objects, so that no shipped schema refuses them. */
const resourceVersion = '1';

/** The creation time of objects without one: for Envoy Gateway, they are older than all others, and as old as each other. */
const creationTimestamp = '1970-01-01T00:00:00Z';

/** Returns a cluster as a List, with the resource versions and the creation times that tests leave out. */
function listOf({ objects }: Cluster): string {
  const items = objects.map((object) => {
    const { namespace = 'default', ...metadata } = objectIn(object.metadata);
    const isNamespaced = object.kind !== 'GatewayClass' && object.kind !== 'Namespace';
    const place = isNamespaced ? { namespace } : {};
    return { ...object, metadata: { creationTimestamp, resourceVersion, ...place, ...metadata } };
  });
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

/**
 * Compares the statuses that the controllers of systems write in their tests with what `gwpolicy status` computes for the same clusters.
 *
 * @param folder The folder with the data of existing systems.
 */
export async function checkStatuses(folder: string): Promise<Checked> {
  const parts: Checked[] = [];
  for (const clusters of systemClusters) parts.push(await checkSystem(clusters, join(folder, clusters.folder)));
  return {
    lines: parts.flatMap(({ lines }) => lines),
    faults: parts.flatMap(({ faults }) => faults),
  };
}

async function checkSystem({ system, read }: SystemClusters, folder: string): Promise<Checked> {
  const clusters = read(folder);
  if (clusters.length === 0) return { lines: [`${system}'s statuses are not on this machine: ${folder}.`], faults: [] };
  const reasons = meant[system] ?? {};
  const counts = { same: 0, different: 0, unknown: 0 };
  const faults: string[] = [];
  const unknown: string[] = [];
  const met = new Set<string>();
  for (const cluster of clusters) {
    const { stdout, stderr } = await runWith(['status', '-A', '-f', '-', '-o', 'json'], { stdin: listOf(cluster) });
    if (stdout === '' && !stderr.includes('no policies')) faults.push(`${cluster.name}: ${stderr.trim()}`);
    for (const item of objectsIn(stdout === '' ? [] : (JSON.parse(stdout) as JsonObject).items)) {
      const result = String(item.result) as keyof typeof counts;
      counts[result] += 1;
      const { kind, name } = objectIn(item.policy);
      const subject = `${cluster.name} ${String(kind)} ${String(name)}`;
      if (result === 'unknown') unknown.push(`- not comparable: ${subject}: ${String(item.why)}`);
      if (result !== 'different') continue;
      met.add(subject);
      if (reasons[subject] === undefined) faults.push(`${subject}: the status differs from what is computed`);
    }
  }
  const unmet = Object.keys(reasons).filter((subject) => !met.has(subject));
  return {
    lines: [
      `${system}'s statuses in ${clusters.length} clusters: ${counts.same} policies the same, ${counts.different} different, ${counts.unknown} not comparable.`,
      ...Object.entries(reasons).map(([subject, reason]) => `- different: ${subject}: ${reason}`),
      ...unknown,
    ],
    faults: [...faults, ...unmet.map((subject) => `${subject} no longer differs; remove the exception`)],
  };
}
