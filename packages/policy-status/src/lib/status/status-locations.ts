/** The places in the status of a kind for conditions about the policies that affect its objects. */
export interface StatusLocation {
  /**
   * Where the conditions of the object are:
   * - `conditions`: in `status.conditions`.
   * - `parents`: in `status.parents`, one entry for each of the object's `parentRefs` and each controller, as in routes.
   * - `annotation`: nowhere; the object is marked in its metadata.
   */
  readonly object: 'conditions' | 'parents' | 'annotation';
  /** The field of the status with an entry (`name` and `conditions`) for each section. Default: sections do not have conditions. */
  readonly sections?: string;
}

/**
 * The places of conditions in Gateway API's and Kubernetes' own kinds, by `Kind.group`. Namespaces are annotated, because their
 * conditions lack `observedGeneration`.
 */
export const statusLocations: Readonly<Record<string, StatusLocation>> = {
  'Gateway.gateway.networking.k8s.io': { object: 'conditions', sections: 'listeners' },
  'GatewayClass.gateway.networking.k8s.io': { object: 'conditions' },
  'ListenerSet.gateway.networking.k8s.io': { object: 'conditions', sections: 'listeners' },
  'XListenerSet.gateway.networking.x-k8s.io': { object: 'conditions', sections: 'listeners' },
  'HTTPRoute.gateway.networking.k8s.io': { object: 'parents' },
  'GRPCRoute.gateway.networking.k8s.io': { object: 'parents' },
  'TLSRoute.gateway.networking.k8s.io': { object: 'parents' },
  'TCPRoute.gateway.networking.k8s.io': { object: 'parents' },
  'UDPRoute.gateway.networking.k8s.io': { object: 'parents' },
  Service: { object: 'conditions' },
  Namespace: { object: 'annotation' },
};
