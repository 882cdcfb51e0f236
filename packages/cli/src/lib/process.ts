import type { Environment } from './frame/environment.ts';
import { run } from './run.ts';

/**
 * Runs the program in this process, and sets its exit code.
 *
 * @param programName How the program was called.
 * @param args The arguments. Default: those of the process.
 */
export async function runProcess(programName: string, args = process.argv.slice(2)): Promise<void> {
  // The reader, such as `head`, may close the pipe early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  const end = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      end.abort();
      process.exitCode = 128 + (signal === 'SIGINT' ? 2 : 15);
    });
  }
  const environment: Environment = {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    now: () => new Date(),
    programName,
    signal: end.signal,
    async connect(kubectlArgs) {
      const { kubectlTransport } = await import('@policy-machinery/cluster');
      return kubectlTransport({ args: kubectlArgs });
    },
    async kubectl(kubectlArgs, signal = end.signal) {
      const { runKubectl } = await import('./input/run-kubectl.ts');
      return runKubectl(kubectlArgs, AbortSignal.any([signal, end.signal]));
    },
  };
  const exitCode = await run(args, environment);
  process.exitCode ??= exitCode;
}
