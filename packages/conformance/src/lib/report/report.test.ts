import { describe, expect, it } from 'vitest';
import { type CheckResult, conformanceReport, failureText, junitReport, readPolicyUnderTest } from '../../index.ts';
import { merged } from '../conformance.fixture.ts';

const check = (id: string, more: Partial<CheckResult> = {}): CheckResult => ({
  id,
  profile: 'POLICY-CORE',
  level: 'MUST',
  sentence: 'a policy MUST be <so>',
  line: 7,
  result: 'passed',
  seconds: 1,
  ...more,
});
const object = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'cart' } };
const subject = readPolicyUnderTest(merged.file);
const date = new Date('2026-03-01T00:00:00Z');
const results = [
  check('one'),
  check('two', { result: 'failed', message: 'it is "not" \u0007so', objects: [object] }),
  check('three', { level: 'SHOULD', result: 'skipped', message: 'no targets' }),
  check('four', { profile: 'POLICY-NONE', result: 'skipped', message: 'no strategy' }),
  check('five', { profile: 'POLICY-STATUS', level: 'CONVENTION' }),
];
const all = { subject, date, results };

describe('conformanceReport', () => {
  it('has the profiles that apply, with required and recommended checks', () => {
    const details = { organization: 'example', project: 'colors', version: 'v1.0.0' };
    expect(conformanceReport(all, details)).toEqual({
      apiVersion: 'policy-machinery/v1alpha1',
      kind: 'PolicyConformanceReport',
      date: '2026-03-01T00:00:00.000Z',
      gep: 'GEP-713',
      implementation: { ...details, contact: [] },
      policy: 'ColorPolicy.colors.example.com/v1',
      profiles: [
        {
          name: 'POLICY-CORE',
          core: { result: 'failure', statistics: { Passed: 1, Failed: 1, Skipped: 0 }, failedTests: ['two'] },
          extended: { result: 'partial', statistics: { Passed: 0, Failed: 0, Skipped: 1 }, skippedTests: ['three'] },
          summary: '1 of 3 checks fail.',
        },
        {
          name: 'POLICY-STATUS',
          core: { result: 'success', statistics: { Passed: 0, Failed: 0, Skipped: 0 } },
          extended: { result: 'success', statistics: { Passed: 1, Failed: 0, Skipped: 0 } },
          summary: 'All checks that apply succeed.',
        },
      ],
    });
  });
});

describe('junitReport', () => {
  it('has a suite for each profile, and escapes invalid characters of XML', () => {
    const xml = junitReport(all);
    expect(xml).toContain('<testsuite name="POLICY-CORE" tests="3" failures="1" skipped="1" time="3.000"');
    expect(xml).toContain('<testcase classname="ColorPolicy.colors.example.com" name="one" time="1.000"/>');
    expect(xml).toContain('<skipped message="no targets"/>');
    expect(xml).toContain('<failure message="it is &quot;not&quot; \uFFFDso">');
    expect(xml).toContain('a policy MUST be &lt;so&gt;');
  });
});

describe('failureText', () => {
  it('has the sentence, the actual state, and the objects', () => {
    const [, failed] = results;
    expect(failed && failureText(failed).split('\n')).toEqual([
      'two: MUST (GEP-713, line 7)',
      '  "a policy MUST be <so>"',
      expect.stringContaining('it is "not" '),
      '',
      'apiVersion: v1',
      'kind: Service',
      'metadata:',
      '  name: cart',
    ]);
  });
});
