import type { Clock, Transport, TransportRequest } from '@policy-machinery/cluster';
import { readStatusError, systemClock } from '@policy-machinery/cluster/inner';
import { type KubernetesObject, messageOf } from '@policy-machinery/resource';
import type { Complete } from '@policy-machinery/resource/inner';
import type { Check, CheckContext } from './checks/check.ts';
import { conformanceChecks } from './checks/table.ts';
import { createClient, type ObjectName } from './cluster/client.ts';
import { CheckFailure } from './cluster/failure.ts';
import { policyWith } from './subject/manifests.ts';
import { type PolicyUnderTest, type StrategyName, strategyNames } from './subject/policy-under-test.ts';

/** How conformance is checked. */
export interface ConformanceOptions {
  /** The implementation, from `readPolicyUnderTest`. */
  readonly subject: PolicyUnderTest;
  /** The ids of the checks to run. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** How long the implementation may take to write a status, in milliseconds. Default 60 s. */
  readonly timeout?: number | undefined;
  /** How long nothing may be written before that counts as quiet, in milliseconds. Default 10 s. */
  readonly quiet?: number | undefined;
  /** Called with each result as soon as there is one. */
  readonly onResult?: ((result: CheckResult) => void) | undefined;
  /** Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
}

/** The result of a check. */
export interface CheckResult extends Pick<Check, 'id' | 'profile' | 'level' | 'sentence' | 'line'> {
  readonly result: 'passed' | 'failed' | 'skipped';
  /** Why the check failed or was skipped. */
  readonly message?: string;
  /** The objects that show why it failed, as they were last. */
  readonly objects?: readonly KubernetesObject[];
  /** How long it took, in seconds. */
  readonly seconds: number;
}

/** The results of all checks. */
export interface ConformanceResults {
  readonly subject: PolicyUnderTest;
  /** When the checks began. */
  readonly date: Date;
  readonly results: readonly CheckResult[];
}

/**
 * Checks a live implementation of a policy kind: creates Gateways, routes and policies in its own namespaces, one check after the other, and watches
 * the statuses that the implementation writes. The namespaces are deleted at the end.
 *
 * @param transport The cluster: the result of `connect` of `@policy-machinery/cluster`. The user must have the rights to create and delete
 * namespaces, to write their contents and the statuses of policies, and to read CustomResourceDefinitions.
 * @param options The implementation, and how long it may take.
 * @returns The results. A check that cannot be carried out, for example because its namespaces cannot be created, has failed.
 * @throws {StatusError} If the API server refuses to delete a namespace.
 * @throws {TransportError} If the API server does not answer when a namespace is to be deleted.
 * @example
 * ```ts
 * const results = await runConformance(await connect(), { subject });
 * console.log(stringify(conformanceReport(results, { organization: 'example', project: 'timeouts', version: 'v1.0.0' })));
 * ```
 */
export async function runConformance(transport: Transport, options: ConformanceOptions): Promise<ConformanceResults> {
  const { subject, only, onResult, clock = systemClock } = options;
  const date = new Date(clock.now());
  const stamp = date.getTime().toString(36);
  const chosen = conformanceChecks.filter(({ id }) => only === undefined || only.includes(id));
  const results: CheckResult[] = [];
  for (const [index, check] of chosen.entries()) {
    const result = await resultOf(transport, check, `conformance-${stamp}-${index + 1}`, { ...options, clock });
    results.push(result);
    onResult?.(result);
  }
  return { subject, date, results };
}

type Settings = Complete<ConformanceOptions, 'clock'>;

async function resultOf(transport: Transport, check: Check, name: string, settings: Settings): Promise<CheckResult> {
  const { subject, clock } = settings;
  const { id, profile, level, sentence, line } = check;
  const about = { id, profile, level, sentence, ...(line === undefined ? {} : { line }) };
  const why = check.skip(subject);
  if (why !== undefined) return { ...about, result: 'skipped', message: why, seconds: 0 };
  const start = clock.monotonic();
  const seconds = () => (clock.monotonic() - start) / 1000;
  const namespaces = [name, `${name}-other`];
  try {
    for (const namespace of namespaces) await createNamespace(transport, namespace);
    await check.run(contextOf(transport, settings, namespaces));
    return { ...about, result: 'passed', seconds: seconds() };
  } catch (error) {
    const objects = error instanceof CheckFailure ? error.objects : [];
    return { ...about, result: 'failed', message: messageOf(error), objects, seconds: seconds() };
  } finally {
    for (const namespace of namespaces) await deleteNamespace(transport, namespace);
  }
}

function contextOf(
  transport: Transport,
  { subject, timeout = 60_000, quiet = 10_000, clock }: Settings,
  [own = '', other = '']: readonly string[],
): CheckContext {
  const { group, version, kind, plural } = subject.policy;
  const clientIn = (namespace: string) =>
    createClient(transport, { namespace, timeout, clock, plurals: { [`${kind}.${group}`]: plural } });
  const client = clientIn(own);
  const plainest = strategyNames.find((name) => subject.strategies[name] !== undefined) ?? 'none';
  return {
    subject,
    client,
    elsewhere: clientIn(other),
    quiet,
    async policy(name, on, { strategy, spec = subject.specs.one, targetNamespace } = {}) {
      const parts = { name, on, strategy: (strategy ?? plainest) as StrategyName, spec };
      const object = policyWith(subject, { ...parts, ...(targetNamespace === undefined ? {} : { targetNamespace }) });
      const [created] = await client.create(object);
      return created ?? object;
    },
    policyName: (name): ObjectName => ({ apiVersion: `${group}/${version}`, kind, name }),
  };
}

async function createNamespace(transport: Transport, name: string): Promise<void> {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const headers = { 'content-type': 'application/json' };
  await sendNamespace(transport, { method: 'POST', path: '/api/v1/namespaces', headers, body });
}

/** Deletes a namespace, unless it is gone already. The API server deletes the contents later. */
function deleteNamespace(transport: Transport, name: string): Promise<void> {
  return sendNamespace(transport, { method: 'DELETE', path: `/api/v1/namespaces/${name}` });
}

async function sendNamespace(transport: Transport, request: TransportRequest): Promise<void> {
  const response = await transport.request(request);
  if (response.status >= 400 && response.status !== 404) throw await readStatusError(response, request);
  await response.text();
}
