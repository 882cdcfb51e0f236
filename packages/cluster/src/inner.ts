export { sleep, systemClock } from './lib/time/clock.ts';
export { readStatusError } from './lib/transport/status-error.ts';
