import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { Verdict } from '@policy-machinery/guarantees';
import type { Issue } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import { Collection, type FollowingData, type SecretsOf } from './collection.ts';
import { coverageRows, type ReportCoverage } from './coverage-rows.ts';
import { issueRows, type PageOfCode } from './issue-rows.ts';
import type { OutcomeRow, ReportData } from './report-data.ts';
import { verdictRows } from './verdict-rows.ts';

/** The outcome of a policy with the reason, in sentences. */
export interface ReportOutcome {
  readonly outcome: string;
  readonly message: string;
}

/** The content of a page that does not follow from its topology. */
export interface Around {
  readonly issues: readonly Issue[];
  readonly pageOfCode?: PageOfCode;
  readonly title: string;
  readonly namespace?: string | undefined;
  readonly notes?: readonly string[];
  readonly verdicts?: readonly Verdict[];
  readonly coverage?: ReportCoverage | undefined;
  readonly outcomes?: ReadonlyMap<string, ReportOutcome> | undefined;
  readonly now: Date;
}

/** The input of a page. */
export interface Collected extends Around {
  readonly topology: Topology;
  readonly views: readonly EffectivePolicies<unknown>[];
  readonly secretsOf?: SecretsOf | undefined;
}

/** Collects the data of a page. O(contexts, and for each target those below it). */
export function collect({ topology, views, secretsOf, ...around }: Collected): ReportData {
  return dataOf(new Collection(topology, views, secretsOf), around);
}

/** Returns the data of a page: the collected data, and the other content of the page. */
export function dataOf(collection: Collection, around: Around): ReportData {
  return { ...aroundRows(collection, around), ...collection.data };
}

/** The content of a page that does not follow from its topology, in the form of its data. */
export type AroundRows = Omit<ReportData, keyof FollowingData>;

/** Returns the content of a page beside the collected data. */
export function aroundRows(
  { names }: Collection,
  {
    issues,
    pageOfCode = () => undefined,
    title,
    namespace,
    notes = [],
    verdicts = [],
    coverage,
    outcomes = new Map(),
    now,
  }: Around,
): AroundRows {
  const covered = coverage === undefined ? {} : { coverage: coverageRows(coverage, names) };
  const ownRows = { issues: issueRows(issues, names, pageOfCode), verdicts: verdictRows(verdicts, names), ...covered };
  const replaced = [...outcomes].flatMap(([locator, { outcome, message }]): readonly OutcomeRow[] => {
    const id = names.policy({ locator });
    return id === -1 ? [] : [[id, names.text(outcome), names.text(message)]];
  });
  const about = { title, notes, ...(namespace !== undefined && { namespace }) };
  return { ...about, made: now.toISOString(), ...ownRows, ...(replaced.length > 0 && { outcomes: replaced }) };
}
