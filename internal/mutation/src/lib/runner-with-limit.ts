import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './mutants.ts';

/** What the other process is asked to run. */
export interface Job {
  readonly root: string;
  readonly paths: readonly string[];
  readonly file?: string | undefined;
  readonly mutant?: Mutant | undefined;
  /** The most CPU time that the job may take, in milliseconds. */
  readonly limit?: number | undefined;
}

/** What the other process answers. */
export interface Answer {
  /** The first test that fails; nothing if all pass. */
  readonly failure?: string;
  /** Why the tests could not run. */
  readonly error?: string;
  /** In milliseconds. */
  readonly cpuTime: number;
}

/** The exit codes of a process whose job takes more CPU time than its limit, or waits without using any. */
export const endedBy = { loop: 3, wait: 4 };

const endings: ReadonlyMap<number, string> = new Map([
  [endedBy.loop, 'a test that hangs'],
  [endedBy.wait, 'a test that waits for what does not happen'],
]);

/** Runs tests in a process of its own. */
export interface RunnerWithLimit {
  /** Runs a job. Where the tests hang or end the process, this is their failure. Rejects where they cannot run. */
  readonly run: (job: Job) => Promise<Answer>;
  readonly close: () => void;
}

/** Returns a runner whose process ends where a mutant makes tests hang. The next job starts another. */
export function runnerWithLimit(): RunnerWithLimit {
  let child: ChildProcess | undefined;
  return {
    async run(job) {
      // The tests of the last job may have ended the process after their answer.
      if (child?.connected !== true) {
        child = fork(fileURLToPath(new URL('run-jobs.ts', import.meta.url)), {
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
          execArgv: [...process.execArgv, '--max-old-space-size=1500'],
        });
      }
      child.send(job);
      const settled = new AbortController();
      const { signal } = settled;
      const ended = once(child, 'exit', { signal }).then(([code]): Answer => {
        child = undefined;
        return { failure: endings.get(code) ?? 'the end of the process', cpuTime: 0 };
      });
      const answered = once(child, 'message', { signal }).then(([answer]): Answer => answer);
      const answer = await Promise.race([ended, answered]);
      settled.abort();
      await Promise.allSettled([ended, answered]);
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer;
    },
    close() {
      child?.kill();
    },
  };
}
