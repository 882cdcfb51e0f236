import {
  type Counterexample,
  formatCounterexample,
  formatHidden,
  formatRequest,
  type Verdict,
} from '@policy-machinery/guarantees';
import { formatOther, formatPolicies, formatTaker } from '@policy-machinery/guarantees/inner';
import { parseLocator } from '@policy-machinery/resource';
import type { Colors } from '@policy-machinery/text';
import { formatRef } from '@policy-machinery/topology';
import { definitionAssumptions, viewsRead } from '../answers/unchecked.ts';
import { assumptionsOf } from '../answers/unconsidered.ts';
import { mergeAssumptions } from '../input/merged-gateways.ts';
import { classAssumptions } from '../input/missing-classes.ts';
import type { Answer, Block, Section } from '../model/answer.ts';
import type { Request } from '../model/command.ts';
import { firstOf } from '../model/first-of.ts';
import type { World } from '../model/world.ts';
import { github } from '../output/github.ts';
import { junitOf } from '../output/junit.ts';
import { sarif } from '../output/sarif.ts';
import type { GuaranteeSource } from './read-guarantees.ts';
import { replayCommand } from './replay-command.ts';
import { verdictDocument } from './verdict-document.ts';
import { exitCodeOf, failureOf, failureTexts } from './verdict-failure.ts';
import { verdictFindings } from './verdict-findings.ts';
import { causeText, pathText } from './verdict-texts.ts';

/**
 * Answers which guarantees hold, which are broken, the requests that break them, and which are undecided.
 *
 * @param request The request. Broken guarantees, undecided guarantees, and guarantees about nothing have
 * different exit codes.
 */
export function verifyAnswer(
  verdicts: readonly Verdict[],
  world: World,
  source: GuaranteeSource,
  { colors, programName, options }: Request,
): Answer {
  const findings = () => verdictFindings(verdicts, world, source, options);
  const testCases = () => verdicts.map((verdict) => testCaseOf(verdict, options));
  const count = (answer: Verdict['answer']) => verdicts.filter((verdict) => verdict.answer === answer).length;
  return {
    document: {
      kind: 'VerdictList',
      items: verdicts.map((verdict) => verdictDocument(verdict, { programName, world }, assumed(verdict, world))),
    },
    sections: [
      { blocks: [summaryBlock(verdicts, colors)] },
      ...verdicts
        .filter((verdict) => verdict.answer !== 'holds' || failureOf(verdict, options) !== undefined)
        .map((verdict) => sectionOf(verdict, programName, colors)),
      ...assumptionSections(verdicts, world, options.verbose),
    ],
    texts: {
      sarif: () => sarif(findings()),
      github: () => github(findings()),
      junit: () => junitOf('gwpolicy verify', testCases()),
    },
    notes: [summaryOf(count('holds'), count('broken'), count('undecided'))],
    exitCode: exitCodeOf(verdicts, options),
  };
}

const tones = { holds: 'green', broken: 'red', undecided: 'yellow' } as const;

function summaryBlock(verdicts: readonly Verdict[], colors: Colors): Block {
  const columns = ['GUARANTEE', 'ANSWER', 'ABOUT'].map((name) => ({ name }));
  const rows = verdicts.map(({ guarantee, answer, classes }) => [
    guarantee.name,
    [answer, colors[tones[answer]]] as const,
    aboutText(guarantee.about ?? 'requests', classes),
  ]);
  return { table: { columns, rows } };
}

function aboutText(about: 'requests' | 'policies', classes: number): string {
  if (classes === 0) return `no ${about}`;
  if (about === 'policies') return `${classes} ${classes === 1 ? 'policy' : 'policies'}`;
  return `${classes} ${classes === 1 ? 'class' : 'classes'} of requests`;
}

/** The name of each answer above its reasons. A guarantee that holds has reasons only if it is about nothing. */
const headings = { holds: 'is about nothing', broken: 'is broken', undecided: 'is undecided' } as const;

function sectionOf(verdict: Verdict, programName: string, colors: Colors): Section {
  const { guarantee, answer, counterexamples, policies } = verdict;
  const { name, description } = guarantee;
  const rows = policies.map(({ policy, kind, why }) => [
    formatRef({ ...parseLocator(policy), kind }),
    why ?? `does not keep ${guarantee.holds}`,
  ]);
  const columns = ['POLICY', 'WHY'].map((column) => ({ name: column }));
  return {
    heading: `${name} ${headings[answer]}${description === undefined ? '' : `: ${description}`}`,
    blocks: [
      ...counterexamples.flatMap((example) => exampleBlocks(verdict, example, programName, colors)),
      ...(rows.length === 0 ? [] : [{ table: { layout: 'detail', columns, rows }, indent: 2 } as const]),
      ...hiddenBlocks(verdict),
    ],
  };
}

