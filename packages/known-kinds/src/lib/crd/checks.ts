import type { SpecFault } from '@policy-machinery/policy-kind';
import { isJsonObject, type JsonObject, parsePointer, withoutNulls } from '@policy-machinery/resource';
import { fieldsAt, type StoringOptions, schemaOfRelease, storedBySchema } from '@policy-machinery/resource/inner';
import type { SpecChecks } from '../model/spec-checks.ts';
import { mergedCheck } from './merged-checks.ts';
import { Patterns } from './patterns.ts';
import { Rules, ruleFaults } from './rules.ts';
import { validatorOf } from './validator.ts';

/**
 * Returns the checks that the API server makes of stored specs: types, required fields, bounds, patterns, and those CEL rules that can be
 * evaluated without a cluster. See {@link uncheckedIn} for the others. Unknown fields are faults: the API server serves none.
 *
 * @param spec The structural schema of `spec`.
 * @param proper The schema of the spec proper.
 * @param rules The compiled rules.
 * @param patterns The compiled patterns.
 * @returns The checks. Schemas are converted when the first spec is checked.
 */
export function checksOf(spec: JsonObject, proper: JsonObject, rules: Rules, patterns: Patterns): SpecChecks {
  const store = storedBySchema(spec);
  return {
    stored: (written) => store(written).value,
    check: checker(spec, rules, patterns),
    checkMerged: mergedCheck(proper, rules, patterns),
    schema: schemaOf(checker(proper, rules, patterns)),
  };
}

/**
 * Returns the checks of a release, which may not be the one in use. Unknown fields are not faults, and each fault names the release. Specs are taken
 * unchanged: `storedObjects` fills in defaults.
 *
 * @param spec The structural schema of `spec`.
 * @param proper The schema of the spec proper.
 * @param release The name of the release.
 */
export function checksOfRelease(spec: JsonObject, proper: JsonObject, release: string): SpecChecks {
  const [rules, patterns] = [new Rules(), new Patterns()];
  const whole = checker(spec, rules, patterns, { unknownFields: 'kept' });
  const merged = mergedCheck(proper, rules, patterns);
  const named = (faults: readonly SpecFault[]) => faults.map((fault) => ofRelease(fault, release));
  return {
    release,
    stored: withoutNulls,
    check: (written) => named(whole(written)),
    checkMerged: (merging, origins) => named(merged(merging, origins)),
    schema: schemaOf(checker(proper, rules, patterns, { unknownFields: 'kept' })),
  };
}

function schemaOf(check: SpecChecks['check']): SpecChecks['schema'] {
  return {
    '~standard': {
      version: 1,
      vendor: 'policy-machinery',
      validate: (value) => {
        const faults = isJsonObject(value) ? check(value) : [{ message: 'must be an object', pointer: '' }];
        if (faults.length === 0) return { value: value as JsonObject };
        return { issues: faults.map(({ message, pointer }) => ({ message, path: parsePointer(pointer) })) };
      },
    },
  };
}

/**
 * Returns the checks that the API server makes of values with a structural schema, after it has filled in defaults.
 *
 * @param schema The structural schema of a CustomResourceDefinition, or a part of one.
 * @returns A function that returns the faults of a value. It never throws. Unknown fields are faults.
 */
export function structuralChecks(schema: JsonObject): SpecChecks['check'] {
  return checker(schema, new Rules(), new Patterns());
}

/** Returns a fault that the API servers of a release find. */
function ofRelease(fault: SpecFault, release: string): SpecFault {
  return {
    ...fault,
    message: `${fault.message} (${schemaOfRelease(release)}; for another release, add its CustomResourceDefinition to the input)`,
  };
}

function checker(
  structural: JsonObject,
  rules: Rules,
  patterns: Patterns,
  storing: StoringOptions = {},
): SpecChecks['check'] {
  const validate = validatorOf(structural, patterns);
  const store = storedBySchema(structural, storing);
  return (written) => {
    const { value, unknown } = store(written);
    const dropped = storing.unknownFields === 'kept' ? [] : unknown;
    const faults = [...dropped.map((pointer) => unknownField(pointer, structural)), ...validate(value)];
    // As the API server does: rules are evaluated only for values of the right form.
    return faults.length > 0 ? faults : [...ruleFaults(value, structural, rules)];
  };
}

/** Schemas with more fields are not spelled out. */
const mostFields = 12;

function unknownField(pointer: string, schema: JsonObject): SpecFault {
  const path = parsePointer(pointer);
  const fields = fieldsAt(schema, path.slice(0, -1));
  const isShort = fields.length > 0 && fields.length <= mostFields;
  const remedy = isShort ? `use ${fields.join(', ')}` : 'remove it, or correct its name';
  return { message: `the field ${path.at(-1)} is unknown; ${remedy}`, pointer };
}
