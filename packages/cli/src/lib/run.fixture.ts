import { relative } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Transport } from '@policy-machinery/cluster';
import { type Colors, colorsFor } from '@policy-machinery/text';
import type { Environment } from './model/environment.ts';
import { run } from './run.ts';

/** No colours. */
export const noColors: Colors = colorsFor({}, {});

/** The environment of the program in a test. */
export interface TestEnvironment {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether standard output and standard error are terminals. Default: neither is. */
  readonly isTTY?: boolean;
  /** The width of the terminal. Default: not known. */
  readonly columns?: number;
  readonly programName?: string;
  /** The cluster. Default: kubectl finds none. */
  readonly transport?: Transport;
  /** Returns what kubectl prints for its arguments. Default: kubectl fails. */
  readonly kubectl?: (args: readonly string[]) => string;
  readonly signal?: AbortSignal;
  /** Called with each text that is written to standard output. */
  readonly onOutput?: (text: string) => void;
}

/** The result of a run of the program. */
export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** The folder with the objects of four systems, as it is called from the working directory. */
export const cluster = relative(process.cwd(), fileURLToPath(new URL('../../golden/cluster', import.meta.url)));

/** The present of all tests. */
export const now = new Date('2026-06-01T12:00:00Z');

/** What the program has written. */
export interface Written {
  stdout: string;
  stderr: string;
}

/**
 * Creates a test environment.
 *
 * @param surroundings What is special about it.
 * @returns The environment, and what the program writes to it.
 */
export function testEnvironment(surroundings: TestEnvironment = {}) {
  const written: Written = { stdout: '', stderr: '' };
  const isTTY = surroundings.isTTY ?? false;
  const output = (name: keyof Written) => ({
    isTTY,
    ...(surroundings.columns === undefined ? {} : { columns: surroundings.columns }),
    write(text: string) {
      written[name] += text;
      if (name === 'stdout') surroundings.onOutput?.(text);
    },
  });
  const environment: Environment = {
    stdin: Readable.from([surroundings.stdin ?? '']),
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: surroundings.env ?? {},
    now: () => now,
    programName: surroundings.programName ?? 'gwpolicy',
    signal: surroundings.signal ?? new AbortController().signal,
    async connect(kubectlArgs) {
      if (surroundings.transport !== undefined) return surroundings.transport;
      const { kubectlTransport } = await import('@policy-machinery/cluster');
      return kubectlTransport({ command: 'there-is-no-kubectl', args: kubectlArgs });
    },
    async kubectl(kubectlArgs) {
      if (surroundings.kubectl === undefined) throw new Error('there is no kubectl');
      return surroundings.kubectl(kubectlArgs);
    },
  };
  return { environment, written };
}

/**
 * Runs the program in a test environment.
 *
 * @param args The arguments.
 * @param surroundings The environment of the program.
 * @returns The output and the exit code.
 */
export async function runWith(args: readonly string[], surroundings: TestEnvironment = {}): Promise<Ran> {
  const { environment, written } = testEnvironment(surroundings);
  const exitCode = await run(args, environment);
  return { ...written, exitCode };
}
