import type { PolicyKindDefinition } from '@policy-machinery/policy-kind';
import { type JsonObject, type JsonValue, objectIn, objectsIn, parsePointer, specOf } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import { describeTargetable } from '@policy-machinery/topology/inner';
import type { StandardSchemaV1 } from '@standard-schema/spec';

/** A field of a route's rule or of a backend that policies of a kind also set. */
export interface OwnField {
  /** The owner of the field: `HTTPRoute rule`. */
  readonly of: string;
  /** The field: `timeouts`. */
  readonly field: string;
  /** The field of policies, by JSON Pointer: `/traffic/timeouts`. */
  readonly policyField: string;
  /** Which of the two values counts, or both; `not known` without a source: policies with the field are undecided. */
  readonly counts: 'own' | 'own, over policies above the route' | 'policies' | 'both' | 'not known';
  /** The source file that decides. Default: not known. */
  readonly source?: string;
}

/** The same, with how the value is read if it counts. */
export interface OwnFieldReader extends OwnField {
  /**
   * Returns the value as policies write it; `undefined` if there is none. If it is not known which value counts, returns anything where both are set.
   * Default: the field itself, which counts nowhere.
   *
   * @param owner The value of the section, or the spec of the object.
   * @param target The section or object.
   */
  readonly read?: (owner: JsonObject, target: TargetNode) => JsonValue | undefined;
}

type OwnValue = NonNullable<PolicyKindDefinition<StandardSchemaV1<JsonObject>>['ownValue']>;

/** Returns the value that a target sets itself, of all its fields that count. */
export function ownValueOf(fields: readonly OwnFieldReader[]): OwnValue {
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

/** Returns the value with the fields that are not known to count: each has its name as the value. */
export function undecidedOwnValueOf(fields: readonly OwnFieldReader[]): OwnValue {
  const named = fields.map(
    (field): OwnFieldReader =>
      field.counts === 'not known'
        ? { ...field, read: (owner, target) => (isSet(field, owner, target) ? field.field : undefined) }
        : field,
  );
  const openOf = ownValueOf(named.filter(({ counts }) => counts === 'not known'));
  const allOf = ownValueOf(named);
  return (target) => (openOf(target) === undefined ? undefined : allOf(target));
}

/** Returns whether an owner sets a field: `timeouts`, or a filter of a type: `filters: CORS`. */
function isSet({ field, read }: OwnFieldReader, owner: JsonObject, target: TargetNode): boolean {
  if (read !== undefined) return read(owner, target) !== undefined;
  const [name = '', type] = field.split(': ');
  const value = owner[name];
  if (type === undefined) return value !== undefined && value !== null;
  return objectsIn(value).some((filter) => filter.type === type);
}

function withValue(spec: JsonObject, [field = '', ...rest]: readonly string[], value: JsonValue): JsonObject {
  return { ...spec, [field]: rest.length === 0 ? value : withValue(objectIn(spec[field]), rest, value) };
}
