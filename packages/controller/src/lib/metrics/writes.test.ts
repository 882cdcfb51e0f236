import type { WriteResult } from '@policy-machinery/cluster';
import { createFakeClock } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import { countKinds } from './count-kinds.ts';
import { countWrites } from './count-writes.ts';
import { recordedInstruments } from './metrics.fixture.ts';
import { StatusLag } from './status-lag.ts';

const ref = { group: '', kind: 'Service', namespace: 'shop', name: 'cart' };
const locator = 'service:shop/cart';
const write = { ref, locator, subresource: 'status', patch: [], apply: {} } as const;

describe('countWrites', () => {
  it('counts writes by result, and measures the duration of those that arrived', async () => {
    const { instruments, samples } = recordedInstruments();
    const onOutcome = countWrites(instruments);
    onOutcome({ write, result: 'retried', took: 5000 });
    onOutcome({ write, result: 'written', took: 7500 });
    onOutcome({ write, result: 'written', took: 500 });
    expect(await samples('policy_machinery_status_writes_total')).toEqual([
      'policy_machinery_status_writes_total{kind="service",result="retried"} 1',
      'policy_machinery_status_writes_total{kind="service",result="written"} 2',
    ]);
    expect(await samples('policy_machinery_status_write_seconds')).toEqual([
      'policy_machinery_status_write_seconds_sum 8',
      'policy_machinery_status_write_seconds_count 2',
    ]);
  });
});

describe('StatusLag', () => {
  const createLag = () => {
    const clock = createFakeClock();
    const { instruments, samples } = recordedInstruments();
    const lag = new StatusLag(instruments, clock);
    /** Returns the sum and the number of the recorded values. */
    const recorded = async () =>
      (await samples('policy_machinery_status_lag_seconds')).map((line) => Number(line.split(' ')[1]));
    return { clock, lag, recorded };
  };

  it('measures from the change to the answer', async () => {
    const { clock, lag, recorded } = createLag();
    const changedAt = clock.monotonic();
    await clock.advance(1000);
    lag.planned(locator, changedAt);
    await clock.advance(2000);
    lag.settled({ write: write, result: 'written' });
    expect(await recorded()).toEqual([3, 1]);
  });

  it('measures from the first of several changes', async () => {
    const { clock, lag, recorded } = createLag();
    lag.planned(locator, clock.monotonic());
    await clock.advance(1000);
    lag.planned(locator, clock.monotonic());
    lag.settled({ write: write, result: 'written' });
    lag.settled({ write: write, result: 'written' });
    expect(await recorded()).toEqual([1, 1]);
  });

  it.each<WriteResult>(['conflict', 'outdated', 'retried'])('goes on after %s', async (result) => {
    const { clock, lag, recorded } = createLag();
    lag.planned(locator, clock.monotonic());
    await clock.advance(1000);
    lag.settled({ write: write, result });
    expect(await recorded()).toEqual([0, 0]);
    await clock.advance(1000);
    lag.settled({ write: write, result: 'written' });
    expect(await recorded()).toEqual([2, 1]);
  });

  it.each<WriteResult>(['gone', 'refused'])('ends without a value after %s', async (result) => {
    const { clock, lag, recorded } = createLag();
    lag.planned(locator, clock.monotonic());
    lag.settled({ write: write, result });
    lag.settled({ write: write, result: 'written' });
    expect(await recorded()).toEqual([0, 0]);
  });

  it('ends without a value if the write is no longer needed', async () => {
    const { clock, lag, recorded } = createLag();
    lag.planned(locator, clock.monotonic());
    lag.cancelled(locator);
    lag.settled({ write: write, result: 'written' });
    expect(await recorded()).toEqual([0, 0]);
  });
});

describe('countKinds', () => {
  it('counts by kind, for gauges', async () => {
    const { instruments, samples } = recordedInstruments();
    instruments.quarantinedObjects.observe(() =>
      countKinds([ref, { group: 'example.com', kind: 'TimeoutPolicy' }, ref]),
    );
    expect(await samples('policy_machinery_quarantined_objects')).toEqual([
      'policy_machinery_quarantined_objects{kind="service"} 2',
      'policy_machinery_quarantined_objects{kind="timeoutpolicy.example.com"} 1',
    ]);
  });
});
