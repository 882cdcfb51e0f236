import type { Sources, WatchedKind } from '@policy-machinery/cluster';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { Policy } from '@policy-machinery/policy-kind';
import { createTopology, type Topology } from '@policy-machinery/topology';
import { type CallbackContext, EffectiveCallback } from '../effective/effective-callback.ts';
import { Feedback } from '../effective/feedback.ts';
import { contextsOf, targetIn } from '../effective/target-context.ts';
import { Finalizers } from '../finalizers/finalizers.ts';
import { GuaranteeKeeper } from '../guarantees/guarantee-keeper.ts';
import { guaranteeLibrary } from '../guarantees/guarantee-library.ts';
import { Views } from '../kinds/views.ts';
import { OwnedObjects } from '../owned/owned-objects.ts';
import { marksOf } from '../owned/owned-write.ts';
import { Intake } from '../sources/intake.ts';
import { Quarantine } from '../sources/quarantine.ts';
import { Watches } from '../watches/watches.ts';
import { type ControllerSettings, watchedKinds } from './controller-parts.ts';
import type { Reconciler } from './reconciler.ts';
import type { Role } from './role.ts';
import type { Rounds } from './rounds.ts';
import type { Writes } from './writes.ts';

/** What a controller has from the beginning, whether it runs or not. */
export interface Parts {
  readonly topology: Topology;
  /** All kinds that are watched. */
  readonly kinds: readonly WatchedKind[];
  readonly watches: Watches;
  readonly views: Views;
  readonly quarantine: Quarantine;
  readonly intake: Intake;
  /** One for each view; none without `onEffective`. */
  readonly callbacks: readonly EffectiveCallback[];
  readonly feedback: Feedback;
  readonly owned: OwnedObjects;
  /** `undefined` without a finalizer. */
  readonly finalizers: Finalizers | undefined;
}

/** What the parts need of a controller that runs. */
export interface RunningController {
  readonly sources: Sources;
  readonly writes: Pick<Writes, 'owned' | 'finalizers' | 'guarantees'>;
  readonly reconciler: Pick<Reconciler, 'lookAgain'>;
  readonly role: Pick<Role, 'answersFor'>;
  readonly rounds: Pick<Rounds, 'runSoon'>;
}

/**
 * Creates the parts of a controller.
 *
 * @param run Returns the run; `undefined` before it begins.
 */
export function createParts(settings: ControllerSettings, run: () => RunningController | undefined): Parts {
  const { targetKinds, policyKinds, onEffective, reporter } = settings;
  const topology = createTopology({ targetKinds, policyKinds: policyKinds.map(({ policyKind }) => policyKind) });
  const kinds = watchedKinds(topology, settings);
  const sources = () => run()?.sources;
  const runSoon = () => run()?.rounds.runSoon();
  const watches = new Watches({
    watches: settings.watches ?? [],
    others: kinds,
    sources,
    onFailure: (locator, error) =>
      reporter.failedFor(
        locator,
        'a function of watches failed; the verdicts on all policies are asked for again',
        error,
      ),
  });
  const readerFor = (policy: Policy<unknown>) => watches.readerFor(policy);
  const views = new Views({ ...settings, topology, readerFor, onReconsider: runSoon });
  const contextsAt = (target: string) => contextsOf(target, views, settings.unit ?? 'ancestor');
  const owned = new OwnedObjects({
    kinds: settings.owns ?? [],
    marks: marksOf(settings.name),
    topology,
    isInUse: (context) => {
      const target = targetIn(context);
      return context === target ? views.applyTo(target) : contextsAt(target).some(({ key }) => key === context);
    },
    answersFor: (target) => run()?.role.answersFor(target) === true,
    sources,
    writer: () => run()?.writes.owned,
    onForeign: (locator, target) => reporter.foreign(locator, target),
  });
  const finalizers =
    settings.finalizer === undefined
      ? undefined
      : new Finalizers({
          name: settings.finalizer,
          views: views.all,
          sources,
          writer: () => run()?.writes.finalizers,
          isWaitedFor: settings.dryRun !== true,
        });
  const quarantine = new Quarantine((added) => reporter.quarantined(added));
  const intake = new Intake(topology, quarantine);
  const feedback = new Feedback();
  const tools: CallbackContext['tools'] = {
    effective: (kind) => views.of(kind),
    objects: watches.reader,
    answersFor: (object) => run()?.role.answersFor(object) === true,
  };
  const callbackFor = (view: EffectivePolicies<unknown>, call: CallbackContext['onEffective']) =>
    new EffectiveCallback({
      view,
      onEffective: call,
      tools,
      contextsOf: contextsAt,
      apply: (context, objects) => owned.apply(context, objects),
      onTaken: (targets) => owned.released(targets),
      onFeedback: (answers) => {
        // What the data plane refuses may be due to policies of another kind, which are corrected now.
        const taken = [...answers].flatMap(([target, answer]) => (answer === undefined ? target : []));
        const hurried = callbacks.filter((it) => it.hurry(taken));
        const policies = feedback.take(view, answers);
        if (policies.length > 0) run()?.reconciler.lookAgain(policies);
        if (policies.length > 0 || hurried.length > 0) runSoon();
      },
      onDue: runSoon,
      claims: finalizers?.claimsFor(view),
      log: reporter.log,
      clock: settings.clock,
    });
  const callbacks: readonly EffectiveCallback[] =
    onEffective === undefined ? [] : views.all.map((view) => callbackFor(view, onEffective));
  return { topology, kinds, watches, views, quarantine, intake, callbacks, feedback, owned, finalizers };
}

/**
 * Loads what verifies guarantees, and creates their keeper.
 *
 * @param run Returns the run; `undefined` before it begins.
 * @returns The keeper of the guarantees; `undefined` if nothing is verified.
 * @throws {PolicyMachineryError} `invalid-guarantee`, if a guarantee of the options cannot be verified.
 */
export async function loadGuarantees(
  settings: ControllerSettings,
  { topology, views }: Parts,
  run: () => RunningController | undefined,
): Promise<GuaranteeKeeper | undefined> {
  const { guarantees: options, onGuarantee, clock, reporter } = settings;
  if (options === undefined) return undefined;
  return new GuaranteeKeeper({
    library: await guaranteeLibrary(),
    topology,
    views: views.all,
    options,
    onGuarantee,
    sources: () => run()?.sources,
    writer: () => run()?.writes.guarantees,
    now: () => new Date(clock.now()),
    onFailure: (error) => reporter.callFailed('onGuarantee', error),
  });
}
