import type { KubernetesObject } from '@policy-machinery/resource';
import type { Workload } from '@policy-machinery/workload';
import { Controller } from './controller.ts';
import { bytesHeld } from './measure.ts';

/** Returns the number of bytes that a new controller holds for copies of some resources, including these, once statuses are planned. */
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
