import { printableLines } from '@policy-machinery/resource/inner';
import type { Finding } from '../model/answer.ts';

export interface TestCase {
  readonly name: string;
  /** The subject of the test, such as a file. */
  readonly suite: string;
  /** The failures; none if the test passed. */
  readonly failures: readonly { readonly type: string; readonly message: string }[];
}

/**
 * Formats tests as JUnit's XML.
 *
 * @param name The name of the test run.
 * @param cases The tests, in order.
 * @returns The XML document.
 */
export function junitOf(name: string, cases: readonly TestCase[]): string {
  const suites = [...new Set(cases.map(({ suite }) => suite))].map((suite) => {
    const its = cases.filter((each) => each.suite === suite);
    return [`  <testsuite name="${xml(suite)}" ${countsOf(its)}>`, ...its.map(caseOf), '  </testsuite>'].join('\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(name)}" ${countsOf(cases)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

/**
 * Formats findings as JUnit's XML: each finding is a test that fails. Without findings, there is one test that passes.
 *
 * @param findings The findings. Notes are left out.
 * @returns The XML document.
 */
export function junit(findings: readonly Finding[]): string {
  const cases = findings
    .filter(({ severity }) => severity !== 'note')
    .map((finding): TestCase => {
      const { position, resource, pointer, code, message } = finding;
      const place = position === undefined ? '' : `${position.source}:${position.line}:${position.column}: `;
      const name = [resource, pointer].filter((part) => part !== undefined && part !== '').join(' ') || code;
      return { name, suite: position?.source ?? 'cluster', failures: [{ type: code, message: `${place}${message}` }] };
    });
  return junitOf(
    'gwpolicy lint',
    cases.length > 0 ? cases : [{ name: 'no findings', suite: 'gwpolicy', failures: [] }],
  );
}

function countsOf(cases: readonly TestCase[]): string {
  return `tests="${cases.length}" failures="${cases.filter(({ failures }) => failures.length > 0).length}"`;
}

function caseOf({ name, suite, failures }: TestCase): string {
  const start = `    <testcase classname="${xml(suite)}" name="${xml(name)}"`;
  if (failures.length === 0) return `${start}/>`;
  const inner = failures.map(({ type, message }) => `      <failure type="${xml(type)}" message="${xml(message)}"/>`);
  return [`${start}>`, ...inner, '    </testcase>'].join('\n');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML cannot contain, not even escaped. */
const notInXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Escapes text for an attribute. */
function xml(text: string): string {
  return printableLines(text)
    .replaceAll(notInXml, '\ufffd')
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? '')
    .replaceAll('\n', '&#10;');
}
