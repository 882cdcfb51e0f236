import { describe, expect, it } from 'vitest';
import type { AuditedRequest } from '../audit.ts';
import { entryWritesIn, longestGap, unfoundedChanges } from './entries.ts';

const blank = { user: 'any', namespace: 'shop', name: '', code: 200, query: {}, sent: undefined };
let version = 0;

/** Returns a write that sets the entries of a policy, by Gateway. */
function write(by: string, at: number, entries: Readonly<Record<string, string>>): AuditedRequest {
  version += 1;
  const ancestors = Object.entries(entries).map(([name, says]) => ({ ancestorRef: { name }, says }));
  const answered = { metadata: { resourceVersion: `${version}` }, status: { ancestors } };
  const resource = 'timeoutpolicies/status.timeouts.example.com';
  return { ...blank, verb: 'patch', resource, name: 'p', userAgent: by, began: at, ended: at + 10, answered };
}

/** Returns a renewal of a Lease. */
function renewal(by: string, at: number, members: string, holder = by): AuditedRequest {
  const metadata = { annotations: { 'policy-machinery/members': members } };
  const answered = { metadata, spec: { holderIdentity: holder } };
  const resource = 'leases.coordination.k8s.io';
  return { ...blank, verb: 'update', resource, userAgent: by, began: at, ended: at + 10, answered };
}

describe('the writers of entries', () => {
  it('are those of writes that change them', () => {
    const requests = [write('one', 0, { a: '1', b: '1' }), write('two', 100, { a: '1', b: '2' })];
    expect(entryWritesIn(requests).map(({ entry, by }) => `${by} ${entry}`)).toEqual([
      'one p at a',
      'one p at b',
      'two p at b',
    ]);
    expect(longestGap(entryWritesIn(requests))).toBe(100);
  });

  it('may change after a request of the former one that it had given up', () => {
    const published = [renewal('one', -40_000, 'one'), renewal('one', -100, 'one,two')];
    const requests = [...published, write('one', 0, { a: '1' }), write('two', 1000, { a: '2' })];
    expect(unfoundedChanges(requests, 12_000)).toEqual([]);
  });

  it.each<[what: string, between: readonly AuditedRequest[], at: number, isUnfounded: boolean]>([
    ['at once', [], 1000, true],
    ['after the former one has renewed its Lease', [renewal('one', 500, 'one,two')], 12_100, true],
    ['after the former one has published other members', [renewal('one', 500, 'one,three,two')], 1000, false],
    ['after the former one has let go of its Lease', [renewal('one', 500, 'one,two', '')], 1000, false],
    [
      'after the former one has renewed it for long',
      [renewal('one', 500, 'one,two'), renewal('one', 9000, 'one,two')],
      20_000,
      true,
    ],
    ['after the Lease of the former one has run out', [], 13_000, false],
  ])('change %s: %#', (_, between, at, isUnfounded) => {
    const requests = [
      renewal('one', -40_000, 'one,two'),
      renewal('one', -100, 'one,two'),
      write('one', 0, { a: '1' }),
      ...between,
      write('two', at, { a: '2' }),
    ];
    expect(unfoundedChanges(requests, 12_000)).toEqual(isUnfounded ? ['two wrote p at a after one'] : []);
  });
});
