import { objectIn, objectsIn } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { cluster, gateway, route, timeoutKind, timeouts } from '../cluster.fixture.ts';
import { planStatus } from '../plan/plan-status.ts';
import { reportPolicies } from './policy-report.ts';

const WidePolicy = timeoutKind('TimeoutPolicy', { maxTargets: 100 });
const names = (count: number) => Array.from({ length: count }, (_, index) => `Gateway gone-${index}`);
const onMissing = (count: number) => cluster(WidePolicy, timeouts('p', names(count), { request: 1 })).effective;

describe('a policy with something to report about many targets', () => {
  it.each([
    [16, 16, undefined],
    [17, 16, 'And 1 more.'],
    [40, 16, 'And 24 more.'],
  ])('has a message about 16 of %i targets at most, with the number of the others', (count, named, rest) => {
    const [report] = reportPolicies(onMissing(count));
    expect(report?.message.match(/targets Gateway shop\/gone-/g)).toHaveLength(named);
    expect(/And \d+ more\.$/.exec(report?.message ?? '')?.[0]).toBe(rest);
  });

  it.each([
    [16, 16],
    [17, 16],
  ])('has the statuses of 16 of %i targets at most in an entry', (count, entries) => {
    const targets = ['HTTPRoute cart', ...names(count - 1)];
    const policy = timeouts('p', targets, { request: 1 });
    const { effective } = cluster(WidePolicy, gateway('edge'), route('cart', ['edge']), policy);
    const options = {
      controllerName: 'example.com/timeouts',
      now: new Date(0),
      affected: 'off',
      rendering: 'targets',
    } as const;
    const lists = planStatus(effective, options).writes.flatMap(({ result }) =>
      objectsIn(objectIn(result.status).ancestors).map((entry) => objectsIn(entry.targets)),
    );
    expect(lists.map(({ length }) => length)).toEqual([entries]);
  });
});
