import { type Runner, startRunner } from './runner.ts';
import { type Answer, type Job, tooLong } from './runner-with-limit.ts';

/** Runs what the parent process asks for, one job after the other. Ends the process where a job takes more CPU time than its limit. */
let runner: Promise<Runner> | undefined;

process.on('message', async ({ root, paths, file, mutant, limit }: Job) => {
  runner ??= startRunner(root);
  const { run } = await runner;
  const start = process.cpuUsage();
  const cpuTime = (): number => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  // Tests run in threads, which this one watches: what hangs there does not stop the timer.
  const watch = setInterval(() => {
    if (limit !== undefined && cpuTime() > limit) process.exit(tooLong);
  }, 250);
  const failure = await run(paths, file, mutant);
  clearInterval(watch);
  const answer: Answer = { cpuTime: cpuTime(), ...(failure !== undefined && { failure }) };
  process.send?.(answer);
});
