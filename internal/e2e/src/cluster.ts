import { binaries } from './binaries.ts';
import { endProgram, runProgram, startProgram } from './processes.ts';

/** The cluster of the tests, as the setup gives it to them. */
export interface ClusterAccess {
  readonly kubeconfig: string;
  /** The path or the name of a kubectl. */
  readonly kubectl: string;
  /** Whether the tests have started the cluster, so that it has a user `controller` without rights. */
  readonly isOwn: boolean;
}

declare module 'vitest' {
  interface ProvidedContext {
    cluster: ClusterAccess;
  }
}

/** Runs kubectl. Returns its output. */
export function kubectl(
  { kubeconfig, kubectl: command }: ClusterAccess,
  args: readonly string[],
  input?: string,
): Promise<string> {
  return runProgram(command, ['--kubeconfig', kubeconfig, ...args], input);
}

/** A plain HTTP server that hands requests on to a cluster as one of its users. */
export interface ClusterProxy {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a proxy to a cluster. */
export async function startProxy(
  { kubeconfig, kubectl: command }: ClusterAccess,
  context?: string,
): Promise<ClusterProxy> {
  const chosen = context === undefined ? [] : ['--context', context];
  const { firstLine, child } = await startProgram(command, [
    '--kubeconfig',
    kubeconfig,
    ...chosen,
    'proxy',
    '--port=0',
  ]);
  const [address] = /127\.0\.0\.1:\d+/.exec(firstLine) ?? [];
  if (address === undefined) throw new Error(`kubectl proxy does not say where it listens: ${firstLine}`);
  return { url: `http://${address}`, close: () => endProgram(child) };
}

/** Returns the access to an API server that the tests have started. */
export function accessTo(kubeconfig: string): ClusterAccess {
  return { kubeconfig, kubectl: binaries.kubectl, isOwn: true };
}
