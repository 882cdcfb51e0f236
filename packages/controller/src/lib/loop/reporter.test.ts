import { StatusError, type WriteOutcome } from '@policy-machinery/cluster';
import type { Logger } from '@policy-machinery/observability';
import type { StatusWrite } from '@policy-machinery/policy-status';
import { createFakeClock } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import type { MemoryUse } from '../memory/memory-use.ts';
import type { OwnedWrite } from '../owned/owned-write.ts';
import { createWorld, timeouts } from '../world.fixture.ts';
import { Reporter } from './reporter.ts';

const littleUse: MemoryUse = { limit: undefined, heapLimit: 2096, peak: 60 };

function reporting(memory: () => MemoryUse = () => littleUse) {
  const warnings: unknown[] = [];
  const messages: Parameters<Logger['info']>[] = [];
  const take: Logger['info'] = (...all) => void messages.push(all);
  const log: Logger = {
    debug: take,
    info: take,
    error: take,
    warn(...all) {
      warnings.push(all);
      messages.push(all);
    },
  };
  const clock = createFakeClock();
  return {
    clock,
    warnings,
    messages,
    reporter: new Reporter({
      log,
      clock,
      memory,
      events: undefined,
      lease: undefined,
      policyKinds: new Set(),
      staleAfter: 1,
    }),
  };
}

describe('conditions that another controller changes', () => {
  it('lead to one warning, at the third restoration in a row', () => {
    const { reporter, warnings } = reporting();
    const ref = { group: 'timeouts.example.com', kind: 'TimeoutPolicy', namespace: 'shop', name: 'slow' };
    const write = { locator: 'timeoutpolicy.timeouts.example.com:shop/slow', ref } as StatusWrite;
    const warned = [0, 1, 2, 3, 4, 5].map((restorations) => {
      reporter.wrote({ write, result: 'written', took: 1, restorations, rival: 'another-one' });
      return warnings.length;
    });
    expect(warned).toEqual([0, 0, 0, 1, 1, 1]);
    expect(warnings).toEqual([[expect.any(String), { object: write.locator, rival: 'another-one' }]]);
  });
});

describe('a kind that cannot be read', () => {
  it('is logged again at once when the reason is another one, and each reason once a minute', () => {
    const { reporter, warnings } = reporting();
    const passing = new StatusError(404, 'NotFound', '404 page not found');
    const lasting = new Error('TimeoutPolicy is served as v2, and can be read as v1');
    for (const error of [passing, passing, lasting, passing, lasting]) {
      reporter.observer.onFailure?.({ group: 'timeouts.example.com', kind: 'TimeoutPolicy' }, error, 1000);
    }
    const logged = ['404 page not found', lasting.message].map((error) => expect.objectContaining({ error }));
    expect(warnings).toEqual(logged.map((it) => ['a kind cannot be read', it]));
  });
});

describe('a status that the API server refuses', () => {
  const errors = (world: ReturnType<typeof createWorld>) => world.logged.filter((it) => it.startsWith('error'));

  it('is logged as an error once for the same reason, however often it is tried again', async () => {
    const world = createWorld();
    const at = 'patch timeoutpolicies/status';
    world.server.addFaults({ at, times: 4, do: { status: 422, reason: 'Invalid' } });
    const { stop } = world.start();
    await world.settle(3_600_000);
    expect(errors(world)).toEqual([expect.stringContaining('the API server refuses a status')]);
    expect(world.logged).toContainEqual(expect.stringMatching(/^debug: status written.*slow/));
    world.server.addFaults({ at, times: 1, do: { status: 413 } });
    world.server.create(timeouts('late', 'HTTPRoute cart', { request: '1s' }));
    await world.settle();
    expect(errors(world)).toHaveLength(2);
    await stop();
  });

  it('because it does not find the object is logged above debug as long as the controller knows the object', async () => {
    const world = createWorld();
    world.server.addFaults({ at: 'patch timeoutpolicies/status', times: 3, do: { status: 404 } });
    world.server.addFaults({ at: 'get timeoutpolicies', times: 3, do: { status: 404 } });
    const { stop } = world.start();
    await world.settle(60_000);
    expect(world.logged.filter((it) => it.startsWith('warn: statuses of a kind cannot be written'))).toEqual([
      expect.stringContaining('"code":404'),
    ]);
    expect(world.saidOn('timeoutpolicy.timeouts.example.com:shop/slow')).toContain('Accepted=True/Accepted');
    await stop();
  });
});

