import type { PolicyKind, SpecFault } from '@policy-machinery/policy-kind';
import { type Issue, type JsonObject, locatorOf } from '@policy-machinery/resource';
import { isOfCluster } from '@policy-machinery/resource/inner';
import type { StandardSchemaV1 } from '@standard-schema/spec';

/** The checks of the specs of a kind, as in the API server. */
export interface SpecChecks {
  /** Returns the faults of the whole spec of a policy, with its targets and stanzas. Never throws. */
  readonly check: (spec: JsonObject) => readonly SpecFault[];
  /** Returns a spec as the API server stores it: without unknown fields, without `null` where the schema does not allow it, with defaults. */
  readonly stored: (spec: JsonObject) => JsonObject;
  /** Returns the faults of a spec proper that several policies were merged to, given the origins of its fields. Never throws. */
  readonly checkMerged: NonNullable<PolicyKind<unknown>['check']>;
  /** The release that the checks are from, if it may not be the one in use: then policies of a cluster are not checked. Default: it is in use. */
  readonly release?: string;
  /** The schema of the spec proper. */
  readonly schema: StandardSchemaV1<JsonObject>;
}

/** The schema of any object, for specs without a CustomResourceDefinition. */
export const anyObject: StandardSchemaV1<JsonObject> = {
  '~standard': { version: 1, vendor: 'policy-machinery', validate: (value) => ({ value: value as JsonObject }) },
};

/**
 * Returns a policy kind that also checks policies as a whole, as the API server does. A policy with a fault is left
 * out and reported.
 *
 * @param kind The kind; its own schema accepts any object.
 * @param checks The checks; `undefined` for none.
 * @returns The kind with the checks.
 */
export function checked(kind: PolicyKind<JsonObject>, checks: SpecChecks | undefined): PolicyKind<JsonObject> {
  if (checks === undefined) return kind;
  return {
    ...kind,
    schema: checks.schema,
    ...(kind.check === undefined ? {} : { check: checks.checkMerged }),
    read: (resource) => {
      const reading = kind.read(resource);
      if (reading.policy === undefined) return reading; // The spec cannot be read at all, or has more precise faults.
      if (checks.release !== undefined && isOfCluster(resource)) return reading;
      const faults = checks.check(resource.spec as JsonObject);
      if (faults.length === 0) return reading;
      const locator = locatorOf(resource, kind.scope);
      const issues = faults.map(
        ({ message, pointer }): Issue => ({
          code: 'invalid-spec',
          severity: 'error',
          message,
          resource: locator,
          pointer: `/spec${pointer}`,
        }),
      );
      return { policy: undefined, issues };
    },
  };
}
