import type { Clock } from '@policy-machinery/cluster';

/** How often to do something. */
export interface Repetition {
  readonly clock: Clock;
  /** Returns numbers from 0 up to 1. */
  readonly random: () => number;
  /** The mean time between two calls, in milliseconds. Each differs by up to a fifth, so that replicas do not act at once. */
  readonly every: number;
}

/** Calls a function again and again, first after one period. Returns a function that ends the calls. */
export function repeat({ clock, random, every }: Repetition, act: () => void): () => void {
  let cancel = () => {};
  const next = () => {
    const period = every * (0.8 + 0.4 * random());
    cancel = clock.setTimeout(() => {
      next();
      act();
    }, period);
  };
  next();
  return () => cancel();
}
