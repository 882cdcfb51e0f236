import { effectivePolicies } from '@policy-machinery/effective-policy';
import { createStatusPlanner } from '@policy-machinery/policy-status';
import { createTopology } from '@policy-machinery/topology';
import type { Workload } from '@policy-machinery/workload';
import { asListed } from './as-listed.ts';
import { collectGarbage, medians, repeated, timedOnCpu } from './measure.ts';

/** The CPU time of loading a workload and planning all statuses, at once and in slices, in milliseconds. */
export interface SlicedStart {
  /** `JSON.parse` of all resources in one text. */
  readonly parse: number;
  readonly whole: number;
  /** All slices together. */
  readonly sliced: number;
  /** The slice that takes longest. The effective policies of one kind are made in one. */
  readonly longest: number;
}

/** Starts several times, at once and in slices by turns. Returns the median of each figure. */
export function measureSlices(workload: Workload, times: number): SlicedStart {
  const text = JSON.stringify(asListed(workload.resources));
  return medians(
    repeated(times, () => {
      collectGarbage();
      const { ms: parse } = timedOnCpu(() => JSON.parse(text));
      const whole = sum(startOf(workload, text, false));
      const slices = startOf(workload, text, true);
      return { parse, whole, sliced: sum(slices), longest: Math.max(...slices) };
    }),
  );
}

/** Loads a workload and plans all statuses. Returns how long each step takes. */
function startOf({ targetKinds, policyKinds }: Workload, text: string, isSliced: boolean): readonly number[] {
  const resources = JSON.parse(text);
  collectGarbage();
  const steps: number[] = [];
  const step = <Result>(run: () => Result): Result => {
    const { ms, result } = timedOnCpu(run);
    steps.push(ms);
    return result;
  };
  const each = (slices: () => Iterator<unknown>): void => {
    const slicing = step(slices);
    while (step(() => slicing.next()).done !== true);
  };
  const topology = createTopology({ targetKinds, policyKinds });
  if (isSliced) each(() => topology.applyInSlices({ upsert: resources }));
  else step(() => topology.apply({ upsert: resources }));
  const views = policyKinds.map((kind) => step(() => effectivePolicies(topology, kind)));
  const options = { controllerName: 'bench.example.com/controller', now: () => new Date('2026-01-01T00:00:00Z') };
  const planner = step(() => createStatusPlanner(views, options));
  if (isSliced) each(() => planner.planInSlices());
  else step(() => planner.plan());
  return steps;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
