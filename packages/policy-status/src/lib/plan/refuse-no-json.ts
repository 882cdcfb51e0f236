import { formatPointer, jsonFaults, type KubernetesObject, PolicyMachineryError } from '@policy-machinery/resource';
import type { RefusedStatus } from './status-plan.ts';

/** Nothing in Kubernetes nests as deeply. */
const maxDepth = 500;

/**
 * Plans what is written to a resource. Where that fails since the resource is no JSON, nothing is written to it, and others have
 * their plans all the same.
 *
 * @param locator Locator of the resource.
 * @param resource The resource.
 * @param refused Takes what cannot be planned.
 * @param plan Plans it.
 * @returns The plan; `undefined` where there is none.
 * @throws What `plan` throws for any other reason.
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
