import type * as library from '@policy-machinery/guarantees';

/** The package that verifies guarantees, with the evaluator of CEL. */
export type GuaranteeLibrary = typeof library;

let loaded: Promise<GuaranteeLibrary> | undefined;

/** Loads the package that verifies guarantees, once in a process. It takes megabytes, which a controller without guarantees does not need. */
export function guaranteeLibrary(): Promise<GuaranteeLibrary> {
  loaded ??= import('@policy-machinery/guarantees');
  return loaded;
}
