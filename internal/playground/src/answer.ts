import { effectivePolicies } from '@policy-machinery/effective-policy';
import { findPolicyKinds } from '@policy-machinery/known-kinds';
import { reportPage } from '@policy-machinery/report';
import { type Issue, messageOf } from '@policy-machinery/resource';
import { parseManifests } from '@policy-machinery/resource/manifests';
import { createTopology } from '@policy-machinery/topology';
import { changesBetween } from './changes.ts';

/** What is asked: manifests, and how kinds merge that do not say so themselves. */
export interface Question {
  readonly text: string;
  /** Dialects by kind: `{ 'policies.example.com/RetryPolicy': 'gep713' }`. */
  readonly dialects: Readonly<Record<string, string>>;
  /** The manifests to compare these with. Default: none. */
  readonly before?: string | undefined;
}

/** A fault at a place in the text. */
export interface Finding {
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: Issue['severity'];
  readonly message: string;
}

/** A policy kind that was found. */
export interface FoundName {
  /** `policies.example.com/RetryPolicy`. */
  readonly name: string;
  /** Whether its policies are merged. If not, a dialect says how. */
  readonly isMerged: boolean;
  /** Whether another dialect can be chosen. */
  readonly mayChoose: boolean;
}

/** What the page shows. */
export interface Answer {
  /** The report's page; `undefined` if the text cannot be used at all. */
  readonly page: string | undefined;
  readonly findings: readonly Finding[];
  readonly kinds: readonly FoundName[];
  /** What differs from the manifests before, a line for each; `undefined` if nothing is compared. */
  readonly changes: readonly string[] | undefined;
}

/**
 * Returns what applies where, and what is wrong, for some manifests. Never throws: faults of the text are findings.
 *
 * @param question The manifests and the dialects.
 * @param now The time that the report names.
 */
export function answerTo({ text, dialects, before }: Question, now: Date): Answer {
  const issues: Issue[] = [];
  const manifests = parseManifests({ source: 'manifests', text }, { onIssue: (issue) => issues.push(issue) });
  const found = findPolicyKinds({ resources: manifests, dialects });
  const { kinds, targetKinds } = found.kinds.length === 0 && found.mesh !== undefined ? found.mesh : found;
  const names = kinds.map(({ kind: { group, kind }, merging, foundBy }) => ({
    name: `${group}/${kind}`,
    isMerged: merging === 'known',
    mayChoose: foundBy !== 'table',
  }));
  let page: string | undefined;
  let changes: readonly string[] | undefined;
  try {
    const topology = createTopology({ targetKinds, policyKinds: kinds.map(({ kind }) => kind) });
    topology.apply({ upsert: manifests });
    const views = kinds
      .filter(({ merging }) => merging === 'known')
      .map(({ kind }) => effectivePolicies(topology, kind));
    issues.push(...topology.issues, ...views.flatMap((view) => view.issues));
    page = reportPage({
      topology,
      views,
      issues: issues.map((issue) => manifests.locate(issue)),
      title: 'Playground',
      now,
    });
    changes = before === undefined ? undefined : changesBetween(before, text, dialects);
  } catch (error) {
    issues.push({ code: 'refused', severity: 'error', message: messageOf(error) });
  }
  return { page, kinds: names, changes, findings: issues.map((issue) => findingOf(manifests.locate(issue))) };
}

function findingOf({ position, severity, message }: Issue): Finding {
  const { line, column } = position ?? { line: 1, column: 1 };
  return { line, column, severity, message };
}
