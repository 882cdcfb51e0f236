import { execFile } from 'node:child_process';

/** What a program printed. */
export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program without a shell, in a folder. Rejects if it cannot be started. */
export type Run = (command: string, args: readonly string[], cwd: string) => Promise<Printed>;

/** Runs programs of this system. They do not see the token. */
export function runIn(env: NodeJS.ProcessEnv): Run {
  const { INPUT_TOKEN: _token, ...rest } = env;
  return (command, args, cwd) =>
    new Promise((resolve, reject) => {
      const options = { cwd, env: rest, maxBuffer: 2 ** 28 };
      execFile(command, args, options, (error, stdout, stderr) => {
        if (error !== null && typeof error.code !== 'number') reject(error);
        else resolve({ code: Number(error?.code ?? 0), stdout, stderr });
      });
    });
}

/**
 * Returns what a program prints, if it succeeds.
 *
 * @throws {Error} With what it says, if it fails.
 */
export async function printedBy(run: Run, command: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, cwd);
  if (code === 0) return stdout;
  throw new Error(`${[command, ...args].join(' ')} fails with ${code}: ${stderr.trim()}`);
}
