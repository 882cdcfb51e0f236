import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type JsonObject, objectIn, objectsIn } from '@policy-machinery/resource';
import { runWith } from '../../../../packages/cli/src/lib/run.fixture.ts';
import type { Checked } from '../checked.ts';

/** Statuses that differ from what is computed, with the reason: `file policy`. */
const meant: Readonly<Record<string, string>> = {
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
};

/** The class of the Gateways, which the clusters leave out. */
const gatewayClass = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'GatewayClass',
  metadata: { name: 'envoy-gateway-class' },
  spec: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
};

/** An API server has stored all objects, so that no shipped schema refuses them. */
const resourceVersion = '1';

/** The creation time of objects without one: for Envoy Gateway, they are older than all others, and as old as each other. */
const creationTimestamp = '1970-01-01T00:00:00Z';

/** Returns a cluster with what its List leaves out: the GatewayClass, the resource versions and the creation times. */
function clusterIn(list: string): string {
  const items = objectsIn((JSON.parse(list) as JsonObject).items).map((item) => {
    return { ...item, metadata: { creationTimestamp, resourceVersion, ...objectIn(item.metadata) } };
  });
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...items, gatewayClass] });
}

/**
 * Compares the statuses that Envoy Gateway writes with what `gwpolicy status` computes for the same clusters.
 *
 * @param folder The folder with the clusters, as Lists.
 */
export async function checkStatuses(folder: string): Promise<Checked> {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  const counts = { same: 0, different: 0, unknown: 0 };
  const faults: string[] = [];
  const unknown: string[] = [];
  const met = new Set<string>();
  for (const file of files.sort()) {
    const stdin = clusterIn(readFileSync(join(folder, file), 'utf8'));
    const { stdout, stderr } = await runWith(['status', '-A', '-f', '-', '-o', 'json'], { stdin });
    if (stdout === '') faults.push(`${file}: ${stderr.trim()}`);
    for (const item of objectsIn(stdout === '' ? [] : (JSON.parse(stdout) as JsonObject).items)) {
      const result = String(item.result) as keyof typeof counts;
      counts[result] += 1;
      const { kind, name } = objectIn(item.policy);
      const subject = `${basename(file, '.json')} ${String(kind)} ${String(name)}`;
      if (result === 'unknown') unknown.push(`- not comparable: ${subject}: ${String(item.why)}`);
      if (result !== 'different') continue;
      met.add(subject);
      if (meant[subject] === undefined) faults.push(`${subject}: the status differs from what is computed`);
    }
  }
  const unmet = files.length === 0 ? [] : Object.keys(meant).filter((subject) => !met.has(subject));
  return {
    lines: [
      `Envoy Gateway's statuses in ${files.length} clusters: ${counts.same} policies the same, ${counts.different} different, ${counts.unknown} not comparable.`,
      ...Object.entries(meant).map(([subject, reason]) => `- different: ${subject}: ${reason}`),
      ...unknown,
    ],
    faults: [...faults, ...unmet.map((subject) => `${subject} no longer differs; remove the exception`)],
  };
}
