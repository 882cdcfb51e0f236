import type { JsonObject, JsonValue } from '@policy-machinery/resource';

/** The path of an expectation in a file: keys and indexes from the root. */
export type YamlPath = readonly (string | number)[];

export interface PolicyTestCase {
  readonly name: string;
  readonly path: YamlPath;
  readonly expects: TargetExpectation | OutcomeExpectation | RequestExpectation | ChangeExpectation;
}

export interface TargetExpectation {
  readonly type: 'target';
  readonly target: string;
  readonly policy: string;
  /** Only paths through this target. */
  readonly via?: string;
  /** The expected fields of the effective spec; `null` if no policy applies. */
  readonly spec?: JsonObject | null;
  /** Whether the spec must not have other fields. */
  readonly isExact: boolean;
  /** The names of policies that set fields, by JSON Pointer. */
  readonly setBy: Readonly<Record<string, string>>;
}

export interface OutcomeExpectation {
  readonly type: 'outcome';
  readonly policy: string;
  readonly is: string;
}

/** An expectation of the rule that takes a request, and of the policies that the request meets. */
export interface RequestExpectation {
  readonly type: 'request';
  readonly url: string;
  readonly method?: string;
  readonly headers: readonly string[];
  /** The rule or route that takes the request; `null` if none does. */
  readonly takenBy?: string | null;
  /** The fields of effective specs, by policy kind. */
  readonly meets: Readonly<Record<string, JsonObject>>;
}

/** Expectations that hold after a change. */
export interface ChangeExpectation {
  readonly type: 'change';
  readonly remove: readonly string[];
  /** The objects to apply, complete. */
  readonly apply: readonly JsonObject[];
  readonly cases: readonly PolicyTestCase[];
}

/** One value that a case expects, with the computed value. */
export interface Check {
  /** The name of the value: `/request`, `/request set by`, `outcome`. */
  readonly what: string;
  readonly want: JsonValue | undefined;
  readonly got: JsonValue | undefined;
  readonly isAsExpected: boolean;
  /** Whether the values have secrets, which answers mask. Default: they do not. */
  readonly hasSecrets?: boolean;
  /** The reasons for the computed value, in lines. */
  readonly why: readonly string[];
  /** The path of the expected value in the file. */
  readonly path: YamlPath;
}

export interface CaseResult {
  readonly name: string;
  readonly path: YamlPath;
  readonly checks: readonly Check[];
}
