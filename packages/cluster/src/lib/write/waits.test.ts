import { createFakeClock } from '@policy-machinery/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type WaitReason, waitRules } from './wait-rules.ts';
import { type AttemptedWrite, Waits } from './waits.ts';

const kind = 'httproute.gateway.networking.k8s.io';
const writeOf = (part: string, content = 'one', version = '1'): AttemptedWrite => ({ part, kind, content, version });
const create = () => {
  const clock = createFakeClock();
  return { clock, waits: new Waits(clock, () => 0.5) };
};

type Step =
  | { readonly do: 'fail'; readonly write: AttemptedWrite; readonly reason: WaitReason }
  | { readonly do: 'look' | 'succeed'; readonly write: AttemptedWrite }
  | { readonly do: 'pass'; readonly ms: number };

/** The reasons that hold up a part alone, so that its history is enough to tell when it may be sent. */
const ownReasons = ['conflict', 'failed', 'missing', 'refused', 'forbidden'] as const;

const writes = fc
  .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('one', 'two'), fc.constantFrom('1', '2'))
  .map((it) => writeOf(...it));
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('fail' as const), write: writes, reason: fc.constantFrom(...ownReasons) }),
    fc.record({ do: fc.constantFrom('look' as const, 'succeed' as const), write: writes }),
    fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1, 10, 15, 1000, 6000, 60_000) }),
  ),
  { maxLength: 25 },
);

/** Returns until when a write waits, from all that has happened: a second implementation, without timers, for one part. */
function waitsUntil(history: readonly (Step & { readonly at: number })[], { part }: AttemptedWrite): number {
  let last:
    | { reason: WaitReason; write: AttemptedWrite; failures: number; until: number; wasReleased: boolean }
    | undefined;
  for (const step of history) {
    if (step.do === 'pass') continue;
    const { write, at } = step;
    const isSame = last?.write.content === write.content;
    if (step.do === 'succeed') {
      if (write.part === part) last = undefined;
      else if (last !== undefined && waitRules[last.reason].endsWithKind && !last.wasReleased && at < last.until)
        last = { ...last, until: at, wasReleased: true };
    } else if (write.part !== part) continue;
    else if (step.do === 'fail') {
      const { first, cap } = waitRules[step.reason];
      const failures = isSame ? (last?.failures ?? 0) : 0;
      const until = at + Math.min(cap, first * 2 ** failures);
      last = { ...step, failures: failures + 1, until, wasReleased: isSame && last?.wasReleased === true };
    } else if (!isSame || (last?.reason === 'refused' && last.write.version !== write.version)) last = undefined;
  }
  return last?.until ?? 0;
}

describe('a wait', () => {
  it('ends with its time, another content, its part, or its kind: as the history of the part says', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { clock, waits } = create();
        const history: (Step & { readonly at: number })[] = [];
        const over: string[] = [];
        for (const step of all) {
          history.push({ ...step, at: clock.monotonic() });
          if (step.do === 'pass') await clock.advance(step.ms);
          else if (step.do === 'succeed') waits.succeeded(step.write);
          else if (step.do === 'fail') waits.failed(step.write, step.reason, () => over.push(step.write.part));
          else
            expect(waits.waiting(step.write) !== undefined).toBe(waitsUntil(history, step.write) > clock.monotonic());
        }
        over.length = 0;
        const waiting = ['a', 'b'].filter((part) => waitsUntil(history, writeOf(part)) > clock.monotonic());
        await clock.advance(1_000_000);
        expect(over.filter((part) => waiting.includes(part)).sort()).toEqual(waiting);
        expect(waits.leftOf('a') + waits.leftOf('b')).toBe(0);
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 40) },
    );
  });

  it.each(ownReasons)('%s: is twice as long after each failure in a row, up to its cap', (reason) => {
    const { waits } = create();
    const { first, cap } = waitRules[reason];
    const lengths = Array.from({ length: 20 }, () => waits.failed(writeOf('a'), reason, () => {}));
    expect(lengths).toEqual(lengths.map((_, failures) => Math.min(cap, first * 2 ** failures)));
  });

  it('is over when its timer says so, though the clock is a little behind', () => {
    const timers: (() => void)[] = [];
    const setTimeout = (callback: () => void) => {
      timers.push(callback);
      return () => {};
    };
    const clock = { ...createFakeClock(), setTimeout };
    const waits = new Waits(clock, () => 0.5);
    waits.failed(writeOf('a'), 'failed', () => expect(waits.waiting(writeOf('a'))).toBeUndefined());
    expect(waits.waiting(writeOf('a'))).toBe('send');
    for (const timer of timers) timer();
    expect.assertions(2);
  });

  it('is as long as the API server asks, within its cap', () => {
    const { waits } = create();
    expect(waits.failed(writeOf('a'), 'throttled', () => {}, 7000)).toBe(7000);
    expect(waits.failed(writeOf('b'), 'throttled', () => {}, 3_600_000)).toBe(30_000);
    expect(waits.failed(writeOf('c'), 'failed', () => {}, 200_000)).toBe(200_000);
  });

  it('is forgotten in the end, however many objects fail and go', async () => {
    const { clock, waits } = create();
    for (let round = 0; round < 5; round += 1) {
      for (let object = 0; object < 10_000; object += 1)
        waits.failed(writeOf(`${round}/${object}`), 'failed', () => {});
      await clock.advance(1000);
    }
    expect(waits.size).toBeLessThanOrEqual(10_000);
  });
});

