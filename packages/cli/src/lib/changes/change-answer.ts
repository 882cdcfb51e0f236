import type { ResourceRef } from '@policy-machinery/resource';
import type { Colors } from '@policy-machinery/text';
import { formatRef } from '@policy-machinery/topology';
import { emptinessOf } from '../answers/emptiness.ts';
import { outcomeCell } from '../answers/tones.ts';
import type { CoverageChange } from '../covering/changes.ts';
import type { Answer, Block, Finding, Section } from '../model/answer.ts';
import type { Request } from '../model/command.ts';
import { type ColumnOf, tableOf } from '../model/table-of.ts';
import { type CheckChange, checkSections } from './check-changes.ts';
import type { Comparison } from './compare.ts';
import { type TargetChange, targetChanges } from './effective-changes.ts';
import { changeDocuments, changeGroups } from './field-table.ts';
import { filterOf } from './filter.ts';
import { findingChanges } from './finding-changes.ts';
import { type GuaranteeChange, guaranteeSections, isLost } from './guarantee-changes.ts';
import { type NewAccess, newAccessCode, newAccessSections } from './new-access.ts';
import { firstRows, onOneScreen } from './one-screen.ts';
import { type OutcomeChange, outcomeChanges } from './outcome-changes.ts';
import { protectionChanges, protectionSections, uncoveredRoutes } from './protection-changes.ts';
import { type RequestChanges, requestSections } from './request-changes.ts';

/** The changes that `--only` selects. */
interface Changes {
  readonly targets: readonly TargetChange[];
  readonly outcomes: readonly OutcomeChange[];
  readonly added: readonly Finding[];
  readonly fixed: readonly Finding[];
  /** The requests that lose their protection. */
  readonly uncovered: readonly CoverageChange[];
}

/** The effects of a change on requests. Each part is `undefined` unless an option requests it. */
interface ComparedRequests {
  /** The classes that are treated differently. */
  readonly differing?: RequestChanges | undefined;
  readonly opened?: NewAccess | undefined;
}

/**
 * Returns the effects of a change: on effective policies, on the outcomes of policies, and on the findings.
 *
 * @param request The request: `--only` selects the effects to show, and `--fail-on` selects the effects that make the exit code 1.
 * @param guarantees The guarantees with another answer afterwards. One that is broken or undecided for further requests counts as lost.
 * @param checks The effects on the checks that are meant to find its faults.
 * @param compared The effects on requests. Default: they are not compared.
 * @returns The answer.
 */
export function changeAnswer(
  comparison: Comparison,
  { options, colors }: Request,
  guarantees: readonly GuaranteeChange[],
  checks: readonly CheckChange[],
  { differing: requests, opened }: ComparedRequests = {},
): Answer {
  const filter = filterOf(options.only);
  const { added, fixed } = findingChanges(comparison);
  const changes: Changes = {
    targets: targetChanges(comparison).filter(filter.target),
    outcomes: outcomeChanges(comparison).filter(filter.outcome),
    added: added.filter(filter.finding),
    fixed: fixed.filter(filter.finding),
    uncovered: protectionChanges(comparison).filter(filter.protection),
  };
  const { targets, outcomes, uncovered } = changes;
  const isEmpty = [comparison.before, comparison.after].every((world) => emptinessOf(world) !== undefined);
  return {
    document: {
      kind: 'PolicyDiff',
      ...(checks.length === 0 ? {} : { checks }),
      effective: changeDocuments(targets),
      policies: outcomes,
      coverage: uncovered,
      findings: { added: changes.added, fixed: changes.fixed },
      ...(options.guarantees === undefined ? {} : { guarantees }),
      ...(requests === undefined ? {} : { requests }),
      ...(opened === undefined ? {} : { newAccess: opened }),
    },
    sections: [
      ...protectionSections(uncovered, colors),
      ...checkSections(checks),
      { blocks: [{ lines: [summaryOf(changes, guarantees, requests)] }] },
      ...newAccessSections(opened),
      ...guaranteeSections(guarantees),
      ...requestSections(requests),
      ...sectionsOf(changes, colors),
    ],
    notes: comparison.notes,
    exitCode: isFailing(options, changes, added, guarantees, [checks, requests?.differences ?? []])
      ? 1
      : newAccessCode(opened) || (isEmpty && options.strict === true ? 3 : 0),
  };
}

/**
 * Returns whether `--fail-on` selects any of the changes.
 *
 * @param added All new findings, also those that `--only` leaves out.
 * @param others Further changes.
 */
