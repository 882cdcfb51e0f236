import { formatPointer, type Issue, type JsonObject } from '@policy-machinery/resource';

/** A place in a JSON Schema, references followed. */
export interface SchemaPlace {
  readonly path: readonly (string | number)[];
  /** The references that led there, the outermost first. */
  readonly following: readonly string[];
}

/** The conversion of a schema to a structural one: its input, options and findings. */
export interface Conversion {
  readonly root: JsonObject;
  /** JSON Pointers to values that the API server must not prune. */
  readonly preserved: ReadonlySet<string>;
  /** The preserved pointers that have been found. */
  readonly found: Set<string>;
  readonly issues: Issue[];
  /** Nodes of objects that may not have other fields than theirs. */
  readonly closed: WeakSet<JsonObject>;
  /** The number of nodes that are left. */
  left: number;
}

/** With this keyword, the API server keeps fields that the schema does not name. */
export const preserveUnknownFields = 'x-kubernetes-preserve-unknown-fields';

/** The node of a field that may have any value, including null. */
export const anything = { [preserveUnknownFields]: true, nullable: true } as const;

/** Returns a place further in. */
export const within = ({ path, following }: SchemaPlace, ...keys: readonly (string | number)[]): SchemaPlace => ({
  path: [...path, ...keys],
  following,
});

/** Reports why a structural schema is impossible. */
export function fail({ issues }: Conversion, { path }: SchemaPlace, code: string, message: string): void {
  issues.push({ code, severity: 'error', message, pointer: formatPointer(path) });
}

/** Reports a constraint that the API server does not check, so that it accepts more than the schema. */
export function lose({ issues }: Conversion, { path }: SchemaPlace, message: string): void {
  issues.push({ code: 'not-checked', severity: 'warning', message, pointer: formatPointer(path) });
}
