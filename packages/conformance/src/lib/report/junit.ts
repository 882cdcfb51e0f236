import type { CheckResult, ConformanceResults } from '../run-conformance.ts';
import { failureText } from './failure-text.ts';

/**
 * Returns results as JUnit XML, which CI systems read. Each profile is a test suite.
 *
 * @param results The result of `runConformance`.
 * @returns The XML, with a line break at its end.
 */
export function junitReport({ subject, date, results }: ConformanceResults): string {
  const name = `${subject.policy.kind}.${subject.policy.group}`;
  const profiles = [...new Set(results.map(({ profile }) => profile))];
  const suites = profiles.map((profile) => {
    const ofProfile = results.filter((it) => it.profile === profile);
    const counts = countsOf(ofProfile);
    const timestamp = date.toISOString().slice(0, 19);
    return [
      `  <testsuite${attributes({ name: profile, ...counts, timestamp })}>`,
      ...ofProfile.map((it) => testCase(name, it)),
      '  </testsuite>',
    ].join('\n');
  });
  const opening = `<testsuites${attributes({ name, ...countsOf(results) })}>`;
  return `${['<?xml version="1.0" encoding="UTF-8"?>', opening, ...suites, '</testsuites>'].join('\n')}\n`;
}

function testCase(className: string, result: CheckResult): string {
  const opening = `    <testcase${attributes({ classname: className, name: result.id, time: result.seconds.toFixed(3) })}`;
  const { message = '' } = result;
  if (result.result === 'passed') return `${opening}/>`;
  const inner =
    result.result === 'skipped'
      ? `      <skipped${attributes({ message })}/>`
      : `      <failure${attributes({ message })}>${escaped(failureText(result))}</failure>`;
  return [`${opening}>`, inner, '    </testcase>'].join('\n');
}

function countsOf(results: readonly CheckResult[]) {
  const count = (wanted: CheckResult['result']) => results.filter(({ result }) => result === wanted).length;
  const time = results.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3);
  return { tests: results.length, failures: count('failed'), skipped: count('skipped'), time };
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for XML, and leaves out the characters that XML cannot have. */
function escaped(text: string): string {
  const allowed = text.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
  return allowed.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}