function isFailing(
  { newAccess = true, failOn = newAccess ? 'any' : 'none' }: Request['options'],
  { targets, outcomes, uncovered, ...findings }: Changes,
  added: readonly Finding[],
  guarantees: readonly GuaranteeChange[],
  others: readonly (readonly unknown[])[],
): boolean {
  const all = [targets, outcomes, findings.added, findings.fixed, guarantees, uncovered, ...others];
  const isUnkept = guarantees.some(isLost);
  const failing = {
    any: all.some(({ length }) => length > 0),
    lost: outcomes.some((outcome) => outcome.isLost) || added.some(isUnread) || isUnkept || uncovered.some(isReplaced),
    unprotected: uncovered.some(isUncovered) || isUnkept,
    none: false,
  };
  return failing[failOn as keyof typeof failing];
}

const isReplaced = ({ isReplaced: is }: CoverageChange): boolean => is;

const isUncovered = ({ change }: CoverageChange): boolean => change === 'uncovered';

/** Returns whether a finding says that something is no longer read: then nothing proves that its policies are gone. */
function isUnread({ code, severity, resource }: Finding): boolean {
  return (severity === 'error' && resource === undefined) || code === 'link-left-out' || code === 'submodule-left-out';
}

/** How many policies and findings are shown one by one; the others are summed up. */
const maxRows = { policies: 6, findings: 4 } as const;

function sectionsOf({ targets, outcomes, added, fixed }: Changes, colors: Colors): readonly Section[] {
  const policies = () =>
    firstRows(
      outcomes,
      maxRows.policies,
      ({ policy }) => policy,
      (shown) => outcomeBlock(shown, colors),
    );
  const findings = (all: readonly Finding[]) =>
    firstRows(all, maxRows.findings, placeOf, (shown) => findingBlock(shown, colors));
  return [
    ...onOneScreen(changeGroups(targets, colors)),
    ...(outcomes.length === 0 ? [] : [{ heading: 'Policies', blocks: policies() }]),
    ...(added.length === 0 ? [] : [{ heading: 'Newly wrong', blocks: findings(added) }]),
    ...(fixed.length === 0 ? [] : [{ heading: 'No longer wrong', blocks: findings(fixed) }]),
  ];
}

/** Returns the severity and the namespace of a finding, for a sum. */
function placeOf({ resource = '', severity }: Finding): Pick<ResourceRef, 'kind' | 'namespace'> {
  const name = resource.slice(resource.indexOf(':') + 1);
  const end = name.indexOf('/');
  return { kind: `${severity}s`, ...(end < 0 ? {} : { namespace: name.slice(0, end) }) };
}

function outcomeBlock(outcomes: readonly OutcomeChange[], colors: Colors): Block {
  const columns: readonly ColumnOf<OutcomeChange>[] = [
    { name: 'POLICY', cell: ({ policy }) => formatRef(policy) },
    { name: 'BEFORE', cell: ({ before }) => (before === undefined ? 'new' : outcomeCell(before, colors)) },
    { name: '', cell: () => '→' },
    { name: 'AFTER', cell: ({ after }) => (after === undefined ? 'gone' : outcomeCell(after, colors)) },
    { name: 'WHY', cell: ({ after, message }) => (after === undefined ? '' : message) },
  ];
  return { table: tableOf(outcomes, columns, { layout: 'detail' }), indent: 2 };
}

const tones = { error: 'red', warning: 'yellow', note: 'dim' } as const;

function findingBlock(findings: readonly Finding[], colors: Colors): Block {
  const columns: readonly ColumnOf<Finding>[] = [
    {
      name: 'WHERE',
      cell: ({ position, resource = '' }) => [
        position === undefined ? resource : `${position.source}:${position.line}`,
        colors.cyan,
      ],
    },
    { name: 'SEVERITY', cell: ({ severity }) => [severity, colors[tones[severity]]] },
    { name: 'MESSAGE', cell: ({ message }) => message },
  ];
  return { table: tableOf(findings, columns, { layout: 'detail' }), indent: 2 };
}

function summaryOf(
  { targets, outcomes, added, fixed, uncovered }: Changes,
  guarantees: readonly GuaranteeChange[],
  requests: RequestChanges | undefined,
): string {
  const lost = outcomes.filter(({ isLost }) => isLost).length;
  const parts = [
    [uncoveredRoutes(uncovered), 'route loses protection', 'routes lose protection'],
    [
      guarantees.filter(isLost).length,
      'guarantee is newly broken or undecided',
      'guarantees are newly broken or undecided',
    ],
    [
      requests?.differences.length ?? 0,
      'class of requests is treated differently',
      'classes of requests are treated differently',
    ],
    [targets.length, 'effective policy changes', 'effective policies change'],
    [lost, 'policy loses all effect', 'policies lose all effect'],
    [outcomes.length - lost, 'other outcome changes', 'other outcomes change'],
    [added.length, 'new finding', 'new findings'],
    [fixed.length, 'resolved finding', 'resolved findings'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, one, many]) => `${count} ${count === 1 ? one : many}`);
  return said.length === 0 ? 'Nothing changes for any policy.' : `${said.join(', ')}.`;
}
