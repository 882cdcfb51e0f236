import type { Workload } from '@policy-machinery/workload';
import { Controller } from './controller.ts';
import { bytesHeld, collectGarbage, medians, timed } from './measure.ts';

/** What it takes to load a workload: times in milliseconds, memory in bytes. */
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
}

/** Loads a workload several times from text. Gives the median of each figure. */
export function measureLoad(workload: Workload, runs: number): Load {
  const text = JSON.stringify(workload.resources);
  return medians(Array.from({ length: runs }, () => loadOnce(workload, text)));
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

  const { ms: plan } = timed(() => controller.plan());
  collectGarbage();
  const load = apply + contexts + specs;
  return { parse, apply, contexts, specs, load, plan, resourceBytes: parsed - empty, ownBytes: loaded - parsed };
}
