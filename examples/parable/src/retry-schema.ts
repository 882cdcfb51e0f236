import { isJsonObject } from '@policy-machinery/resource';

/** How often, when, and for how long a request is tried again. */
export interface Retries {
  readonly attempts?: number;
  /** The status codes that count as a failure. */
  readonly codes?: readonly number[];
  /** For how long one attempt may take. */
  readonly perTry?: string;
}

const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;

const fields: Readonly<Record<string, readonly [isValid: (value: unknown) => boolean, expected: string]>> = {
  attempts: [isCount, 'expected a whole number'],
  codes: [(value) => Array.isArray(value) && value.every(isCount), 'expected a list of status codes'],
  perTry: [(value) => /^([0-9]+(h|m|s|ms))+$/.test(String(value)), 'expected a duration such as 2s'],
};

interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly string[];
}

function issuesIn(spec: unknown): readonly SchemaIssue[] {
  if (!isJsonObject(spec)) return [{ message: 'expected an object' }];
  return Object.entries(spec).flatMap(([field, value]) => {
    const [isValid, expected] = fields[field] ?? [() => false, 'is no field of a RetryPolicy'];
    return isValid(value) ? [] : [{ message: expected, path: [field] }];
  });
}

/** A schema without a library: any value of this shape (https://standardschema.dev) is a schema. */
export const retrySchema = {
  '~standard': {
    version: 1,
    vendor: 'example-parable',
    types: undefined as { readonly input: Retries; readonly output: Retries } | undefined,
    validate: (spec: unknown) => {
      const issues = issuesIn(spec);
      return issues.length > 0 ? { issues } : { value: spec as Retries };
    },
  },
} as const;
