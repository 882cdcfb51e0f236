import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname, join } from 'node:path';
import { binaries } from '../binaries.ts';

/** What a run of gwpolicy wrote. */
export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** A gwpolicy that runs. */
export interface Running {
  /** What has been written to standard output up to now. */
  output(): string;
  /** Sends SIGINT, as Ctrl-C does. */
  interrupt(): void;
  readonly end: Promise<Ran>;
}

const program = join(import.meta.dirname, '../../../../packages/cli/src/gwpolicy.ts');

/**
 * Starts gwpolicy as a process of its own, from the sources, with the real kubectl in the PATH.
 *
 * @param args The arguments.
 * @param input What standard input has.
 * @returns The process.
 */
export function startGwpolicy(args: readonly string[], input = ''): Running {
  const node = ['--conditions=@policy-machinery/source', '--import', 'tsx', program];
  const { NO_COLOR: _color, KUBECONFIG: _kubeconfig, ...rest } = process.env;
  const env = { ...rest, PATH: `${dirname(binaries.kubectl)}${delimiter}${rest.PATH}` };
  const child = spawn(process.execPath, [...node, ...args], { stdio: ['pipe', 'pipe', 'pipe'], env });
  const [output, errors]: [string[], string[]] = [[], []];
  child.stdout.on('data', (chunk) => output.push(String(chunk)));
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  child.stdin.end(input);
  return {
    output: () => withoutAges(output.join('')),
    interrupt: () => void child.kill('SIGINT'),
    end: once(child, 'close').then(([code]) => ({
      stdout: withoutAges(output.join('')),
      stderr: errors.join(''),
      code,
    })),
  };
}

/** Ages are the last column of lists. */
function withoutAges(text: string): string {
  return text.replaceAll(/(?<= {3})(?:\d+[smh])+$/gm, 'AGE');
}
