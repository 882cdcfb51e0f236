import type { Transport } from '../transport/transport.ts';

/** A transport to a cluster, with the namespace of its configuration. */
export interface Connection extends Transport {
  /** Address of the API server: `https://10.96.0.1:443`. */
  readonly server: string;
  /** The namespace of the pod, or of the kubeconfig's context. */
  readonly namespace?: string;
  close(): void;
}
