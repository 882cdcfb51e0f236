export {
  type Check,
  type CheckContext,
  type PolicyOptions,
  type ProfileName,
  profileNames,
} from './lib/checks/check.ts';
export { conformanceChecks } from './lib/checks/table.ts';
export type { Client, Expectation, ObjectName } from './lib/cluster/client.ts';
export { failureText } from './lib/report/failure-text.ts';
export { junitReport } from './lib/report/junit.ts';
export {
  conformanceReport,
  type ImplementationDetails,
  type PolicyConformanceReport,
  type ProfileReport,
  type ProfileStatus,
  type Statistics,
} from './lib/report/report.ts';
export {
  type CheckResult,
  type ConformanceOptions,
  type ConformanceResults,
  runConformance,
} from './lib/run-conformance.ts';
export {
  type PolicyUnderTest,
  readPolicyUnderTest,
  type StrategyForm,
  type StrategyName,
} from './lib/subject/policy-under-test.ts';
