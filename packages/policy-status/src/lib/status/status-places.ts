/** Where the status of a kind of resource bears conditions of those who affect it. */
export interface StatusPlace {
  /**
   * Where conditions on the object stand:
   * - `conditions`: in `status.conditions`.
   * - `parents`: in `status.parents`, one entry for each of the object's `parentRefs` and each controller, as in routes.
   * - `annotation`: nowhere; the object is marked in its metadata (D-05).
   */
  readonly object: 'conditions' | 'parents' | 'annotation';
  /** The field of the status that has an entry, with `name` and `conditions`, for each section (D-04). Default: sections have none. */
  readonly sections?: string;
}

/** The places in Gateway API's and Kubernetes' own kinds, by `Kind.group`. The conditions of Namespaces know no generations. */
export const statusPlaces: Readonly<Record<string, StatusPlace>> = {
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
