import { trustedPath } from './input/trusted-path.ts';
import type { Environment } from './model/environment.ts';
import { run } from './run.ts';
import { Signals } from './signals.ts';

/**
 * Runs the program in this process, and sets its exit code.
 *
 * @param args The arguments. Default: the arguments of the process.
 */
export async function runProcess(programName: string, args = process.argv.slice(2)): Promise<void> {
  process.env.PATH = trustedPath();
  // The reader, such as `head`, may close the pipe early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  const signals = new Signals();
  const environment: Environment = {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    now: () => new Date(),
    programName,
    signal: signals.signal,
    async connect(kubectlArgs) {
      const { kubectlTransport } = await import('@policy-machinery/cluster');
      return signals.caughtBy(kubectlTransport({ args: kubectlArgs }));
    },
    async kubectl(kubectlArgs, signal = signals.signal) {
      const { runKubectl } = await import('./input/run-kubectl.ts');
      return signals.during(() => runKubectl(kubectlArgs, AbortSignal.any([signal, signals.signal])));
    },
  };
  const exitCode = await run(args, environment);
  process.exitCode ??= exitCode;
}
