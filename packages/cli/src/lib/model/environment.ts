import type { Readable } from 'node:stream';
import type { Transport } from '@policy-machinery/cluster';

/** The streams that the program writes to. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** The width of a terminal. */
  readonly columns?: number;
}

/** Everything that the program reads and writes. Tests provide their own. */
export interface Environment {
  readonly stdin: Readable;
  /** For answers. */
  readonly stdout: Output;
  /** For everything else. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  now(): Date;
  /** How the program was called, for its help: `gwpolicy` or `kubectl gwpolicy`. */
  readonly programName: string;
  /**
   * Returns a way to the cluster.
   *
   * @param kubectlArgs The arguments of kubectl that choose the cluster: `['--context', 'staging']`.
   */
  connect(kubectlArgs: readonly string[]): Promise<ClusterConnection>;
  /**
   * Runs kubectl for anything but requests to the cluster.
   *
   * @param signal Ends kubectl early. Default: {@link signal} alone does.
   * @returns The output of kubectl on standard output. Rejects with a message for people.
   */
  kubectl(args: readonly string[], signal?: AbortSignal): Promise<string>;
  /** Aborts when the program is to end. */
  readonly signal: AbortSignal;
}

/** A way to a cluster, which must be closed. */
export type ClusterConnection = Transport & { close?(): void };
