/** The right answer for a case. Parts that are left out are not compared. */
export interface Expected {
  /** The effective specs, by target: `HTTPRoute a/r#main`. Contexts of one target are told apart by their number: `HTTPRoute a/r#main (2)`. */
  readonly specs?: Readonly<Record<string, unknown>>;
  /** The outcomes, by policy: `a/p`. */
  readonly outcomes?: Readonly<Record<string, string>>;
  /** The ancestors that statuses have entries for, by policy. */
  readonly ancestors?: Readonly<Record<string, readonly string[]>>;
  /** How many routes each listener has: `Gateway a/g#http`. */
  readonly attachedRoutes?: Readonly<Record<string, number>>;
  /** Whether routes are accepted by their first parent: `True`, or `False/NoMatchingParent`. */
  readonly accepted?: Readonly<Record<string, string>>;
  /** The fields that policies lose to others: `a/r /when`. */
  readonly losses?: readonly string[];
  /** Where issues are, with their severity: `error /spec/targetRef`. */
  readonly issues?: readonly string[];
  /** Words of the notes on the kinds. */
  readonly notes?: readonly string[];
}

const retry = (numRetries: number) => ({ retry: { numRetries } });
const limit = (count: number) => ({ rates: [{ limit: count, window: '5s' }] });
const bufferAndTls = (maxBufferSize: number) => ({
  frontend: { http: { maxBufferSize }, tls: { handshakeTimeout: '1s' } },
});
const connection = (connectTimeout: string) => ({ backend: { tcp: { connectTimeout } } });
const timeouts = (requestTimeout: string) => ({
  timeout: { http: { requestTimeout, connectionIdleTimeout: '9s' } },
  ...retry(2),
});
const nullsPruned: Expected = {
  specs: { 'HTTPRoute a/r#main': { ...retry(5), timeout: { tcp: { connectTimeout: '2s' } } } },
  outcomes: { 'a/p': 'enforced', 'a/c': 'enforced' },
};

/** The right answers, by the folder of the case, from the sources that its README names. */
export const expectedOf: Readonly<Record<string, Expected>> = {
  '04a-cross-ns-granted': {
    specs: { 'HTTPRoute b/r#main': { cors: { allowOrigins: ['https://one.example'] } } },
    outcomes: { 'pol/p': 'enforced' },
    ancestors: { 'pol/p': ['Gateway a/g'] },
  },
  '07c-ls-vs-gateway': {
    specs: { 'HTTPRoute a/r#main': retry(1), 'HTTPRoute a/r#main (2)': retry(2) },
    attachedRoutes: { 'Gateway infra/g#base': 0, 'ListenerSet a/one#l': 1, 'ListenerSet a/one#ok': 1 },
    accepted: { 'HTTPRoute a/r': 'True' },
  },
  '14a-ngf-overlap': { notes: ['Not checked: whether other routes have the same host, port and path'] },
  '19e-kg-weight-out-of-range': {
    specs: { 'HTTPRoute a/r#main': { timeouts: { request: 'old' } } },
    outcomes: { 'a/old': 'enforced', 'a/huge': 'invalid' },
    issues: ['error /metadata/annotations/kgateway.dev~1policy-weight'],
  },
  '21g-istio-selector-on-waypoint-pod': {
    specs: {},
    outcomes: { 'a/sel': 'target-not-found', 'a/sel2': 'target-not-found' },
  },
  '22b-eg-own-timeout': {
    specs: { 'HTTPRoute a/r#x': timeouts('44s'), 'HTTPRoute a/r#y': timeouts('1s') },
    outcomes: { 'a/p': 'partly-enforced' },
  },
  '25c-metadata-name-no-namespace-object': {
    specs: { 'HTTPRoute b/r#main': retry(1) },
    outcomes: { 'a/l': 'enforced' },
    attachedRoutes: { 'Gateway a/g#l': 1 },
  },
  '27b-ls-not-allowed-routes': {
    specs: {},
    outcomes: { 'a/p': 'not-in-any-path', 'a/l': 'not-in-any-path' },
    attachedRoutes: { 'Gateway i/g#x': 0, 'ListenerSet a/no#l': 0, 'ListenerSet a/gone#l': 0 },
    accepted: {
      'HTTPRoute a/r': 'False/NoMatchingParent',
      'HTTPRoute a/q': 'False/NoMatchingParent',
      'HTTPRoute a/w': 'False/NoMatchingParent',
    },
  },
  '28-linkerd-two-route-groups': {
    outcomes: {
      'a/on-linkerd': 'enforced',
      'a/on-gw': 'enforced',
      'a/on-server': 'enforced',
      'a/on-ns': 'enforced',
      'a/on-other-ns': 'reference-not-permitted',
    },
  },
  '35a-ag-frontend-port': {
    specs: { 'HTTPRoute a/r#main': bufferAndTls(1), 'HTTPRoute a/r#main (2)': bufferAndTls(2) },
    outcomes: { 'a/port': 'enforced', 'a/whole': 'partly-enforced' },
  },
  '35d-ag-service-port-number': {
    specs: { 'Service a/s#web': connection('2s'), 'Service a/s#alt': connection('1s') },
    outcomes: { 'a/p': 'enforced', 'a/q': 'partly-enforced' },
    issues: [],
  },
  '41a-null-in-file': nullsPruned,
  '41c-null-with-crd': nullsPruned,
  '43a-ku-when-override': {
    specs: {
      'HTTPRoute a/r#main': {
        when: [{ predicate: 'request.path != "/health"' }],
        limits: { cap: limit(1), own: limit(9) },
      },
    },
    losses: ['a/r /when'],
  },
  '43d-ku-auth-response-success': {
    specs: {
      'HTTPRoute a/r#main': {
        when: [{ predicate: 'r' }],
        patterns: { p: { allOf: [{ predicate: 'x' }] } },
        rules: { response: { success: { headers: { h: { plain: { value: '1' } } } } } },
      },
    },
  },
  '44a-eg-ratelimit-union': {
    specs: {
      'HTTPRoute a/r#main': {
        rateLimit: {
          global: { rules: [{ limit: { requests: 5, unit: 'Minute' } }, { limit: { requests: 100, unit: 'Second' } }] },
        },
      },
    },
    outcomes: { 'a/c': 'enforced', 'a/p': 'enforced' },
  },
  '50a-http-grpc-same-hostname': {
    specs: { 'HTTPRoute a/h#main': retry(1) },
    outcomes: { 'a/ph': 'enforced', 'a/pr': 'not-in-any-path' },
    attachedRoutes: { 'Gateway a/g#http': 1 },
    accepted: { 'HTTPRoute a/h': 'True', 'GRPCRoute a/r': 'False/HostnameConflict' },
  },
  '60a-eg-seventeen-targets': {
    specs: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`HTTPRoute a/r${n}#main`, retry(1)])),
    outcomes: { 'a/p': 'enforced' },
    issues: [],
  },
};
