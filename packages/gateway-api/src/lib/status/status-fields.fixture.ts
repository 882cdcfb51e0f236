/*
 * The fields of Gateway API's resources, and what statuses make of each. Statuses are `True` only if everything that they depend on was looked at.
 */

/**
 * What statuses make of a field:
 *
 * - `read`: conditions or counts depend on it.
 * - `unknown`: a condition is `Unknown` where it is set, with a sentence, since only the implementation or the data plane knows.
 * - `schema`: the API server refuses wrong values, and no reason of Gateway API is about right ones.
 */
export type Reading = 'read' | 'unknown' | 'schema';

/** The reading of a field, and of all below without an entry of their own; for `unknown`, a value to set. */
export type StatusFields = Readonly<Record<string, Reading | readonly ['unknown', example: unknown]>>;

const listeners: StatusFields = {
  'listeners[].name': 'read',
  'listeners[].port': 'read',
  'listeners[].protocol': ['unknown', 'example.com/quic'], // Others are read.
  'listeners[].hostname': 'read',
  'listeners[].allowedRoutes': 'read',
  'listeners[].tls.mode': 'read',
  'listeners[].tls.certificateRefs[]': ['unknown', { name: 'cert' }], // Read if the topology has Secrets.
  'listeners[].tls.options': 'schema',
};

const parentRefs: StatusFields = { 'parentRefs[]': 'read', useDefaultGateways: 'read' };

const connectionRoute: StatusFields = {
  ...parentRefs,
  'rules[].name': 'schema',
  'rules[].backendRefs[]': 'read',
  'rules[].backendRefs[].weight': 'schema',
};

const httpRoute: StatusFields = {
  ...connectionRoute,
  'hostnames[]': 'read',
  'rules[].matches[]': 'schema',
  'rules[].sessionPersistence': 'schema',
  'rules[].retry': 'schema',
  'rules[].timeouts': 'schema',
  ...filtersAt('rules[].filters[]'),
  ...filtersAt('rules[].backendRefs[].filters[]'),
};

function filtersAt(place: string): StatusFields {
  return {
    [place]: 'schema',
    [`${place}.type`]: 'read',
    [`${place}.requestMirror.backendRef`]: 'read',
    [`${place}.extensionRef`]: ['unknown', { group: 'example.com', kind: 'Filter', name: 'f' }],
    [`${place}.externalAuth`]: ['unknown', { backendRef: { name: 'auth', port: 80 } }],
  };
}

export const statusFields: Readonly<Record<string, StatusFields>> = {
  GatewayClass: { controllerName: 'read', description: 'schema', parametersRef: 'schema' },
  Gateway: {
    gatewayClassName: 'read',
    ...listeners,
    'addresses[]': ['unknown', { type: 'IPAddress', value: '192.0.2.1' }], // Types that Gateway API does not have are read.
    allowedListeners: 'read',
    defaultScope: 'read',
    'infrastructure.annotations': 'schema',
    'infrastructure.labels': 'schema',
    'infrastructure.parametersRef': ['unknown', { group: 'example.com', kind: 'Parameters', name: 'p' }], // Read if the topology has the kind.
    'tls.backend.clientCertificateRef': ['unknown', { name: 'client' }],
    'tls.frontend.default.validation.caCertificateRefs[]': ['unknown', { group: '', kind: 'ConfigMap', name: 'ca' }],
    'tls.frontend.default.validation.mode': 'read',
    'tls.frontend.perPort[].port': 'read',
    'tls.frontend.perPort[].tls.validation.caCertificateRefs[]': [
      'unknown',
      { group: '', kind: 'ConfigMap', name: 'ca' },
    ],
    'tls.frontend.perPort[].tls.validation.mode': 'read',
  },
  ListenerSet: { ...listeners, parentRef: 'read' },
  HTTPRoute: httpRoute,
  GRPCRoute: Object.fromEntries(
    Object.entries(httpRoute).filter(([path]) => !/retry|timeouts|externalAuth/.test(path)),
  ),
  TLSRoute: { ...connectionRoute, 'hostnames[]': 'read' },
  TCPRoute: connectionRoute,
  UDPRoute: connectionRoute,
};
