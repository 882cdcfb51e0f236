import { describe, expect, it } from 'vitest';
import { RetryPolicy } from './retry-policy.ts';

function issuesOf(spec: object): readonly string[] {
  const { issues } = RetryPolicy.read({
    apiVersion: 'retries.example.com/v1',
    kind: 'RetryPolicy',
    metadata: { name: 'some', namespace: 'parcels', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { targetRefs: [{ group: '', kind: 'Namespace', name: 'parcels' }], ...spec },
  });
  return issues.map(({ pointer, message }) => `${pointer}: ${message}`);
}

describe('RetryPolicy', () => {
  it.each([{ attempts: 0 }, { defaults: { codes: [503], perTry: '1m30s' } }, { overrides: { strategy: 'patch' } }])(
    'accepts %j',
    (spec) => expect(issuesOf(spec)).toEqual([]),
  );

  it.each([
    [{ attempts: -1 }, '/spec/attempts: expected a whole number'],
    [{ defaults: { codes: ['5xx'] } }, '/spec/defaults/codes: expected a list of status codes'],
    [{ overrides: { perTry: 2 } }, '/spec/overrides/perTry: expected a duration such as 2s'],
    [{ retires: 3 }, '/spec/retires: is no field of a RetryPolicy'],
  ])('refuses %j', (spec, issue) => expect(issuesOf(spec)).toEqual([issue]));
});
