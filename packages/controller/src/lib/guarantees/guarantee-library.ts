import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type * as library from '@policy-machinery/guarantees';
import { PolicyMachineryError } from '@policy-machinery/resource';
import type { GuaranteeOptions } from './guarantee-options.ts';

/** The package that verifies guarantees, with the evaluator of CEL. */
export type GuaranteeLibrary = typeof library;

let loaded: Promise<GuaranteeLibrary> | undefined;

/** Loads the package that verifies guarantees, once in a process. It takes megabytes, which a controller without guarantees does not need. */
export function guaranteeLibrary(): Promise<GuaranteeLibrary> {
  loaded ??= import('@policy-machinery/guarantees');
  return loaded;
}

/**
 * Loads the package that verifies guarantees, if there is anything to verify.
 *
 * @throws {PolicyMachineryError} `invalid-guarantee`, if a guarantee of the options cannot be verified.
 */
export async function loadGuarantees(
  options: GuaranteeOptions | undefined,
  views: readonly EffectivePolicies<unknown>[],
): Promise<GuaranteeLibrary | undefined> {
  if (options === undefined) return undefined;
  const library = await guaranteeLibrary();
  const kinds = views.map((view) => library.verifiedKind(view));
  const issues = library.guaranteeIssues(options.own ?? [], { kinds });
  if (issues.length > 0) throw new PolicyMachineryError('invalid-guarantee', 'The guarantees cannot be used', issues);
  return library;
}
