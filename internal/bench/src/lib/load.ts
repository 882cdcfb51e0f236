import type { KubernetesObject } from '@policy-machinery/resource';
import type { Workload } from '@policy-machinery/workload';
import { asListed } from './as-listed.ts';
import { Controller } from './controller.ts';
import { bytesHeld, medians, repeated, timed } from './measure.ts';

/** The cost of loading a workload: times in milliseconds, memory in bytes. */
export interface Load {
  /** `JSON.parse` of all resources in one text. */
  readonly parse: number;
  readonly apply: number;
  readonly contexts: number;
  readonly specs: number;
  /** All of them: apply, contexts, specs. */
  readonly load: number;
  readonly plan: number;
  /** The resources as they were parsed. */
  readonly resourceBytes: number;
  /** The topology and the effective policies of all kinds, without the resources. */
  readonly ownBytes: number;
  /** The same and the planner, after the plan, whose writes are not kept. */
  readonly plannedBytes: number;
}

const kept: unknown[] = [];

/**
 * Loads a workload, applies a change, and holds the result for as long as the process runs. V8 discards optimised code for objects once none of
 * them is left: without this, each run would begin with slow code after the collection of garbage, unlike a running controller.
 */
export function keepLoaded(workload: Workload): void {
  const resources: readonly KubernetesObject[] = JSON.parse(JSON.stringify(asListed(workload.resources)));
  const controller = new Controller(workload);
  controller.topology.apply({ upsert: resources });
  controller.makeViews();
  controller.plan();
  controller.take({ upsert: resources.slice(0, 1).map((resource) => ({ ...resource })) });
  kept.push(controller, controller.effectivePolicies());
}

/** Loads a workload several times. Returns the median of each figure. */
export function measureLoad(workload: Workload, times: number): Load {
  return medians(repeated(times, loading(workload)));
}

/** Loads a workload from text, as an API server lists it, each time that it is called. Holds nothing but the text meanwhile. */
export function loading({ resources, ...kinds }: Workload): () => Load {
  const text = JSON.stringify(asListed(resources));
  return () => loadOnce(kinds, text);
}

function loadOnce(kinds: Pick<Workload, 'targetKinds' | 'policyKinds'>, text: string): Load {
  const empty = bytesHeld();
  const { ms: parse, result: resources } = timed(() => JSON.parse(text));
  const parsed = bytesHeld();

  const controller = new Controller(kinds);
  const { ms: apply } = timed(() => controller.topology.apply({ upsert: resources }));
  const { ms: contexts } = timed(() => controller.makeViews());
  const { ms: specs, result: count } = timed(() => controller.readSpecs());
  if (count === 0) throw new Error('There is no effective policy: nothing was measured');
  const loaded = bytesHeld();

  const plan = timePlan(controller);
  kept.push(controller); // The engine would free it once nothing uses it any more.
  const planned = bytesHeld();
  kept.pop();
  return {
    ...{ parse, apply, contexts, specs, load: apply + contexts + specs, plan },
    ...{ resourceBytes: parsed - empty, ownBytes: loaded - parsed, plannedBytes: planned - parsed },
  };
}

function timePlan(controller: Controller): number {
  return timed(() => controller.plan()).ms;
}
