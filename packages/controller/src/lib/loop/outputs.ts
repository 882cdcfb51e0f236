import type { Sources, Transport } from '@policy-machinery/cluster';
import { createStatusPlanner, type StatusPlanner } from '@policy-machinery/policy-status';
import { type CallTools, EffectiveCallback } from '../effective/effective-callback.ts';
import { Feedback } from '../effective/feedback.ts';
import { Finalizers } from '../finalizers/finalizers.ts';
import { GuaranteeKeeper } from '../guarantees/guarantee-keeper.ts';
import type { GuaranteeLibrary } from '../guarantees/guarantee-library.ts';
import { OwnedObjects } from '../owned/owned-objects.ts';
import { marksOf } from '../owned/owned-write.ts';
import { StatusWriter } from '../plan/status-writer.ts';
import type { Assembly } from './assembly.ts';
import type { Role } from './role.ts';
import type { ControllerSettings } from './settings.ts';
import { createWrites, type Writes } from './writes.ts';

/** Everything that rounds lead to: calls of the data plane, and writes. */
export interface Outputs {
  /** One for each view; none without `onEffective`. */
  readonly callbacks: readonly EffectiveCallback[];
  readonly statuses: StatusWriter;
  readonly owned: OwnedObjects;
  /** `undefined` without a finalizer. */
  readonly finalizers: Finalizers | undefined;
  /** `undefined` if nothing is verified. */
  readonly guarantees: GuaranteeKeeper | undefined;
  readonly writes: Writes;
}

/** The dependencies of outputs, which only a run has. */
export interface OutputsContext {
  readonly connection: Transport;
  readonly sources: Sources;
  readonly role: Role;
  /** The package that verifies guarantees; `undefined` if nothing is verified. */
  readonly library: GuaranteeLibrary | undefined;
}

export function createOutputs(settings: ControllerSettings, assembly: Assembly, context: OutputsContext): Outputs {
  const { finalizer, reporter, telemetry, clock, owns = [], guarantees = {} } = settings;
  const { topology, views, rounds } = assembly;
  const { sources, role, library } = context;
  const feedback = new Feedback();
  const planner = createPlanner(settings, assembly, role, feedback);
  const writes = createWrites(settings, { ...context, planner, onPlanAgain: () => rounds.runSoon() });
  const shared = { views: views.all, topology, sources, clock, telemetry };
  const outputs = {
    writes,
    statuses: new StatusWriter({ ...shared, planner, queue: writes.statuses, onRefused: (it) => reporter.refused(it) }),
    owned: new OwnedObjects({
      ...shared,
      kinds: owns,
      marks: marksOf(settings.name),
      isInUse: (key) => views.isInUse(key),
      answersFor: (target) => role.answersFor(target),
      openQueue: writes.opener((outcome) => reporter.wroteOwned(outcome)),
      onForeign: (locator, target) => reporter.foreign(locator, target),
    }),
    finalizers:
      finalizer === undefined
        ? undefined
        : new Finalizers({
            ...shared,
            name: finalizer,
            isWaitedFor: settings.dryRun !== true,
            openQueue: writes.opener((outcome) => reporter.wroteFinalizer(finalizer, outcome)),
          }),
    guarantees:
      library &&
      new GuaranteeKeeper({
        ...shared,
        library,
        options: guarantees,
        onGuarantee: settings.onGuarantee,
        openQueue: writes.opener((outcome) => reporter.wroteGuarantee(outcome)),
        onFailure: (error) => reporter.callFailed('onGuarantee', error),
      }),
  };
  return { ...outputs, callbacks: createCallbacks(settings, assembly, { ...outputs, ...context, planner, feedback }) };
}

function createPlanner(
  { name, gatewaysOf = name, status: { form: _form, ...options } = {}, clock }: ControllerSettings,
  { views }: Assembly,
  role: Role,
  { unprogrammed }: Feedback,
): StatusPlanner {
  return createStatusPlanner(views.all, {
    ...options,
    controllerName: gatewaysOf,
    unprogrammed,
    now: () => new Date(clock.now()),
    answersFor: (object) => role.answersFor(object),
    repeat: 'after-failure', // A queue keeps each write until it is sent.
  });
}

interface CallbacksContext extends Pick<Outputs, 'owned' | 'finalizers'>, Pick<OutputsContext, 'role'> {
  readonly planner: StatusPlanner;
  readonly feedback: Feedback;
}

function createCallbacks(
  { onEffective, reporter: { log }, clock }: ControllerSettings,
  { views, watches, rounds }: Assembly,
  { owned, finalizers, role, planner, feedback }: CallbacksContext,
): readonly EffectiveCallback[] {
  if (onEffective === undefined) return [];
  const tools: CallTools = {
    effective: (kind) => views.of(kind),
    objects: watches.reader,
    answersFor: (object) => role.answersFor(object),
  };
  const callbacks: readonly EffectiveCallback[] = views.all.map((view) => {
    return new EffectiveCallback({
      view,
      onEffective,
      tools,
      contextsOf: (target) => views.contextsOf(target),
      apply: (context, objects) => owned.apply(context, objects),
      onTaken: (targets) => owned.released(targets),
      onFeedback(answers) {
        // A refusal of the data plane may be due to policies of another kind, which are corrected now.
        const taken = [...answers].flatMap(([target, answer]) => (answer === undefined ? target : []));
        const hurried = callbacks.filter((callback) => callback.hurry(taken));
        const policies = feedback.take(view, answers);
        planner.lookAgain(policies);
        if (policies.length > 0 || hurried.length > 0) rounds.runSoon();
      },
      onDue: () => rounds.runSoon(),
      claims: finalizers?.claimsFor(view),
      log,
      clock,
    });
  });
  return callbacks;
}
