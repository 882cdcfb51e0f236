import type { KubernetesObject } from '@policy-machinery/resource';

/** Why a check failed. */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure';

  /**
   * @param message The expected and the actual state.
   * @param objects The objects that show it, as they were last.
   */
  constructor(
    message: string,
    readonly objects: readonly KubernetesObject[] = [],
  ) {
    super(message);
  }
}
