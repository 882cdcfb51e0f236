import { cpSync, lstatSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binaries } from './binaries.ts';
import { endProgram, type RunningProgram, startProgram } from './processes.ts';

/** A real API server, with its store and without nodes, that a test may kill. */
export interface ApiServer {
  /** The path of a kubeconfig, with a context for `admin` and one for each further user. */
  readonly kubeconfig: string;
  /** Forgets all versions up to now: watches and pages from before get 410. */
  compact(): void;
  /** Stops the process for as long as it takes until `resume`: connections stay open, and nothing is answered. */
  pause(): void;
  resume(): void;
  /** Ends the process at once, as the end of its machine would. */
  kill(): Promise<void>;
  /** Starts the process again after `kill`, with all that it has stored, at the same address. */
  start(): Promise<void>;
  /** Copies all that is stored, while the process is dead. Returns a function that puts the copy in the place of what is stored then. */
  backUp(): () => void;
  /** Forgets its certificates, while the process is dead: it makes others, of a new authority, when it starts. */
  forgetCertificates(): void;
  /** Ends the process, and removes what it has stored. */
  close(): Promise<void>;
}

/** How an API server is started. */
export interface ApiServerOptions {
  /** Users beside `admin`, who have no rights until RBAC gives them some. Default none. */
  readonly users?: readonly string[];
  /** Further flags of kube-apiserver. Default none. */
  readonly flags?: readonly string[];
}

/** Starts an API server with an empty store, and waits until it is ready. */
export async function startApiServer({ users = [], flags = [] }: ApiServerOptions = {}): Promise<ApiServer> {
  // The path of a Unix socket in it must be short.
  const folder = mkdtempSync(join(tmpdir(), 'e2e-'));
  const args = ['-stdin', '-data-dir', folder, ...users.flatMap((user) => ['-user', user]), '--', ...flags];
  const start = (): Promise<RunningProgram> => startProgram(binaries.apiserver, args);
  let running = await start();
  return {
    kubeconfig: running.firstLine,
    compact: () => void running.child.kill('SIGUSR1'),
    pause: () => void running.child.kill('SIGSTOP'),
    resume: () => void running.child.kill('SIGCONT'),
    kill: () => endProgram(running.child, 'SIGKILL'),
    async start() {
      running = await start();
    },
    backUp() {
      cpSync(folder, `${folder}.backup`, { recursive: true, filter: (path) => !lstatSync(path).isSocket() });
      return () => {
        rmSync(folder, { recursive: true, force: true });
        renameSync(`${folder}.backup`, folder);
      };
    },
    forgetCertificates: () => rmSync(join(folder, 'certificates'), { recursive: true }),
    async close() {
      running.child.kill('SIGCONT');
      await endProgram(running.child);
      for (const it of [folder, `${folder}.backup`]) rmSync(it, { recursive: true, force: true });
    },
  };
}