describe('the success of a write', () => {
  it('releases a part that failed by itself once: if it fails again, it waits on', () => {
    const { waits } = create();
    const fail = () => waits.failed(writeOf('a'), 'failed', () => {});
    for (let failures = 0; failures < 10; failures += 1) fail();
    waits.succeeded(writeOf('b'));
    expect(waits.leftOf('a')).toBe(0);
    fail();
    waits.succeeded(writeOf('b'));
    expect(waits.leftOf('a')).toBeGreaterThan(0);
  });

  it.each(['refused', 'missing', 'conflict', 'forbidden'] as const)('releases no part that is %s', (reason) => {
    const { waits } = create();
    waits.failed(writeOf('a'), reason, () => {});
    waits.succeeded(writeOf('b'));
    expect(waits.leftOf('a')).toBeGreaterThan(0);
  });
});

describe.each([
  { reason: 'unauthorized', scope: kind },
  { reason: 'throttled', scope: undefined },
] as const)('$reason', ({ reason, scope }) => {
  it('holds up others after three parts in a row, and not after three failures of one', () => {
    const { waits } = create();
    for (let failures = 0; failures < 5; failures += 1) waits.failed(writeOf('a'), reason, () => {});
    waits.failed(writeOf('b'), reason, () => {});
    expect(waits.leftOf(scope)).toBe(0);
    waits.failed(writeOf('c'), reason, () => {});
    expect(waits.leftOf(scope)).toBeGreaterThan(0);
    expect(waits.isTroubled(scope)).toBe(true);
    waits.succeeded(writeOf('d'));
    expect([waits.leftOf(scope), waits.isTroubled(scope)]).toEqual([0, false]);
  });
});

describe('an unreachable server', () => {
  it('holds up everything from the first failure, and failures at the same time count once', async () => {
    const { clock, waits } = create();
    const fail = (part: string) => waits.failed(writeOf(part), 'unreachable', () => {});
    expect(['a', 'b', 'c'].map(fail)).toEqual([1000, 1000, 1000]);
    await clock.advance(1000);
    expect(waits.leftOf()).toBe(0);
    expect(fail('a')).toBe(1500);
    waits.answered(false);
    expect([waits.leftOf(), fail('a')]).toEqual([0, 1000]);
  });
});

describe('a content', () => {
  it('that is written again and again waits from the second restoration on, later and later', async () => {
    const { clock, waits } = create();
    const delays: number[] = [];
    for (let time = 0; time < 12; time += 1) {
      const delay = waits.delayRestoration(writeOf('a'), () => {});
      delays.push(delay);
      await clock.advance(delay);
      waits.succeeded(writeOf('a'));
    }
    expect(delays).toEqual([0, 0, ...[1, 2, 4, 8, 16, 32, 64, 128, 256, 300].map((seconds) => seconds * 1000)]);
  });

  it('is not restored if another one was written meanwhile, or ten minutes have passed', async () => {
    const { clock, waits } = create();
    const contents = ['apply', 'delete', 'apply', 'delete', 'apply', 'delete'];
    expect(contents.map((content) => waits.succeeded(writeOf('a', content)))).toEqual([0, 0, 0, 0, 0, 0]);
    await clock.advance(600_000);
    expect(waits.succeeded(writeOf('a', 'delete'))).toBe(0);
  });
});
