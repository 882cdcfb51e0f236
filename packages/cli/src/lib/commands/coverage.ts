import { type ConcernName, concernNames } from '@policy-machinery/policy-kind';
import { formatRef } from '@policy-machinery/topology';
import { annotationFaults } from '../answers/annotation-faults.ts';
import { assumedNotes } from '../answers/explain-input.ts';
import { worldsOf } from '../changes/compare.ts';
import { readSides } from '../changes/read-sides.ts';
import type { Acceptance } from '../covering/accepted.ts';
import { type Assessment, assess } from '../covering/assess.ts';
import { causesOf, causesTable } from '../covering/causes.ts';
import { assessedSides, changesSummary, changesTable, coverageChanges } from '../covering/changes.ts';
import { concernNamed } from '../covering/concern-columns.ts';
import { coverageCsv, coverageDocument } from '../covering/document.ts';
import { type FailOn, failOnOf } from '../covering/fail-on.ts';
import { groupingNamed } from '../covering/groups.ts';
import { holesIn, holesTable } from '../covering/holes.ts';
import { matrixTable, shownConcerns } from '../covering/matrix.ts';
import { coveragePage } from '../covering/page.ts';
import { readAcceptances } from '../covering/read-acceptances.ts';
import { meanings, type Status, signs, statuses } from '../covering/status.ts';
import { summaryOf } from '../covering/summary.ts';
import { coverageAsRead } from '../covering/world-coverage.ts';
import { inThisInput } from '../input/completeness.ts';
import type { Answer, Section } from '../model/answer.ts';
import type { Inputs, Request } from '../model/command.ts';
import { outcomeNotes } from '../verifying/request-doubts.ts';

/** Shows which requests are protected, with the policy or the reason, or the effect of a change on them. */
export async function answer(inputs: Inputs, request: Request): Promise<Answer> {
  const { args, options } = request;
  const asked = await askedIn(request);
  if (options.git !== undefined || args.length > 1) return changeAnswer(inputs, request, asked);
  const [path] = args;
  const world = await inputs.read(path === undefined ? options : { ...options, filename: [path], recursive: true });
  const assessment = assess(coverageAsRead(world), { ...asked, scope: world.scope });
  const answer = coverageAnswer(assessment, request, asked, inThisInput(world));
  const faults = world.objects.flatMap((object) =>
    annotationFaults([object]).map(
      ({ message }) => `${formatRef({ ...object.metadata, kind: object.kind })}: ${message}`,
    ),
  );
  return { ...answer, notes: [...(answer.notes ?? []), ...outcomeNotes(world, world.views), ...faults] };
}

interface Asked {
  /** The concerns that are named; none for all. */
  readonly concerns: readonly ConcernName[];
  readonly required: readonly ConcernName[];
  readonly accepted: readonly Acceptance[];
  readonly failOn: FailOn;
}

async function askedIn({
  options: { concern = [], require = [], accept = [], failOn: text },
}: Request): Promise<Asked> {
  const failOn = failOnOf(text);
  return {
    concerns: concern.map(concernNamed),
    required: [...require.map(concernNamed), ...failOn.concerns],
    accepted: await readAcceptances(accept),
    failOn,
  };
}

function coverageAnswer(assessment: Assessment, { options, colors }: Request, asked: Asked, where: string): Answer {
  const { rows, required } = assessment;
  const { by = 'namespace', uncovered, output = '' } = options;
  const shown = asked.concerns.length > 0 ? asked.concerns : shownConcerns(assessment);
  const [first = 'authentication'] = shown;
  const sentence = summaryOf(rows, first, required.has(first), where);
  const causes = causesOf(rows, first);
  const listed = asked.concerns.length > 0 ? asked.concerns : [...required];
  const holes = holesTable(holesIn(rows, listed), listed, colors);
  const hasSources = ['wide', 'html', 'markdown'].includes(output);
  const matrix = matrixTable(assessment, groupingNamed(by), shown, colors, hasSources);
  const sections: readonly Section[] = [
    { blocks: [{ lines: [[sentence, colors.bold]] }] },
    ...(uncovered === true
      ? [{ blocks: [{ table: holes }] }]
      : [
          { blocks: [{ table: causesTable(causes, colors), indent: 2 }] },
          { blocks: rows.length === 0 ? [] : [{ table: matrix }] },
          { blocks: rows.length === 0 ? [] : [{ lines: [legend(assessment)] }] },
        ]),
  ];
  return {
    document: coverageDocument(assessment, asked.concerns.length > 0 ? asked.concerns : concernNames),
    isFitted: true,
    sections,
    texts: {
      csv: () => coverageCsv(assessment, shown),
      html: () => coveragePage({ sentence, causes, matrix, holes }),
    },
    notes: unusedNotes(assessment, asked),
    exitCode: exitCodeOf(assessment, asked.failOn),
  };
}

function legend({ rows }: Assessment): string {
  const isUsed = (status: Status) => rows.some(({ statuses: each }) => [...each.values()].includes(status));
  const shown = statuses.filter((it) => (it !== 'not-needed' && it !== 'accepted') || isUsed(it)).toReversed();
  return shown.map((status) => `${signs[status]} ${meanings[status]}`).join('   ');
}

/** Returns notes about entries of files that accept nothing, so that they are removed. */
function unusedNotes({ rows }: Assessment, { accepted }: Asked): readonly string[] {
  const used = new Set(rows.flatMap(({ accepted: own }) => [...own.values()].map(({ entry }) => entry)));
  return accepted
    .filter((entry) => !used.has(entry))
    .map(({ concern, route, gateway, hostname }) => {
      const place = [route, gateway, hostname].filter((name) => name !== undefined).join(', ');
      return `Nothing lacks ${concern} at ${place}; remove the entry of --accept.`;
    });
}

/** Returns 1 if requests are not covered, and 4 if it is not known. */
function exitCodeOf({ rows, required }: Assessment, { isOn, concerns }: FailOn): 0 | 1 | 4 {
  if (!isOn) return 0;
  const asked = concerns.length > 0 ? concerns : [...required];
  const found = new Set(rows.flatMap(({ statuses: own }) => asked.map((concern) => own.get(concern))));
  if (found.has('uncovered') || found.has('weak')) return 1;
  return found.has('unknown') ? 4 : 0;
}

async function changeAnswer(inputs: Inputs, request: Request, asked: Asked): Promise<Answer> {
  const { options, colors } = request;
  const worlds = await worldsOf(await readSides(inputs, request, 'coverage'), options);
  const [old, young] = assessedSides(worlds, asked);
  const concerns = asked.concerns.length > 0 ? asked.concerns : [...young.required];
  const changes = coverageChanges(old, young, concerns);
  const lost = changes.filter(({ change }) => change !== 'covered');
  const table = changesTable(changes, colors);
  const sentence = changesSummary(changes);
  return {
    document: { kind: 'CoverageDiff', changes },
    isFitted: true,
    sections: [{ blocks: [{ lines: [[sentence, colors.bold]] }] }, { blocks: [{ table }] }],
    texts: {
      csv: () => coverageCsv(young, concerns),
      html: () => coveragePage({ sentence, causes: [], matrix: table, holes: { columns: [], rows: [] } }),
    },
    notes: [...assumedNotes(worlds.after.assumed), ...worlds.notes],
    exitCode: !asked.failOn.isOn || lost.length === 0 ? 0 : lost.some(({ change }) => change === 'uncovered') ? 1 : 4,
  };
}
