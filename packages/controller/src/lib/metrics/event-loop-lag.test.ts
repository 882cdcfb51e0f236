import { setImmediate } from 'node:timers/promises';
import { createFakeClock } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import { type LagMonitor, observeEventLoopLag } from './event-loop-lag.ts';
import { recordedInstruments } from './metrics.fixture.ts';

function createLag(start?: () => LagMonitor) {
  const clock = createFakeClock();
  const { instruments, samples } = recordedInstruments();
  const stop = observeEventLoopLag(instruments, clock, start);
  const seconds = async () => Number((await samples('policy_machinery_event_loop_lag_seconds'))[0]?.split(' ')[1]);
  return { clock, seconds, stop };
}

/** Monitors whose readings a test sets. */
function createFakeMonitors() {
  const monitors: { longest: number; isRunning: boolean }[] = [];
  return {
    monitors,
    start(): LagMonitor {
      const monitor = { longest: 0, isRunning: true };
      monitors.push(monitor);
      return {
        longest: () => monitor.longest,
        reset: () => {
          monitor.longest = 0;
        },
        stop: () => {
          monitor.isRunning = false;
        },
      };
    },
    /** Lets all monitors see a lag. */
    see(ms: number) {
      for (const monitor of monitors) monitor.longest = Math.max(monitor.longest, ms);
    },
  };
}

describe('observeEventLoopLag', () => {
  it('shows for how long this process was busy without a break', async () => {
    const { seconds, stop } = createLag();
    expect(await seconds()).toBe(0);
    // The monitors measure from their first look on.
    while ((await seconds()) === 0) await setImmediate();
    const began = performance.now();
    while (performance.now() - began < 400);
    while ((await seconds()) < 0.29) await setImmediate();
    stop();
  });

  it('remembers the longest lag for a minute at least, and forgets it after two', async () => {
    const { start, see } = createFakeMonitors();
    const { clock, seconds } = createLag(start);
    await clock.advance(50_000);
    see(3000);
    see(1000);
    for (let second = 0; second < 60; second += 15) {
      expect(await seconds()).toBe(3);
      await clock.advance(15_000);
    }
    await clock.advance(60_000);
    await seconds();
    await clock.advance(60_000);
    await seconds();
    expect(await seconds()).toBe(0);
  });

  it('loses no lag if metrics are collected seldom', async () => {
    const { start, see } = createFakeMonitors();
    const { clock, seconds } = createLag(start);
    for (const lag of [2000, 1000, 500]) {
      see(lag);
      await clock.advance(3_600_000);
      expect(await seconds()).toBe(lag / 1000);
      await seconds();
      await clock.advance(60_000);
      await seconds();
    }
  });

  it('ends when it is stopped', async () => {
    const { start, monitors } = createFakeMonitors();
    const { seconds, stop } = createLag(start);
    stop();
    expect(await seconds()).toBe(0);
    expect(monitors.map(({ isRunning }) => isRunning)).toEqual([false, false]);
  });
});
