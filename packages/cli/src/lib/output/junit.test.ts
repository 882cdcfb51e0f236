import { describe, expect, it } from 'vitest';
import type { Finding } from '../model/answer.ts';
import { junit } from './junit.ts';

const finding = (severity: Finding['severity']): Finding => ({
  code: `a-${severity}`,
  severity,
  message: `this is a ${severity}`,
  position: { source: 'shop.yaml', line: 3, column: 5 },
});

describe('findings as JUnit tests', () => {
  it('fail for errors and warnings', () => {
    const xml = junit([finding('error'), finding('warning')]);
    expect(xml).toContain('<testsuites name="gwpolicy lint" tests="2" failures="2">');
    expect(xml).toContain('<failure type="a-error" message="shop.yaml:3:5: this is a error"/>');
    expect(xml).toContain('<failure type="a-warning" message="shop.yaml:3:5: this is a warning"/>');
  });

  it('leave notes out, which break no build', () => {
    const xml = junit([finding('note'), finding('error')]);
    expect(xml).toContain('tests="1" failures="1"');
    expect(xml).not.toContain('a-note');
  });

  it('are one test that passes if there are only notes', () => {
    expect(junit([finding('note')])).toContain('<testsuites name="gwpolicy lint" tests="1" failures="0">');
  });
});
