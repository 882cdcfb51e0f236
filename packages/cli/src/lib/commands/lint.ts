import { printable } from '@policy-machinery/resource';
import { groupedBy } from '@policy-machinery/resource/inner';
import type { Colors } from '@policy-machinery/text';
import { withoutAccepted } from '../answers/accepted-findings.ts';
import { emptinessOf } from '../answers/emptiness.ts';
import { isInScope, scopeText } from '../answers/in-scope.ts';
import { arranged, findingsAbout, located } from '../answers/issues.ts';
import { withSuggestions } from '../answers/suggestions.ts';
import { unreachedFindings } from '../answers/unreached.ts';
import { replacedProtection } from '../covering/replaced.ts';
import { inThisInput } from '../input/completeness.ts';
import type { Answer, Finding, Section } from '../model/answer.ts';
import type { Request } from '../model/command.ts';
import { pageOfCode } from '../model/finding-codes.ts';
import { firstOf } from '../model/first-of.ts';
import { type ColumnOf, tableOf } from '../model/table-of.ts';
import { repositoryUrl } from '../model/version.ts';
import type { World } from '../model/world.ts';
import { outcomeNotes } from '../verifying/request-doubts.ts';

/** Lists the findings, with file and line. */
export function answer(world: World, { options: { failOn = 'warning' }, colors }: Request): Answer {
  const about = [...findingsAbout(world), ...unreachedFindings(world), ...replacedProtection(world)];
  const reported = withSuggestions(world, arranged(world, about));
  const { findings: remaining, accepted } = withoutAccepted(world, reported);
  const findings = remaining.map((finding) => (reported.includes(finding) ? finding : located(world, finding)));
  const counts = (['error', 'warning', 'note'] as const).map((severity) => ({
    severity,
    count: findings.filter((finding) => finding.severity === severity).length,
  }));
  const failing = failures[failOn] ?? [];
  const defined = world.views.filter(({ found }) => found.definedBy !== undefined); // Findings name the others.
  return {
    document: { kind: 'FindingList', items: findings, ...(accepted === 0 ? {} : { accepted }) },
    sections: [
      { blocks: findings.length > 0 ? [{ table: tableOf(findings, columnsOf(colors), { subject: subjectOf }) }] : [] },
    ],
    onTerminal: byFile(findings, colors),
    findings,
    notes: [
      summaryOf(counts, world),
      ...(accepted === 0 ? [] : [acceptedText(accepted)]),
      ...outcomeNotes(world, defined),
      ...explanations(findings),
    ],
    exitCode: findings.some(({ severity }) => failing.includes(severity)) ? 1 : 0,
  };
}

/** Returns where the codes of some findings are explained, the most important first; nothing before the first release. */
export function explanations(findings: readonly Finding[], repository = repositoryUrl): readonly string[] {
  const pages = [...new Set(findings.map(({ code }) => code))].flatMap((code) => pageOfCode(code, repository) ?? []);
  return pages.length === 0 ? [] : [`Explained at ${firstOf(pages, 3)}`];
}

function acceptedText(count: number): string {
  return count === 1 ? '1 more finding is accepted.' : `${count} more findings are accepted.`;
}

/** The severities that make the exit code 1, by the value of `--fail-on`. */
const failures: Readonly<Record<string, readonly Finding['severity'][]>> = {
  error: ['error'],
  warning: ['error', 'warning'],
  lost: ['error', 'warning', 'note'],
  none: [],
};

function subjectOf({ code, resource, pointer, position }: Finding): string {
  return JSON.stringify([code, resource ?? position, pointer]);
}

const tones = { error: 'red', warning: 'yellow', note: 'dim' } as const;

function columnsOf(colors: Colors): readonly ColumnOf<Finding>[] {
  return [
    { name: 'WHERE', cell: (finding) => [placeOf(finding), colors.cyan] },
    { name: 'SEVERITY', gone: 'resolved', cell: ({ severity }) => [severity, colors[tones[severity]]] },
    { name: 'MESSAGE', cell: ({ message }) => message },
    { name: 'CODE', cell: ({ code }) => [code, colors.dim] },
  ];
}

/** Returns the findings below the file or resource that they are about, for people who read. */
function byFile(findings: readonly Finding[], colors: Colors): readonly Section[] {
  const groups = groupedBy(findings, (finding) => finding.position?.source ?? placeOf(finding));
  const columns: readonly ColumnOf<Finding>[] = [
    {
      name: 'WHERE',
      cell: ({ position }) => [position === undefined ? '' : `${position.line}:${position.column}`, colors.cyan],
    },
    { name: 'SEVERITY', cell: ({ severity }) => [severity, colors[tones[severity]]] },
    { name: 'MESSAGE', cell: ({ message, code }) => `${message} (${code})` },
  ];
  return [...groups].map(([heading, group]) => {
    const isPlaced = group.some(({ position }) => position !== undefined);
    const table = tableOf(group, isPlaced ? columns : columns.slice(1), { layout: 'detail' });
    return { heading, blocks: [{ table, indent: 2 }] };
  });
}

/** Returns file, line and column; without a file, the resource. */
function placeOf({ position, resource, pointer }: Finding): string {
  if (position !== undefined) return `${position.source}:${position.line}:${position.column}`;
  return [resource, pointer].filter((part) => part !== undefined && part !== '').join(' ');
}

/** Reports that nothing was found. This means that nothing is wrong only if everything is read. */
function nothingFound(world: World): string {
  return inThisInput(world) === '' ? 'Nothing is wrong' : 'No findings';
}

function summaryOf(counts: readonly { readonly severity: string; readonly count: number }[], world: World): string {
  const { topologies, scope } = world;
  const empty = emptinessOf(world);
  if (empty !== undefined && counts.every(({ count }) => count === 0)) return empty.message;
  const found = counts
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}${count === 1 ? '' : 's'}`)
    .join(', ');
  const policies = topologies
    .flatMap((topology) => topology.policies())
    .filter(({ resource: { metadata } }) => isInScope(scope, metadata.namespace)).length;
  return printable(
    `${found === '' ? nothingFound(world) : found} in ${policies} ${policies === 1 ? 'policy' : 'policies'}${scopeText(scope)}.`,
  );
}
