// report/: reports about checks. Takes results, and returns them in the form of Gateway API's conformance reports, as JUnit, and as text.

import { type ProfileName, profileNames } from '../checks/check.ts';
import type { CheckResult, ConformanceResults } from '../run-conformance.ts';

/** The implementation and its owner, with the fields of Gateway API's conformance reports. */
export interface ImplementationDetails {
  readonly organization: string;
  readonly project: string;
  readonly version: string;
  readonly url?: string;
  /** GitHub teams or people. Default: none. */
  readonly contact?: readonly string[];
}

/** The numbers of checks of one part of a profile. */
export interface Statistics {
  readonly Passed: number;
  readonly Failed: number;
  readonly Skipped: number;
}

/** The results of some checks of a profile. */
export interface ProfileStatus {
  /** `partial` if checks were skipped, and none failed. */
  readonly result: 'success' | 'partial' | 'failure';
  readonly statistics: Statistics;
  /** The ids of the checks; absent if there are none. */
  readonly failedTests?: readonly string[];
  readonly skippedTests?: readonly string[];
}

/** The results of the checks of a profile. */
export interface ProfileReport {
  readonly name: ProfileName;
  /** The required checks. */
  readonly core: ProfileStatus;
  /** The recommended checks, and conventions of Kubernetes. Absent if the profile has none. */
  readonly extended?: ProfileStatus;
  readonly summary: string;
}

/** A report in the shape of Gateway API's `ConformanceReport`. */
export interface PolicyConformanceReport {
  readonly apiVersion: 'policy-machinery/v1alpha1';
  readonly kind: 'PolicyConformanceReport';
  /** RFC 3339. */
  readonly date: string;
  readonly gep: 'GEP-713';
  readonly implementation: ImplementationDetails & { readonly contact: readonly string[] };
  /** `Kind.group/version`. */
  readonly policy: string;
  readonly profiles: readonly ProfileReport[];
}

/**
 * Returns the report about an implementation.
 *
 * @param results The result of `runConformance`.
 * @param implementation The implementation, its version and its owner.
 * @returns The report, to be written as YAML. It has the profiles with at least one check that has run.
 */
export function conformanceReport(
  { subject, date, results }: ConformanceResults,
  implementation: ImplementationDetails,
): PolicyConformanceReport {
  const { group, version, kind } = subject.policy;
  return {
    apiVersion: 'policy-machinery/v1alpha1',
    kind: 'PolicyConformanceReport',
    date: date.toISOString(),
    gep: 'GEP-713',
    implementation: { contact: [], ...implementation },
    policy: `${kind}.${group}/${version}`,
    profiles: profileNames.flatMap((name) => {
      const ofProfile = results.filter(({ profile }) => profile === name);
      return ofProfile.some(({ result }) => result !== 'skipped') ? [profileReport(name, ofProfile)] : [];
    }),
  };
}

function profileReport(name: ProfileName, results: readonly CheckResult[]): ProfileReport {
  const [core, extended] = [true, false].map((isCore) => results.filter(({ level }) => (level === 'MUST') === isCore));
  const failed = results.filter(({ result }) => result === 'failed').length;
  const summary = failed === 0 ? 'All checks that apply succeed.' : `${failed} of ${results.length} checks fail.`;
  return {
    name,
    core: statusOf(core ?? []),
    ...(extended === undefined || extended.length === 0 ? {} : { extended: statusOf(extended) }),
    summary,
  };
}

function statusOf(results: readonly CheckResult[]): ProfileStatus {
  const idsOf = (wanted: CheckResult['result']) => results.flatMap(({ id, result }) => (result === wanted ? [id] : []));
  const [failed, skipped] = [idsOf('failed'), idsOf('skipped')];
  return {
    result: failed.length > 0 ? 'failure' : skipped.length > 0 ? 'partial' : 'success',
    statistics: { Passed: idsOf('passed').length, Failed: failed.length, Skipped: skipped.length },
    ...(failed.length === 0 ? {} : { failedTests: failed }),
    ...(skipped.length === 0 ? {} : { skippedTests: skipped }),
  };
}
