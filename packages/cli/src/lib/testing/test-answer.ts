import { secretMask } from '@policy-machinery/policy-kind';
import type { Colors } from '@policy-machinery/text';
import type { Answer, Finding, Section } from '../model/answer.ts';
import { github } from '../output/github.ts';
import { junitOf } from '../output/junit.ts';
import type { CaseResult, Check } from './case.ts';
import type { TestFile } from './test-file.ts';

/** A test file with the results of its cases. */
export interface FileResult {
  readonly file: TestFile;
  readonly results: readonly CaseResult[];
}

/**
 * Answers which cases pass, and which fail: the expected value, the computed value, and the reasons.
 *
 * @param files The files with their results.
 * @param colors Colours.
 * @param isStrict Whether no cases have their own exit code. Default: no.
 * @returns The answer.
 */
export function testAnswer(files: readonly FileResult[], colors: Colors, isStrict = false): Answer {
  const all = files.flatMap(({ file, results }) => results.map((result) => ({ file, result })));
  const failed = all.filter(({ result }) => failuresOf(result).length > 0);
  const passed = all.length - failed.length;
  return {
    document: {
      kind: 'PolicyTestResult',
      passed,
      failed: failed.length,
      items: all.map(({ file, result }) => ({
        file: file.source,
        line: file.positionOf(result.path).line,
        name: result.name,
        passed: failuresOf(result).length === 0,
        failures: failuresOf(result).map(({ what, want, got, why }) => ({
          what,
          want: want ?? null,
          got: got ?? null,
          why,
        })),
      })),
    },
    sections: [
      ...files.map((file) => sectionOf(file, colors)),
      { blocks: [{ lines: [summaryOf(passed, failed.length)] }] },
    ],
    texts: {
      github: () =>
        github(failed.flatMap(({ file, result }) => failuresOf(result).map((check) => findingOf(file, result, check)))),
      junit: () =>
        junitOf(
          'gwpolicy test',
          all.map(({ file, result }) => ({
            suite: file.source,
            name: result.name,
            failures: failuresOf(result).map((check) => ({ type: check.what, message: messageOf(check) })),
          })),
        ),
    },
    exitCode: failed.length > 0 ? 1 : isStrict && all.length === 0 ? 3 : 0,
  };
}

/** Returns the checks that fail, with secret values masked. */
function failuresOf({ checks }: CaseResult): readonly Check[] {
  return checks
    .filter(({ isAsExpected }) => !isAsExpected)
    .map((check) => (check.hasSecrets === true ? { ...check, want: secretMask, got: secretMask } : check));
}

function sectionOf({ file, results }: FileResult, colors: Colors): Section {
  return {
    heading: file.source,
    blocks: results.flatMap((result) => {
      const failures = failuresOf(result);
      const mark = failures.length === 0 ? colors.green('pass') : colors.red('FAIL');
      const { line } = file.positionOf(result.path);
      const place = failures.length === 0 ? '' : `  ${file.source}:${line}`;
      return [
        {
          table: {
            layout: 'detail',
            columns: [],
            rows: [[[failures.length === 0 ? 'pass' : 'FAIL', () => mark] as const, `${result.name}${place}`]],
          },
          indent: 2,
        } as const,
        ...failures.flatMap(({ what, want, got, why }) => [
          {
            table: {
              layout: 'detail',
              columns: [],
              rows: [
                [what, 'want', [textOf(want), colors.green]],
                ['', 'got', [textOf(got), colors.red]],
              ],
            },
            indent: 8,
          } as const,
          { lines: why.map((text) => [text, colors.dim] as const), indent: 10 },
        ]),
      ];
    }),
  };
}

function summaryOf(passed: number, failed: number): string {
  const all = passed + failed;
  if (all === 0) return 'No cases found.';
  if (failed === 0) return all === 1 ? 'The only case passes.' : `All ${all} cases pass.`;
  return `${failed} of ${all} cases ${failed === 1 ? 'fails' : 'fail'}.`;
}

function findingOf(file: TestFile, { name }: CaseResult, check: Check): Finding {
  return {
    code: 'test-failed',
    severity: 'error',
    message: `${name}: ${messageOf(check)}`,
    position: file.positionOf(check.path),
  };
}

function messageOf({ what, want, got, why }: Check): string {
  return [`${what}: want ${textOf(want)}, got ${textOf(got)}`, ...why].join('\n');
}

function textOf(value: Check['want']): string {
  if (value === undefined) return 'nothing';
  return value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
}
