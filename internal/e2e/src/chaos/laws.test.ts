import { describe, expect, it } from 'vitest';
import type { AuditedRequest } from '../audit.ts';
import {
  changingWrites,
  mostRefusedInARow,
  statusWritesIn,
  writesAtOnce,
  writesBack,
  writesWithoutLease,
} from './laws.ts';

const request: AuditedRequest = {
  user: 'controller',
  verb: 'patch',
  resource: 'gateways/status.gateway.networking.k8s.io',
  namespace: 'shop',
  name: 'edge',
  code: 200,
  began: 0,
  ended: 0,
  userAgent: 'one',
  query: {},
  sent: undefined,
  answered: undefined,
};
const write = (at: Partial<AuditedRequest>, version = '1', generation = 1): AuditedRequest => ({
  ...request,
  answered: {
    metadata: { uid: 'u', resourceVersion: version, generation },
    status: { conditions: [{ type: 'Affected', observedGeneration: generation }] },
  },
  ...at,
});
const renewal = (holderIdentity: string, ended: number): AuditedRequest => ({
  ...request,
  verb: 'update',
  resource: 'leases.coordination.k8s.io',
  name: 'chaos',
  ended,
  answered: { spec: { holderIdentity } },
});

describe('the laws of writes', () => {
  it('are about the statuses that a user has written', () => {
    const writes = [write({}), write({ user: 'admin' }), write({ verb: 'get' }), renewal('one', 1)];
    expect(statusWritesIn(writes, 'controller')).toEqual([writes[0]]);
  });

  it('find a write while another process holds the lease, or none', () => {
    const requests = [renewal('one', 10), renewal('two', 20), renewal('', 30)];
    const writes = [
      write({ began: 15 }),
      write({ began: 25 }),
      write({ began: 25, userAgent: 'two' }),
      write({ began: 35 }),
    ];
    expect(writesWithoutLease(requests, writes)).toEqual([
      expect.stringContaining('one wrote to gateways/status.gateway.networking.k8s.io edge, but two held the lease'),
      expect.stringContaining('no process held the lease'),
    ]);
  });

  it('find two writes of a process to an object at a time', () => {
    const first = write({ began: 10, ended: 20 });
    expect(writesAtOnce([first, write({ began: 20, ended: 30 })])).toEqual([]);
    expect(writesAtOnce([first, write({ began: 15, ended: 30, name: 'inner' })])).toEqual([]);
    expect(writesAtOnce([first, write({ began: 15, ended: 30 })])).toHaveLength(1);
  });

  it('find a status about an older generation than the last', () => {
    expect(writesBack([write({}, '7', 1), write({}, '10', 2), write({}, '9', 1)])).toEqual([]);
    expect(writesBack([write({}, '7', 2), write({}, '10', 1)])).toEqual([expect.stringContaining('1 after 2')]);
  });

  it('count the writes of a process to an object that are refused in a row', () => {
    const at = (began: number, code: number, more: Partial<AuditedRequest> = {}) => write({ began, code, ...more });
    expect(mostRefusedInARow([at(1, 409), at(3, 409), at(2, 200)])).toBe(1);
    expect(mostRefusedInARow([at(1, 409), at(2, 404), at(3, 200)])).toBe(2);
    expect(mostRefusedInARow([at(1, 409), at(2, 409, { name: 'inner' }), at(3, 409, { userAgent: 'two' })])).toBe(1);
  });

  it('tell writes that change something from those that do not', () => {
    expect(changingWrites([write({}, '7'), write({}, '7'), write({}, '8'), write({ code: 409 }, '9')])).toHaveLength(2);
  });
});
