import { type Runner, startRunner } from './runner.ts';
import { type Answer, endedBy, type Job } from './runner-with-limit.ts';

/** A job that uses less CPU time than this in such a long time waits for what does not happen. In milliseconds; of busy machines, too. */
const quiet = { cpuTime: 500, for: 120_000 };

/** Runs what the parent process asks for, one job after the other. Ends the process where a job takes more CPU time than its limit, or hardly any. */
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
  let busy = { cpuTime: 0, at: performance.now() };
  const watch = setInterval(() => {
    const now = { cpuTime: cpuTime(), at: performance.now() };
    if (now.cpuTime - busy.cpuTime > quiet.cpuTime) busy = now;
    if (limit === undefined) return;
    if (now.cpuTime > limit) process.exit(endedBy.loop);
    if (now.at - busy.at > quiet.for) process.exit(endedBy.wait);
  }, 1000);
  const answer = await run(paths, file, mutant).then(
    (failure): Answer => ({ cpuTime: cpuTime(), ...(failure !== undefined && { failure }) }),
    (error: unknown): Answer => ({ cpuTime: cpuTime(), error: String(error) }),
  );
  clearInterval(watch);
  process.send?.(answer);
});
