import type { PolicyKindDefinition } from '@policy-machinery/policy-kind';
import { type JsonObject, type JsonValue, objectIn, parsePointer, specOf } from '@policy-machinery/resource';
import { describeTargetable, type TargetNode } from '@policy-machinery/topology';
import type { StandardSchemaV1 } from '@standard-schema/spec';

/** A field of a route's rule or of a backend that sets what policies of a kind also set. */
export interface OwnField {
  /** What has the field: `HTTPRoute rule`. */
  readonly of: string;
  /** The field: `timeouts`. */
  readonly field: string;
  /** The field of policies, by JSON Pointer: `/traffic/timeouts`. */
  readonly policyField: string;
  /** Which of the two values counts, or that nobody has looked it up. */
  readonly counts: 'own' | 'own, over policies above the route' | 'not known';
  /** The source file that decides. Default: none, as it is not known. */
  readonly source?: string;
}

/** The same, with how the value is read if it counts. */
export interface OwnFieldReader extends OwnField {
  /**
   * Returns the value as policies write it; `undefined` if there is none.
   *
   * @param owner The value of the section, or the spec of the object.
   * @param target The section or object.
   */
  readonly read?: (owner: JsonObject, target: TargetNode) => JsonValue | undefined;
}

/** Returns the value that a target sets itself, of all its fields that count. */
export function ownValueOf(
  fields: readonly OwnFieldReader[],
): NonNullable<PolicyKindDefinition<StandardSchemaV1<JsonObject>>['ownValue']> {
  return (target) => {
    const name = describeTargetable(target.kind);
    const owner = target.section?.value ?? specOf(target.resource);
    const own = fields.reduce((all: JsonObject, { of, policyField, read }) => {
      const value = of === name ? read?.(owner, target) : undefined;
      return value === undefined ? all : withValue(all, parsePointer(policyField), value);
    }, {});
    return Object.keys(own).length === 0 ? undefined : own;
  };
}

function withValue(spec: JsonObject, [field = '', ...rest]: readonly string[], value: JsonValue): JsonObject {
  return { ...spec, [field]: rest.length === 0 ? value : withValue(objectIn(spec[field]), rest, value) };
}
