import { formatPointer, type KubernetesObject, PolicyMachineryError, printable } from '@policy-machinery/resource';
import { jsonFaults } from '@policy-machinery/resource/inner';
import { InvalidConditionError } from './policy-conditions.ts';
import type { RefusedStatus } from './status-plan.ts';

/** Nothing in Kubernetes nests as deeply. */
const maxDepth = 500;

/**
 * Plans a write to a resource. If planning fails because the resource is not JSON, or because the controller's conditions cannot be written, the
 * resource is refused, and the plan goes on with others.
 *
 * @param node The resource.
 * @param refused Receives the resources that cannot be planned.
 * @param plan Plans it.
 * @returns The plan; `undefined` if the resource is refused.
 * @throws Other errors of `plan`.
 */
export function refusing<Plan>(
  { locator, resource }: { readonly locator: string; readonly resource: KubernetesObject },
  refused: RefusedStatus[],
  plan: () => Plan,
): Plan | undefined {
  try {
    return plan();
  } catch (error) {
    const message = error instanceof InvalidConditionError ? printable(error.message) : jsonFaultOf(resource, error);
    if (message === undefined) throw error;
    refused.push({ resource: locator, message });
    return undefined;
  }
}

/** Returns why nothing can be written to a resource that is not JSON; `undefined` if the error has another cause. */
function jsonFaultOf(resource: KubernetesObject, error: unknown): string | undefined {
  const [fault] = error instanceof PolicyMachineryError ? [] : jsonFaults(resource, maxDepth);
  if (fault === undefined) return undefined;
  return `it cannot be written, because it is not JSON: ${formatPointer(fault.path)}: ${fault.message}`;
}
