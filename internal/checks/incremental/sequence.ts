import { reviewAdmission } from '@policy-machinery/admission';
import {
  createTrial,
  type EffectiveDelta,
  type EffectivePolicies,
  type Trial,
} from '@policy-machinery/effective-policy';
import { ListenerSet } from '@policy-machinery/gateway-api';
import { createStatusPlanner, planStatus, type StatusPlan } from '@policy-machinery/policy-status';
import { impact } from '@policy-machinery/policy-status/impact';
import { groupKindKey, groupKindOf, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { referenceGrantKind } from '@policy-machinery/target-ref/inner';
import type { TargetNode, Topology, TopologyChange } from '@policy-machinery/topology';
import {
  createRandom,
  type EditName,
  type Random,
  type RandomChange,
  randomChanges,
  type Workload,
} from '@policy-machinery/workload';
import { expectSame, topologyOf, viewsOf } from './compared.ts';
import { Court } from './court.ts';
import { observedAnswers, questionsAbout } from './observed-answers.ts';
import { type ObservedEffective, observedEffective } from './observed-effective.ts';
import { deltaBetween, nodesOf, observedTopology } from './observed-topology.ts';
import { expectTold, type Moment, momentOf, newTallies, type Tallies } from './told.ts';

const controllerName = 'example.com/controller';

/** A sequence of random changes. */
export interface Sequence {
  /** What there is in the beginning. */
  readonly workload: Workload;
  /** What may be done to it. */
  readonly edits: readonly EditName[];
  /** How many changes are made. */
  readonly steps: number;
  /** The same seed makes the same changes. */
  readonly seed: number;
}

/**
 * Makes random changes, and compares after each what came of the changes one by one with what comes of starting afresh: the
 * topology, its delta, the effective policies under verdicts that change, what `takeChanges` tells, answers to random questions, what a change
 * would make different, and the plans of the statuses by changes and by a planner, which are carried out each time.
 *
 * @param tallies What `takeChanges` tells is added to them.
 * @throws When there is a difference; the message begins with the seed, the step and its edits.
 */
export function runSequence({ workload: plain, edits, steps, seed }: Sequence, tallies: Tallies): void {
  const random = createRandom(seed);
  const workload = withEntries(plain, createRandom(seed + 2));
  const changes = randomChanges(grown(workload, edits, seed), { seed, edits: someOf(edits, random) });
  const topology = topologyOf(workload, changes.resources);
  const court = new Court(createRandom(seed + 1));
  const options = { verdict: court.verdict, ...(seed % 3 === 0 ? { only: isOfSomeLength } : {}) };
  const views = viewsOf(topology, workload, options);
  const trials = createRandom(seed + 3);
  const trial = createTrial(views);
  const computing = [...views, trial].map((it) => it.compute({ size: 1 }));
  const rareReaders = views.map((view) => view.changes());
  let firstMoments: readonly Moment[] | undefined;
  let moments: readonly Moment[] | undefined;
  let told = views.map((): EffectiveDelta[] => []);
  let wasAsked = false;
  let isBehind = false;
  let present = new Date(0);
  const planner = createStatusPlanner(views, { controllerName, now: () => present });
  const slicing = createStatusPlanner(views, { controllerName, now: () => present });
  let changesToPlan: EffectiveDelta[] | undefined; // Everything is planned at first.

  for (let step = 0; step <= steps; step += 1) {
    const isFirst = step === 0; // The beginning is compared, too, and gets its statuses.
    const change = isFirst ? { edits: [], upsert: [], remove: [] } : changes.next().value;
    const at = `seed ${seed}, step ${step} (${change.edits.join(', ')})`;
    const fresh = topologyOf(workload, changes.resources);
    const expected = observedTopology(fresh);

    if (random.chance(0.2)) expectNoTrace(topology, change, expected, at);
    // Views that follow in between would name what changes and changes back.
    if (!isBehind) {
      for (const pieces of computing) for (let left = trials.int(4); left > 0; left -= 1) pieces.next();
      const made = () => viewsOf(topology, workload, options);
      if (trials.chance(0.2)) expectSameImpact(views, made(), change, at);
      if (trials.chance(0.3)) expectSameTrial(trial, made(), change, at);
    }
    const before = nodesOf(topology);
    const delta = topology.apply(change);
    const ignored = change.upsert.filter(isIgnoredBy(workload)).map((resource) => locatorOf(resource));
    expectSame(delta, { ...deltaBetween(before, nodesOf(topology)), ignored: ignored.sort() }, `${at}: delta`);
    expectSame(observedTopology(topology), expected, `${at}: topology`);
    const judged = court.change(topology);
    for (const view of views) view.reconsider(judged);
    isBehind = !isFirst && random.chance(0.2);
    if (isBehind) continue; // Views may fall behind by several changes.

    const freshViews = viewsOf(fresh, workload, options);
    const refreshed = views.map((view) => view.takeChanges());
    for (const [index, delta] of refreshed.entries()) told[index]?.push(delta);
    const isAsked = random.chance(0.8); // Views follow changes in another way to what has not been read.
    moments = views.map((view, index) => {
      const fresh = freshViews[index] as EffectivePolicies<unknown>;
      const observed = observedEffective(fresh);
      const now = momentOf(fresh, observed);
      const before = moments?.[index];
      const where = `${at}: ${view.kind.kind}`;
      if (before !== undefined) expectTold(told[index] ?? [], { before, now, wasAsked }, tallies, where);
      if (isAsked) expectSameEffective(view, fresh, observed, random, at);
      return now;
    });
    if (firstMoments === undefined) {
      firstMoments = moments;
      for (const reader of rareReaders) reader.take();
    }
    told = views.map(() => []);
    wasAsked = isAsked;
    changesToPlan?.push(...refreshed);
    if (!isAsked && random.chance(0.5)) continue;

    present = new Date(Date.UTC(2026, 0, 1, 0, step));
    const planOptions = { controllerName, now: present };
    const plan = planStatus(
      views,
      changesToPlan === undefined ? planOptions : { ...planOptions, changes: changesToPlan },
    );
    const expectedWrites = writtenBy(planStatus(freshViews, planOptions));
    expectSame(writtenBy(plan), expectedWrites, `${at}: planned writes`);
    const planned = planner.plan();
    expectSame(writtenBy(planned), expectedWrites, `${at}: writes of the planner`);
    const sliced = [...slicing.planInSlices({ size: 1 + trials.int(3) })].flatMap(({ writes }) => writes);
    expectSame(inOrder(sliced), inOrder(planned.writes), `${at}: writes of the planner in slices`);
    for (const write of sliced) trials.chance(0.5) ? slicing.done(write) : slicing.failed(write);
    changesToPlan = [];
    for (const write of planned.writes) random.chance(0.5) ? planner.done(write) : planner.failed(write);
    topology.apply({ upsert: changes.write(plan.writes.map(({ result }) => result)) });
    const written = views.map((view) => view.takeChanges());
    for (const [index, delta] of written.entries()) told[index]?.push(delta);
    for (const done of [
      planStatus(views, { ...planOptions, changes: written }),
      planStatus(views, planOptions),
      planner.plan(),
      ...slicing.planInSlices(),
    ]) {
      expectSame(writtenBy(done), [], `${at}: planned writes, once they are carried out`);
    }
  }
  const lastViews = viewsOf(topologyOf(workload, changes.resources), workload, options);
  for (const [index, view] of lastViews.entries()) {
    const before = firstMoments?.[index];
    if (before === undefined) continue;
    const now = momentOf(view, observedEffective(view));
    const told = rareReaders[index]?.take();
    const at = `seed ${seed}, all steps at once: ${view.kind.kind}`;
    expectTold(told === undefined ? [] : [told], { before, now, wasAsked: false }, newTallies(), at);
  }
}

/** Returns whether paths count that lead through an object: of those whose resources are edited, some come and go by this. */
const isOfSomeLength = ({ resource }: TargetNode): boolean => JSON.stringify(resource.spec ?? '').length % 4 !== 0;

/** Kinds of policies whose statuses name ancestors in different ways. */
function withEntries(workload: Workload, random: Random): Workload {
  const kindWithEntries = (kind: Workload['policyKinds'][number]) => {
    const ancestors = [...kind.ancestors, ...(random.chance(0.5) ? [ListenerSet] : [])];
    const naming = random.pick(['objects', 'sections'] as const);
    const reach = random.pick(['all', 'nearest'] as const);
    return random.chance(0.5) ? kind : { ...kind, ancestors, ancestorEntries: { naming, reach } };
  };
  return { ...workload, policyKinds: workload.policyKinds.map(kindWithEntries) };
}

/** What a workload has become after many changes: then there is something of everything, and much that is wrong. */
function grown({ resources }: Workload, edits: readonly EditName[], seed: number): readonly KubernetesObject[] {
  const changes = randomChanges(resources, { seed, edits });
  for (let count = 0; count < 30; count += 1) changes.next();
  return changes.resources;
}

/** Returns a few sorts of edits for one sequence: so they meet more often than if all were made. Some that are always possible. */
function someOf(edits: readonly EditName[], random: Random): readonly EditName[] {
  return [...random.shuffle(edits).slice(0, 3 + random.int(6)), 'add namespace', 'serve again'];
}

/** Tries a change in another topology, which must be as if made afresh, and leave this one as it is. */
function expectNoTrace(topology: Topology, change: TopologyChange, expected: unknown, at: string): void {
  const before = observedTopology(topology);
  expectSame(observedTopology(topology.with(change).topology), expected, `${at}: topology with the change`);
  expectSame(observedTopology(topology), before, `${at}: topology after the change was tried`);
}

/** Asks a trial what a change would do, and views made afresh; and expects the trial to be as these afterwards. */
function expectSameTrial(
  trial: Trial,
  fresh: readonly EffectivePolicies<unknown>[],
  change: Pick<RandomChange, 'upsert' | 'remove'>,
  at: string,
): void {
  expectSame(impactOf(trial, change), impactOf(fresh, change), `${at}: impact by a trial`);
  for (const object of change.upsert.slice(0, 2)) {
    for (const operation of ['UPDATE', 'DELETE'] as const) {
      const [told, expected] = [trial, fresh].map((each) => reviewAdmission(each, object, { operation }));
      expectSame(told, expected, `${at}: review of ${operation} of ${locatorOf(object)} by a trial`);
    }
  }
  // What is merged in the one topology is not merged again in the other: its levels are at nodes of the one.
  const observedOf = (views: readonly EffectivePolicies<unknown>[]) =>
    views.map((view) => [
      observedTopology(view.topology),
      JSON.stringify(observedEffective(view)).replaceAll(', as it was before', ''),
    ]);
  const observed = trial.of({}, ({ effective }) => observedOf([effective].flat()));
  expectSame(observed, observedOf(fresh), `${at}: a trial, after changes have been tried`);
}

/** Asks what a change would make different, of views that have followed others and of views made afresh. */
function expectSameImpact(
  views: readonly EffectivePolicies<unknown>[],
  fresh: readonly EffectivePolicies<unknown>[],
  change: TopologyChange,
  at: string,
): void {
  expectSame(impactOf(views, change), impactOf(fresh, change), `${at}: what the change would make different`);
}

function impactOf(effective: Trial | readonly EffectivePolicies<unknown>[], change: TopologyChange): unknown {
  const { delta, effective: changed, outcomes } = impact(effective, change);
  return {
    delta,
    outcomes: outcomes.map(({ policy, before, after }) => [policy, before?.outcome, after?.outcome]),
    effective: changed.map(({ target, patch, fields }) => [target, patch, fields]),
  };
}

/** @param observed All that users can observe of what is expected. */
function expectSameEffective(
  view: EffectivePolicies<unknown>,
  expected: EffectivePolicies<unknown>,
  observed: ObservedEffective,
  random: Random,
  at: string,
): void {
  const { kind, crossNamespace } = view.kind;
  const questions = questionsAbout(expected, random);
  const answers = [view, expected].map((it) => observedAnswers(it, questions));
  expectSame(answers[0], answers[1], `${at}: answers about ${kind}`);
  expectSame(observedEffective(view), observed, `${at}: effective ${kind}`);
  if (crossNamespace !== 'consumer') return;
  const consumers = expected.policies.flatMap(({ node }) => node.attachments.map((it) => it.consumerNamespace));
  for (const namespace of new Set(['ns-0', 'ns-1', ...consumers.filter((it) => it !== undefined)])) {
    const [from, expectedFrom] = [view, expected].map((it) => observedEffective(it.forTrafficFrom(namespace)));
    expectSame(from, expectedFrom, `${at}: effective ${kind} for traffic from ${namespace}`);
  }
}

/** Tells the resources whose kind a topology does not know. */
function isIgnoredBy({ targetKinds, policyKinds }: Workload): (resource: KubernetesObject) => boolean {
  const known = new Set([...targetKinds, ...policyKinds, referenceGrantKind].map(groupKindKey));
  return (resource) => !known.has(groupKindKey(groupKindOf(resource)));
}

/** Writes as plain data in the order of their locators, those to a policy before those to an object of its name. */
function inOrder(writes: StatusPlan['writes']): unknown {
  const written = writes.map(({ locator, subresource, apply, patch, urgency }) => {
    return { locator, subresource, apply, patch, urgency };
  });
  return written.sort((a, b) => (a.locator < b.locator ? -1 : Number(a.locator > b.locator)));
}

function writtenBy({ writes }: StatusPlan): unknown {
  return writes.map(({ locator, subresource, apply, patch }) => ({ locator, subresource, apply, patch }));
}
