import type { JsonObject, JsonValue } from '@policy-machinery/resource';

/** Where an expectation is in a file: keys and indexes from its root. */
export type YamlPath = readonly (string | number)[];

/** One case of a test file. */
export interface PolicyTestCase {
  readonly name: string;
  readonly path: YamlPath;
  /** What the case expects; one of these. */
  readonly expects: TargetExpectation | OutcomeExpectation | RequestExpectation | ChangeExpectation;
}

/** What applies to a target. */
export interface TargetExpectation {
  readonly type: 'target';
  readonly target: string;
  /** The policy kind. */
  readonly policy: string;
  /** Only paths through this target. */
  readonly via?: string;
  /** The fields of the effective spec; `null` if no policy applies. */
  readonly spec?: JsonObject | null;
  /** Whether the spec has no other fields. */
  readonly isExact: boolean;
  /** The names of policies that set fields, by JSON Pointer. */
  readonly setBy: Readonly<Record<string, string>>;
}

/** What became of a policy. */
export interface OutcomeExpectation {
  readonly type: 'outcome';
  readonly policy: string;
  readonly is: string;
}

/** Which rule takes a request, and which policies the request meets. */
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

/** What is expected after a change. */
export interface ChangeExpectation {
  readonly type: 'change';
  /** Names of objects. */
  readonly remove: readonly string[];
  /** Whole objects. */
  readonly apply: readonly JsonObject[];
  readonly cases: readonly PolicyTestCase[];
}

/** One thing that a case expects, and what is. */
export interface Check {
  /** What is compared: `/request`, `/request set by`, `outcome`. */
  readonly what: string;
  readonly want: JsonValue | undefined;
  readonly got: JsonValue | undefined;
  readonly isAsExpected: boolean;
  /** Why it is so, in lines. */
  readonly why: readonly string[];
  /** Where the expected value is in the file. */
  readonly path: YamlPath;
}

/** What became of one case. */
export interface CaseResult {
  readonly name: string;
  readonly path: YamlPath;
  readonly checks: readonly Check[];
}
