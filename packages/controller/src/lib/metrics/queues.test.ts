import { createFakeClock } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import { measureQueue } from './measure-queue.ts';
import { measureReconciles } from './measure-reconciles.ts';
import { recordedInstruments } from './metrics.fixture.ts';
import { observeLease } from './observe-lease.ts';

describe('measureQueue', () => {
  const labels = '{name="changes",controller="timeouts"}';
  const createQueue = () => {
    const clock = createFakeClock();
    const { instruments, samples } = recordedInstruments();
    const waiting: string[] = [];
    const options = { name: 'changes', controller: 'timeouts', depths: () => [0, waiting.length], clock };
    return { clock, waiting, queue: measureQueue(instruments, options), samples };
  };

  it('shows how many items of each priority wait', async () => {
    const { waiting, samples } = createQueue();
    waiting.push('a', 'b');
    expect(await samples('workqueue_depth')).toEqual([
      'workqueue_depth{name="changes",controller="timeouts",priority="0"} 0',
      'workqueue_depth{name="changes",controller="timeouts",priority="1"} 2',
    ]);
  });

  it('counts items and retries, from 0', async () => {
    const { queue, samples } = createQueue();
    expect(await samples('workqueue_adds_total')).toEqual([`workqueue_adds_total${labels} 0`]);
    expect(await samples('workqueue_retries_total')).toEqual([`workqueue_retries_total${labels} 0`]);
    queue.added();
    queue.added(3);
    queue.retried();
    expect(await samples('workqueue_adds_total')).toEqual([`workqueue_adds_total${labels} 4`]);
    expect(await samples('workqueue_retries_total')).toEqual([`workqueue_retries_total${labels} 1`]);
  });

  it('measures how long items wait, and how long they take', async () => {
    const { clock, queue, samples } = createQueue();
    const finish = queue.started(1500);
    await clock.advance(2500);
    finish();
    finish();
    expect(await samples('workqueue_queue_duration_seconds')).toEqual([
      `workqueue_queue_duration_seconds_sum${labels} 1.5`,
      `workqueue_queue_duration_seconds_count${labels} 1`,
    ]);
    expect(await samples('workqueue_work_duration_seconds')).toEqual([
      `workqueue_work_duration_seconds_sum${labels} 2.5`,
      `workqueue_work_duration_seconds_count${labels} 1`,
    ]);
  });

  it('shows items that are stuck', async () => {
    const { clock, queue, samples } = createQueue();
    const shown = async () => [
      ...(await samples('workqueue_unfinished_work_seconds')),
      ...(await samples('workqueue_longest_running_processor_seconds')),
    ];
    const finish = queue.started(0);
    await clock.advance(4000);
    queue.started(0);
    await clock.advance(1000);
    expect(await shown()).toEqual([
      `workqueue_unfinished_work_seconds${labels} 6`,
      `workqueue_longest_running_processor_seconds${labels} 5`,
    ]);
    finish();
    expect(await shown()).toEqual([
      `workqueue_unfinished_work_seconds${labels} 1`,
      `workqueue_longest_running_processor_seconds${labels} 1`,
    ]);
    queue.stop();
    expect(await shown()).toEqual([]);
    expect(await samples('workqueue_depth')).toEqual([]);
  });
});

describe('measureReconciles', () => {
  const createMeter = () => {
    const clock = createFakeClock();
    const { instruments, samples } = recordedInstruments();
    return { clock, meter: measureReconciles(instruments, 'timeouts', clock), samples };
  };
  const results = (success: number, error: number) => [
    `controller_runtime_reconcile_total{controller="timeouts",result="success"} ${success}`,
    `controller_runtime_reconcile_total{controller="timeouts",result="error"} ${error}`,
  ];

  it('counts how tasks end, from 0, and ends as they do', async () => {
    const { meter, samples } = createMeter();
    expect(await samples('controller_runtime_reconcile_total')).toEqual(results(0, 0));
    expect(await meter.run(async () => 'done')).toBe('done');
    await expect(meter.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await samples('controller_runtime_reconcile_total')).toEqual(results(1, 1));
    expect(await samples('controller_runtime_reconcile_errors_total')).toEqual([
      'controller_runtime_reconcile_errors_total{controller="timeouts"} 1',
    ]);
  });

  it('shows tasks in progress, and measures those that have ended', async () => {
    const { clock, meter, samples } = createMeter();
    const active = () => samples('controller_runtime_active_workers');
    const running = meter.run(() => new Promise<void>((resolve) => void clock.setTimeout(resolve, 250)));
    expect(await active()).toEqual(['controller_runtime_active_workers{controller="timeouts"} 1']);
    await clock.advance(250);
    await running;
    expect(await active()).toEqual(['controller_runtime_active_workers{controller="timeouts"} 0']);
    expect(await samples('controller_runtime_reconcile_time_seconds')).toEqual([
      'controller_runtime_reconcile_time_seconds_sum{controller="timeouts"} 0.25',
      'controller_runtime_reconcile_time_seconds_count{controller="timeouts"} 1',
    ]);
    meter.stop();
    expect(await active()).toEqual([]);
  });
});

describe('observeLease', () => {
  it('shows whether this process is the leader', async () => {
    const { instruments, samples } = recordedInstruments();
    let isHeld = false;
    const stop = observeLease(instruments, 'timeouts', { isHeld: () => isHeld });
    expect(await samples('leader_election_master_status')).toEqual([
      'leader_election_master_status{name="timeouts"} 0',
    ]);
    isHeld = true;
    expect(await samples('leader_election_master_status')).toEqual([
      'leader_election_master_status{name="timeouts"} 1',
    ]);
    stop();
    expect(await samples('leader_election_master_status')).toEqual([]);
  });
});
