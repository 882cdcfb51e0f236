import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../free-port.ts';
import { endProgram, startModule } from '../processes.ts';

/** A controller in a process of its own. */
export interface ReplicaProcess {
  /** Its name in the lease and in the User-Agent header. */
  readonly identity: string;
  readonly child: ChildProcess;
  /** Returns the state of its topology. */
  state(): Promise<string>;
  /** Returns the sum of the values of a metric whose labels contain a text. */
  metric(name: string, labels?: string): Promise<number>;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a controller. */
export async function startReplica(identity: string, kubeconfig: string): Promise<ReplicaProcess> {
  const port = await freePort();
  const env = { KUBECONFIG: kubeconfig, NAME: identity, PORT: String(port) };
  const { child } = await startModule(join(import.meta.dirname, 'replica.ts'), { env });
  return {
    identity,
    child,
    async state() {
      if (child.stdout === null) throw new Error('the replica has no output');
      const lines = createInterface(child.stdout);
      child.kill('SIGUSR2');
      const [line] = await once(lines, 'line');
      lines.close();
      return String(line);
    },
    async metric(name, labels = '') {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) && line.includes(labels));
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    },
    end: (signal) => endProgram(child, signal),
  };
}