describe('a write that the API server refuses, accepts and refuses again for the same reason', () => {
  const ref = { group: '', kind: 'ConfigMap', namespace: 'shop', name: 'cart' };
  const write = { locator: 'configmap:shop/cart', ref, target: 'a target' } as unknown as StatusWrite & OwnedWrite;

  it.each<readonly [string, (reporter: Reporter, outcome: WriteOutcome<typeof write>) => void]>([
    ['a status', (it, outcome) => it.wrote(outcome)],
    ['an owned object', (it, outcome) => it.wroteOwned(outcome)],
    ['a finalizer', (it, outcome) => it.wroteFinalizer('a finalizer', outcome)],
    ['the condition of a guarantee', (it, outcome) => it.wroteGuarantee(outcome)],
  ])('is logged as an error twice: %s', (name, report) => {
    const { reporter, messages } = reporting();
    for (const result of ['refused', 'refused', 'written', 'refused'] as const)
      report(reporter, { write, result, took: 1, ...(result === 'refused' && { code: 422, message: 'the reason' }) });
    const refusals = messages.filter(([message]) => message === `the API server refuses ${name}`);
    expect(refusals).toHaveLength(2);
  });
});

describe('the reason of a failure', () => {
  const kind = { group: 'timeouts.example.com', kind: 'TimeoutPolicy' };
  const reason = 'the reason';
  const key = 'timeoutpolicy.timeouts.example.com';
  const ref = { ...kind, namespace: 'shop', name: 'slow' };
  const write = { locator: `${key}:shop/slow`, ref, target: 'a target' } as unknown as StatusWrite & OwnedWrite;
  const results = ['retried', 'refused', 'gone', 'conflict'] as const;
  const failed = (result: (typeof results)[number]): WriteOutcome<typeof write> => ({
    ...{ write, result, took: 1, message: reason, code: 500, retryIn: 20_000 },
  });

  it.each<readonly [string, (reporter: Reporter) => void]>([
    ['a kind that cannot be read', ({ observer }) => observer.onFailure?.(kind, new Error(reason), 1000)],
    [
      'a kind that is stale for long',
      (it) => it.states(new Map([[key, { phase: 'stale', since: 0, failures: 1, message: reason }]])),
    ],
    ['the lease', (it) => it.leaseFailed(new Error(reason))],
    ['a round', (it) => it.failed(new Error(reason), 1000)],
    ['a function of the user', (it) => it.callFailed('onLeading', new Error(reason))],
    ['a function of the user for an object', (it) => it.failedFor('an object', 'a task', new Error(reason))],
    ['a status that is full', (it) => it.refused({ resource: 'an object', message: reason })],
    [
      'a quarantined object',
      (it) => it.quarantined({ locator: 'an object', object: undefined as never, message: reason }),
    ],
    ...results.flatMap((result): readonly (readonly [string, (reporter: Reporter) => void])[] => [
      [`a status: ${result}`, (it) => it.wrote(failed(result))],
      [`an owned object: ${result}`, (it) => it.wroteOwned(failed(result))],
      [`a finalizer: ${result}`, (it) => it.wroteFinalizer('a finalizer', failed(result))],
      [`a guarantee: ${result}`, (it) => it.wroteGuarantee(failed(result))],
    ]),
  ])('is in the field error, and no field has the name of one that each line has: %s', async (_, report) => {
    const { reporter, messages, clock } = reporting();
    report(reporter);
    await clock.advance(1000);
    expect(messages.length).toBeGreaterThan(0);
    for (const [, fields = {}] of messages) {
      expect(fields).toMatchObject({ error: reason });
      expect(Object.keys(fields).filter((name) => ['level', 'time', 'message'].includes(name))).toEqual([]);
    }
    await reporter.stopped(0);
  });
});

describe('advice on memory', () => {
  it('is logged as a warning at the start and after the first round, each sentence once', () => {
    let use: MemoryUse = { limit: 256, heapLimit: 2096, peak: 60 };
    const { reporter, warnings } = reporting(() => use);
    reporter.started();
    reporter.loaded();
    expect(warnings).toEqual([['memory', { advice: expect.stringContaining('--max-old-space-size=200') }]]);
    use = { ...use, peak: 240 };
    reporter.loaded();
    expect(warnings.slice(1)).toEqual([
      ['memory', { advice: expect.stringContaining('has needed 240 MiB of the 256 MiB') }],
    ]);
  });

  it('follows the peak of memory, which is logged once, when everything is computed', async () => {
    const world = createWorld();
    const { stop } = world.start();
    await world.settle();
    for (const route of ['HTTPRoute cart', 'HTTPRoute menu']) {
      world.server.create(timeouts(route.slice(10), route, { idle: '1s' }));
      await world.settle();
    }
    await stop();
    expect(world.logged.filter((it) => it.includes('everything is computed'))).toEqual([
      expect.stringMatching(/^info: everything is computed {"peakMiB":[1-9]\d+}$/),
    ]);
  });
});
