import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program that runs in the background. */
export interface RunningProgram {
  /** Its first line of output. */
  readonly firstLine: string;
  readonly child: ChildProcess;
}

/**
 * Starts a program, and waits for its first line of output.
 *
 * @throws {Error} If the program ends before, with what it has written to standard error.
 */
export async function startProgram(
  command: string,
  args: readonly string[],
  env = process.env,
): Promise<RunningProgram> {
  const stdio: StdioOptions = ['pipe', 'pipe', 'pipe'];
  const child = spawn(command, args, { stdio, env });
  const errors: string[] = [];
  child.stderr?.on('data', (chunk) => {
    errors.push(String(chunk));
    if (errors.length > 50) errors.shift();
  });
  if (child.stdout === null) throw new Error(`${command} has no output`);
  const lines = createInterface(child.stdout);
  const [firstLine] = await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${command} ended with ${code} before it was ready:\n${errors.join('')}`);
    }),
  ]);
  return { firstLine: String(firstLine), child };
}

/** Starts a TypeScript module of the tests in a process of its own, from the sources of the packages, and waits for its first line of output. */
export function startModule(
  path: string,
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<RunningProgram> {
  const options = ['--conditions=@policy-machinery/source', '--import', 'tsx'];
  return startProgram(process.execPath, [...options, path, ...args], { ...process.env, ...env });
}

/** Runs a program to its end. Returns its output; throws an error with all that it has written if it fails. */
export async function runProgram(command: string, args: readonly string[], input = ''): Promise<string> {
  const { code, output, errors } = await runProgramForOutputs(command, args, input);
  if (code === 0) return output;
  throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}${errors}`);
}

/** Runs a program to its end, whether it fails or not. Returns all that it has written. */
export async function runProgramForOutputs(
  command: string,
  args: readonly string[],
  input = '',
): Promise<{ readonly code: number; readonly output: string; readonly errors: string }> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const [output, errors]: [string[], string[]] = [[], []];
  child.stdout.on('data', (chunk) => output.push(String(chunk)));
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  child.stdin.on('error', () => {}); // It has ended without reading its input: how, the code and the output say.
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code, output: output.join(''), errors: errors.join('') };
}

/** Ends a program with a signal, and waits until it is gone. */
export async function endProgram(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}
