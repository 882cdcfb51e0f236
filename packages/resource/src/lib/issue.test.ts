import { describe, expect, it } from 'vitest';
import { formatIssue, type Issue, PolicyMachineryError } from '../index.ts';

const bare: Issue = { code: 'missing-target', message: 'There is no such route; create it.', severity: 'error' };
const position = { source: 'routes.yaml', line: 3, column: 5 };

describe('formatIssue', () => {
  it.each<[string, Issue]>([
    ['error: There is no such route; create it. [missing-target]', bare],
    ['warning: There is no such route; create it. [missing-target]', { ...bare, severity: 'warning' }],
    ['routes.yaml:3:5: error: There is no such route; create it. [missing-target]', { ...bare, position }],
    [
      'error: There is no such route; create it. (policy.example.com:a/b) [missing-target]',
      { ...bare, resource: 'policy.example.com:a/b' },
    ],
    [
      'error: There is no such route; create it. (/spec/targetRef) [missing-target]',
      { ...bare, pointer: '/spec/targetRef' },
    ],
    [
      'routes.yaml:3:5: error: There is no such route; create it. (policy.example.com:a/b /spec/targetRef) [missing-target]',
      { ...bare, position, resource: 'policy.example.com:a/b', pointer: '/spec/targetRef' },
    ],
    [
      'error: There is no such route; create it. (policy.example.com:a/b) [missing-target]',
      { ...bare, resource: 'policy.example.com:a/b', pointer: '' },
    ],
  ])('writes %s', (line, issue) => {
    expect(formatIssue(issue)).toBe(line);
  });
});

describe('PolicyMachineryError', () => {
  it('has a code, a name, and all issues in its message', () => {
    const error = new PolicyMachineryError('invalid-manifests', 'They cannot be used', [bare, { ...bare, position }]);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'PolicyMachineryError', code: 'invalid-manifests' });
    expect(error.issues).toHaveLength(2);
    expect(error.message).toBe(
      [
        'They cannot be used',
        '  error: There is no such route; create it. [missing-target]',
        '  routes.yaml:3:5: error: There is no such route; create it. [missing-target]',
      ].join('\n'),
    );
  });

  it('may be without issues, and may have a cause', () => {
    const cause = new Error('behind it');
    const error = new PolicyMachineryError('cycle', 'There is a cycle', [], { cause });
    expect(error).toMatchObject({ message: 'There is a cycle', issues: [], cause });
  });
});
