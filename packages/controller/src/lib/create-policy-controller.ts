import { type Clock, createEventRecorder } from '@policy-machinery/cluster';
import { systemClock } from '@policy-machinery/cluster/inner';
import { jsonLogger } from '@policy-machinery/observability';
import { noTracer } from '@policy-machinery/observability/inner';
import { formatGroupKind, groupKindKey, messageOf, PolicyMachineryError } from '@policy-machinery/resource';
import { checkControllerName } from '@policy-machinery/resource/inner';
import type { PolicyControllerOptions } from './controller-options.ts';
import { checkFinalizer } from './finalizers/finalizer-write.ts';
import { type ConfiguredKind, type ControlledKind, configuredKindOf } from './kinds/configured-kind.ts';
import { PolicyController } from './loop/policy-controller.ts';
import { Reporter } from './loop/reporter.ts';
import { unfailingLog } from './loop/unfailing-log.ts';
import { memoryUse } from './memory/memory-use.ts';
import { Telemetry } from './metrics/telemetry.ts';
import { leaseOf } from './object-names.ts';

/**
 * Creates a policy controller. It watches the kinds that its policies need, keeps effective policies and statuses up to date, and calls you with the
 * changes.
 *
 * - It plans nothing, writes nothing and calls nothing before it knows all objects of all kinds. A failure never counts as a deletion.
 * - If an object has changed in the meantime, its write is planned again. At most one request for an object is under way.
 * - With a lease, one of several replicas acts; the others are ready to take over. With shards, each acts on its share.
 *
 * @param options The name, the cluster, the kinds and further options.
 * @returns The controller. Call its `run`.
 * @throws {PolicyMachineryError} `invalid-controller-name`, `no-policy-kinds`, `watched-already`, `partly-watched`, `lease-and-shards`,
 * `invalid-finalizer`, or `finalizer-without-leader`; and the errors of `createTopology` about its kinds.
 * @example
 * ```ts
 * const controller = createPolicyController({
 *   name: 'timeouts.example.com/controller',
 *   connection: await connect(),
 *   targetKinds: gatewayApi(),
 *   policyKinds: [TimeoutPolicy],
 * });
 * await controller.run({ signal });
 * ```
 */
export function createPolicyController<const Kinds extends readonly ControlledKind[]>(
  options: PolicyControllerOptions<Kinds>,
): PolicyController {
  const { name, clock = systemClock, random = Math.random, drain = 10_000 } = options;
  checkOptions(options);
  const policyKinds = options.policyKinds.map(configuredKindOf);
  const reporter = createReporter(options, policyKinds, clock);
  for (const { policyKind } of policyKinds) {
    for (const { message } of policyKind.issues) reporter.log.warn(message, { kind: formatGroupKind(policyKind) });
  }
  return PolicyController.make({
    ...options,
    policyKinds,
    clock,
    random,
    drain,
    reporter,
    telemetry: new Telemetry({ meter: options.metrics, tracer: options.traces ?? noTracer, name, clock }),
  });
}

function checkOptions(options: PolicyControllerOptions): void {
  const { name, gatewaysOf = name, policyKinds, lease, shards } = options;
  for (const controller of [name, gatewaysOf]) checkControllerName(controller);
  if (policyKinds.length === 0) {
    const message = 'The controller does not have policy kinds; name at least one in policyKinds';
    throw new PolicyMachineryError('no-policy-kinds', message);
  }
  if (lease !== undefined && shards !== undefined) {
    const message = 'With shards, each replica has its own Lease; leave out lease';
    throw new PolicyMachineryError('lease-and-shards', message);
  }
  checkFinalizerOptions(options);
}

function checkFinalizerOptions({ finalizer, onEffective, callOn, shards }: PolicyControllerOptions): void {
  if (finalizer === undefined) return;
  checkFinalizer(finalizer);
  if (onEffective !== undefined && callOn !== 'every-replica' && shards === undefined) return;
  const message = `The finalizer ${finalizer} needs onEffective on the leader, which cleans up before objects go; leave out callOn and shards, or the finalizer`;
  throw new PolicyMachineryError('finalizer-without-leader', message);
}

function createReporter(
  { name, connection, events = true, dryRun, lease, gateways, gatewaysOf, ...options }: PolicyControllerOptions,
  policyKinds: readonly ConfiguredKind[],
  clock: Clock,
): Reporter {
  const log = unfailingLog(options.log ?? jsonLogger());
  const onError = (error: unknown) => log.warn('an event could not be recorded', { error: messageOf(error) });
  const recordsEvents = events && dryRun !== true;
  return new Reporter({
    log,
    events: recordsEvents ? createEventRecorder(connection, { reportingController: name, clock, onError }) : undefined,
    clock,
    staleAfter: options.staleAfter ?? 600_000,
    lease: lease && leaseOf(name, lease),
    policyKinds: new Set(policyKinds.map(({ policyKind }) => groupKindKey(policyKind))),
    gatewaysOf: gateways === 'all' ? undefined : gatewaysOf,
    memory: memoryUse,
  });
}
