import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './mutants.ts';
import type { Runner } from './runner.ts';

/** What the other process is asked to run. */
export interface Job {
  readonly root: string;
  readonly paths: readonly string[];
  readonly file: string | undefined;
  readonly mutant: Mutant | undefined;
}

/** What the other process answers. */
export interface Answer {
  readonly failure?: string;
}

/** How much longer tests may take with a mutant than without, before it counts as one that makes them hang. */
const factor = 10;
const leastLimit = 120_000;

/** A runner in a process of its own, which is ended where a mutant makes tests hang. */
export function runnerWithLimit(root: string): Runner {
  let child: ChildProcess | undefined;
  const limits = new Map<string, number>();
  return {
    async run(paths, file, mutant) {
      child ??= fork(fileURLToPath(new URL('run-jobs.ts', import.meta.url)), {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      const key = paths.join(' ');
      const start = performance.now();
      const job: Job = { root, paths, file, mutant };
      child.send(job);
      const limit = AbortSignal.timeout(limits.get(key) ?? 3_600_000);
      try {
        const [answer] = (await once(child, 'message', { signal: limit })) as [Answer];
        if (mutant === undefined) limits.set(key, Math.ceil(leastLimit + factor * (performance.now() - start)));
        return answer.failure;
      } catch (error) {
        if (!limit.aborted) throw error;
        child.kill('SIGKILL');
        child = undefined;
        return 'hangs';
      }
    },
    async close() {
      child?.kill();
    },
  };
}
