import { effectivePolicies } from '@policy-machinery/effective-policy';
import { reportPage } from '@policy-machinery/report';
import { type Issue, messageOf, storedObjects } from '@policy-machinery/resource';
import { createDocumentMemory, type DocumentMemory, parseManifests } from '@policy-machinery/resource/manifests';
import { releasedDefinitions } from '@policy-machinery/schemas';
import { createTopology } from '@policy-machinery/topology';
import { secretsOf } from '../../../packages/cli/src/lib/model/secrets.ts';
import { verdictFindings } from '../../../packages/cli/src/lib/verifying/verdict-findings.ts';
import { changesBetween } from './changes.ts';
import { coverageOn } from './coverage.ts';
import { type HierarchyName, hierarchiesIn } from './hierarchy.ts';
import { verdictsOn } from './verdicts.ts';

/** What is asked: manifests, and how kinds merge that do not say so themselves. */
export interface Question {
  readonly text: string;
  /** Dialects by kind: `{ 'policies.example.com/RetryPolicy': 'gep713' }`. */
  readonly dialects: Readonly<Record<string, string>>;
  /** The manifests to compare these with. Default: none. */
  readonly before?: string | undefined;
  /** The hierarchy to show, if there are two. Default: Gateway API's. */
  readonly hierarchy?: HierarchyName | undefined;
  /** The question about these manifests that the report opens with. Default: none. */
  readonly question?: string | undefined;
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
  /** The hierarchies with policies, the shown one first. */
  readonly hierarchies: readonly HierarchyName[];
  /** The number of documents that had to be read, since they were not in the question before. */
  readonly read: number;
}

/**
 * Returns what applies where, and what is wrong, for some manifests. Never rejects: faults of the text are findings.
 *
 * @param question The manifests and the dialects.
 * @param now The time that the report names.
 * @param memory The documents of the questions before.
 */
export async function answerTo(
  { text, dialects, before, hierarchy }: Question,
  now: Date,
  memory: DocumentMemory = createDocumentMemory(),
): Promise<Answer> {
  const issues: Issue[] = [];
  const manifests = parseManifests({ source: 'manifests', text }, { onIssue: (issue) => issues.push(issue), memory });
  const read = memory.read;
  const released = await releasedDefinitions(manifests);
  const stored = manifests.resources.map(storedObjects(manifests, released));
  const objects = stored.map(({ object }) => object);
  issues.push(...stored.flatMap(({ warnings }) => warnings));
  const hierarchies = hierarchiesIn(objects, dialects, released, hierarchy);
  const [{ name: shown, kinds, targetKinds }] = hierarchies;
  const names = kinds.map(({ kind: { group, kind }, merging, foundBy }) => ({
    name: `${group}/${kind}`,
    isMerged: merging === 'known',
    mayChoose: foundBy !== 'table',
  }));
  let page: string | undefined;
  let changes: readonly string[] | undefined;
  try {
    const topology = createTopology({ targetKinds, policyKinds: kinds.map(({ kind }) => kind) });
    topology.apply({ upsert: objects });
    const all = kinds.map((found) => ({
      found,
      effective: effectivePolicies(topology, found.kind, found.viewOptions),
    }));
    const found = new Map(kinds.map((each) => [each.kind, secretsOf(each)]));
    const views = all.filter(({ found }) => found.merging === 'known').map(({ effective }) => effective);
    const covered = shown === 'mesh' ? undefined : coverageOn({ topology, objects, views: all });
    issues.push(...(covered?.issues ?? []));
    const ofViews = views.flatMap((view) => view.issues);
    // The API server sets creation times: pasted manifests do not have any.
    issues.push(...topology.issues, ...ofViews.filter(({ code }) => code !== 'missing-creation-timestamp'));
    const verified = shown === 'mesh' ? undefined : verdictsOn(objects, topology, views);
    const verdicts = verified?.verdicts ?? [];
    issues.push(...(verified?.issues ?? []), ...verdictFindings(verdicts, manifests, manifests, {}));
    page = reportPage({
      topology,
      views,
      secretsOf: (kind) => found.get(kind),
      issues: sorted(issues).map((issue) => manifests.locate(issue)),
      verdicts,
      coverage: covered?.coverage,
      title: 'Playground',
      now,
    });
    changes = before === undefined ? undefined : changesBetween(before, text, { dialects, released, hierarchy });
  } catch (error) {
    issues.push({ code: 'refused', severity: 'error', message: messageOf(error) });
  }
  return {
    page,
    kinds: names,
    changes,
    hierarchies: hierarchies.map(({ name }) => name),
    read,
    findings: sorted(issues).map((issue) => findingOf(manifests.locate(issue))),
  };
}

/** Returns errors before warnings, and last the guarantees that are broken because of these. */
function sorted(issues: readonly Issue[]): readonly Issue[] {
  const rankOf = ({ code, severity }: Issue) => (code === 'guarantee-broken' ? 2 : severity === 'error' ? 0 : 1);
  return [...issues].sort((a, b) => rankOf(a) - rankOf(b));
}

function findingOf({ position, severity, message }: Issue): Finding {
  const { line, column } = position ?? { line: 1, column: 1 };
  return { line, column, severity, message };
}
