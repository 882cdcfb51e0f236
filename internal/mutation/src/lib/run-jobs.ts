import { type Runner, startRunner } from './runner.ts';
import type { Answer, Job } from './runner-with-limit.ts';

/** Runs what the parent process asks for, one job after the other. */
let runner: Promise<Runner> | undefined;

process.on('message', async ({ root, paths, file, mutant }: Job) => {
  runner ??= startRunner(root);
  const failure = await (await runner).run(paths, file, mutant);
  const answer: Answer = failure === undefined ? {} : { failure };
  process.send?.(answer);
});
