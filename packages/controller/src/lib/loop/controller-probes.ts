import type { Lease, SourceState } from '@policy-machinery/cluster';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { DebugContent, ProbesOptions } from '@policy-machinery/observability';
import type { DebugOptions, ProbeOptions } from '../controller-options.ts';
import type { LastPlan } from '../metrics/telemetry.ts';
import type { HeldUpBy } from '../sources/barrier.ts';
import type { Assembly } from './assembly.ts';
import type { ControllerSettings } from './settings.ts';

/** The parts of a controller that its probes show. */
export interface ProbedController
  extends Pick<ControllerSettings, 'name' | 'metrics'>,
    Pick<Assembly, 'topology' | 'views' | 'quarantine'> {
  readonly heldUpBy: () => readonly HeldUpBy[];
  /** Returns the state of each kind, by `groupKindKey`. */
  readonly states: () => ReadonlyMap<string, SourceState>;
  readonly leaseFault: () => Lease['fault'];
  readonly isLeader: () => boolean;
  /** Returns the number of writes of statuses that wait, by priority. */
  readonly queue: () => readonly number[];
  /** Returns the last plan of statuses; `undefined` before the first. */
  readonly lastPlan: () => LastPlan | undefined;
}

/** After this number of refusals in a row, credentials count as invalid for good. */
const maxRefusals = 3;

/** How long a lease may have a fault that another process may not have, in milliseconds. */
const longLeaseFault = 120_000;

/**
 * Returns the content of the probes of a controller.
 *
 * The process is unhealthy only if another one may do better. An API server that is away, or refuses requests that RBAC does not allow, is the same
 * for another process, which would only lose this one's state.
 */
export function probesOf(
  { port, host, checks = {}, debug = false }: ProbeOptions,
  controller: ProbedController,
): ProbesOptions {
  const { heldUpBy, states, leaseFault, metrics } = controller;
  return {
    port,
    ...(host === undefined ? {} : { host }),
    checks: {
      readyz: [
        { name: 'kinds', check: () => inLines(heldUpBy().map(({ kind, message }) => `${kind}: ${message}`)) },
        ...(checks.readyz ?? []),
      ],
      healthz: [
        { name: 'credentials', check: () => refusalIn([...states().values()]) },
        { name: 'lease', check: () => longFault(leaseFault()) },
        ...(checks.healthz ?? []),
      ],
    },
    ...(metrics === undefined ? {} : { metrics }),
    ...(debug === false ? {} : { debug: debugOf(debug === true ? {} : debug, controller) }),
  };
}

function debugOf({ report }: DebugOptions, controller: ProbedController): DebugContent {
  const { views, topology, name } = controller;
  const page = report === undefined ? missingReport : () => report({ topology, views: views.all, title: name });
  return {
    state: () => stateOf(controller),
    pages: { policies: (locator) => effectiveAt(locator, views.all), report: page },
  };
}

/** Returns the advice in place of a report. */
function missingReport(): unknown {
  return { message: 'Install @policy-machinery/report, and set probes.debug to { report: reportPage }.' };
}

/** Returns the state of the controller: its knowledge, its plans and the writes that are left. */
function stateOf({
  name,
  isLeader,
  leaseFault,
  heldUpBy,
  states,
  queue,
  lastPlan,
  quarantine,
}: ProbedController): unknown {
  return {
    controller: name,
    isLeader: isLeader(),
    leaseFault: leaseFault() ?? 'none',
    heldUpBy: heldUpBy(),
    sources: Object.fromEntries(states()),
    writesWaiting: queue(),
    lastPlan: lastPlan() ?? 'none yet',
    quarantined: quarantine.objects.map(({ locator, message }) => ({ locator, message })),
  };
}

/** Returns why no kind can be read by this process, if each one is refused: a single one may be served by another server, with its own fault. */
function refusalIn(states: readonly SourceState[]): string | undefined {
  return states.every(({ refusals = 0 }) => refusals >= maxRefusals) ? states[0]?.message : undefined;
}

/** Returns why this process can neither lead nor see who does, if another one may; `undefined` if it has been so for a short time only. */
function longFault(fault: Lease['fault']): string | undefined {
  if (fault === undefined || fault.cause === 'api-server' || fault.lasts < longLeaseFault) return undefined;
  return `the lease has been neither read nor written for ${Math.round(fault.lasts / 1000)} s: ${fault.message}`;
}

function inLines(messages: readonly string[]): string | undefined {
  return messages.length === 0 ? undefined : messages.join('\n');
}

/** Returns the effective policies of a target, by kind, with the policies that set each field; `undefined` if there are none. */
function effectiveAt(locator: string, views: readonly EffectivePolicies<unknown>[]): unknown {
  const policiesByKind = views.flatMap((view) => {
    const policies = view.of(locator).map(({ spec, origins }) => ({
      spec,
      origins: origins.map(({ pointer, by }) => ({ pointer, by: by.map(({ policy }) => policy.name) })),
    }));
    return policies.length === 0 ? [] : [[view.kind.kind, policies] as const];
  });
  return policiesByKind.length === 0 ? undefined : Object.fromEntries(policiesByKind);
}