/** How many assumptions a text names without `-v`. */
const mostAssumptions = 3;

/** Returns the assumptions of a verdict, if the guarantee holds. */
function assumed(verdict: Verdict, world: World): readonly string[] {
  if (verdict.answer !== 'holds') return [];
  return [
    ...classAssumptions(verdict, world),
    ...mergeAssumptions(world),
    ...assumptionsOf(world),
    ...definitionAssumptions(viewsRead(verdict, world)),
  ];
}

/** Returns the assumptions of guarantees that hold: one section for all with the same assumptions. */
function assumptionSections(
  verdicts: readonly Verdict[],
  world: World,
  isVerbose: boolean | undefined,
): readonly Section[] {
  const names = new Map<string, string[]>();
  for (const verdict of verdicts) {
    const key = JSON.stringify(assumed(verdict, world));
    if (verdict.answer === 'holds') names.set(key, [...(names.get(key) ?? []), verdict.guarantee.name]);
  }
  return [...names].flatMap(([key, holding]): readonly Section[] => {
    const all: readonly string[] = JSON.parse(key);
    if (all.length === 0) return [];
    const shown = isVerbose === true ? all : all.slice(0, mostAssumptions);
    const more = all.length - shown.length;
    const rest = more === 0 ? [] : [`and ${more} more, which -v names`];
    const lines = [...shown.map((it) => `assumes ${it}`), ...rest];
    return [
      { heading: `${firstOf(holding, 3)} ${holding.length === 1 ? 'holds' : 'hold'}`, blocks: [{ lines, indent: 2 }] },
    ];
  });
}

function hiddenBlocks(verdict: Verdict): readonly Block[] {
  const lines = verdict.answer === 'holds' ? failureTexts(verdict) : formatHidden(verdict);
  if (lines.length === 0) return [];
  const more = verdict.answer === 'broken' ? [{ lines: ['There may be more:'], indent: 2 }] : [];
  return [...more, { lines, indent: 2 }];
}

function exampleBlocks(
  verdict: Verdict,
  example: Counterexample,
  programName: string,
  colors: Colors,
): readonly Block[] {
  const columns = ['', ''].map((name) => ({ name }));
  const rows = [
    ['taken by', formatTaker(example)],
    ['path', pathText(example)],
    ['meets', formatPolicies(verdict, example)],
    ...otherRows(verdict, example, programName, colors),
    ...(example.why === undefined ? [] : [['why', example.why]]),
    ['cause', causeText(example)],
    ['replay', [replayCommand(example, programName), colors.dim] as const],
  ];
  return [
    { lines: [[formatRequest(example), colors.red]], indent: 2 },
    { table: { layout: 'detail', columns, rows }, indent: 4 },
  ];
}

/** Returns the rows about a counterexample's other request. */
function otherRows(verdict: Verdict, { other }: Counterexample, programName: string, colors: Colors) {
  if (other === undefined) return [];
  return [
    ['while', formatOther(verdict, other)],
    ...(other.as === 'sent' ? [['', [replayCommand(other, programName), colors.dim] as const]] : []),
  ];
}

function testCaseOf(verdict: Verdict, options: Request['options']) {
  const failure = failureOf(verdict, options);
  const examples = [
    ...verdict.counterexamples.map((example) => formatCounterexample(verdict, example)),
    ...verdict.policies.map(({ policy }) => policy),
  ];
  const messages = failure === 'broken' ? examples : failure === undefined ? [] : [failureTexts(verdict).join('; ')];
  return {
    suite: 'guarantees',
    name: verdict.guarantee.name,
    failures: messages.map((message) => ({ type: `guarantee-${failure}`, message })),
  };
}

function summaryOf(holding: number, broken: number, undecided: number): string {
  const parts = [
    [holding, holding === 1 ? 'guarantee holds' : 'guarantees hold'],
    [broken, broken === 1 ? 'is broken' : 'are broken'],
    [undecided, undecided === 1 ? 'is undecided' : 'are undecided'],
  ] as const;
  return `${parts
    .filter(([count], index) => count > 0 || index === 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(', ')}.`;
}
