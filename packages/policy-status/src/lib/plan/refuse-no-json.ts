import { formatPointer, jsonFaults, type KubernetesObject, PolicyMachineryError } from '@policy-machinery/resource';
import type { RefusedStatus } from './status-plan.ts';

/** Nothing in Kubernetes nests as deeply. */
const maxDepth = 500;

/**
 * Plans a write to a resource. If planning fails because the resource is not JSON, the resource is refused, and the plan goes on with others.
 *
 * @param locator Locator of the resource.
 * @param resource The resource.
 * @param refused Receives the resources that cannot be planned.
 * @param plan Plans it.
 * @returns The plan; `undefined` if the resource is refused.
 * @throws Other errors of `plan`.
 */
export function refusingNoJson<Plan>(
  locator: string,
  resource: KubernetesObject,
  refused: RefusedStatus[],
  plan: () => Plan,
): Plan | undefined {
  try {
    return plan();
  } catch (error) {
    const [fault] = error instanceof PolicyMachineryError ? [] : jsonFaults(resource, maxDepth);
    if (fault === undefined) throw error;
    const message = `nothing can be written to it, because it is not JSON: ${formatPointer(fault.path)}: ${fault.message}`;
    refused.push({ resource: locator, message });
    return undefined;
  }
}
