import type { KubernetesObject } from '@policy-machinery/resource';
import type { Workload } from '@policy-machinery/workload';
import { Controller } from './controller.ts';
import { bytesHeld } from './measure.ts';

/** How many bytes a controller holds that starts afresh with copies of some resources, these among them. Their statuses are planned. */
export function bytesAfresh(
  kinds: Pick<Workload, 'targetKinds' | 'policyKinds'>,
  resources: readonly KubernetesObject[],
): number {
  const before = bytesHeld();
  const controller = new Controller(kinds);
  controller.topology.apply({ upsert: JSON.parse(JSON.stringify(resources)) });
  controller.makeViews();
  controller.plan();
  const bytes = bytesHeld() - before;
  controller.plan(); // It is in use until here.
  return bytes;
}
