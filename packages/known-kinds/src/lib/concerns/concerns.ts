import { type ConcernName, concernNames } from '@policy-machinery/policy-kind';

/** A concern of requests. */
export interface Concern {
  readonly name: ConcernName;
  /** Its name for people: `Rate limit`. */
  readonly title: string;
  /** The protected good. */
  readonly definition: string;
  /** Whether it is about security. */
  readonly isSecurity: boolean;
}

const facts: Readonly<Record<ConcernName, readonly [title: string, definition: string]>> = {
  authentication: ['Authentication', 'Requests without valid credentials are refused.'],
  authorization: [
    'Authorization',
    'Requests are allowed or refused by their claims, address, method, path or principal.',
  ],
  'client-tls': ['TLS to clients', 'The connection between client and gateway is encrypted.'],
  'client-certificate': [
    'Client certificates',
    'The gateway accepts only clients that present a certificate which it trusts.',
  ],
  'backend-tls': [
    'TLS to backends',
    'The connection between gateway and backend is encrypted, and the backend is verified.',
  ],
  'mesh-mtls': ['Mesh mTLS', 'A workload accepts only mutually authenticated connections from other workloads.'],
  'rate-limit': ['Rate limit', 'No more than a number of requests (or tokens) in a period is let through.'],
  waf: ['Firewall (WAF)', 'Requests with attacks or malware are refused.'],
  cors: [
    'CORS',
    'Other origins may call from browsers. CORS in force is a permission, which can be wide, and does not protect.',
  ],
  csrf: ['CSRF', 'A changing request of a browser is refused if it comes from another origin.'],
  'request-size': ['Size limits', 'Requests with a larger body or larger headers than a limit are refused.'],
  overload: ['Overload', 'The gateway refuses new work under too much load: connections, load shedding, bandwidth.'],
  'ai-guard': ['AI guard', 'Prompts, answers or calls of tools are searched and refused or masked.'],
  'backend-auth': [
    'Authentication to backends',
    'The gateway presents its own or an exchanged credential to the backend.',
  ],
  timeout: ['Timeout', 'A request, a connection or an idle time ends after a period.'],
  retry: ['Retry', 'A failed request is sent again.'],
  'circuit-breaking': ['Circuit breaking', 'No further requests go to a backend that has too many already.'],
  'health-check': ['Health checks', 'Unhealthy endpoints are found, and receive no requests.'],
  'load-balancing': [
    'Balancing and affinity',
    'How requests are spread over endpoints, and whether a client stays with one.',
  ],
  headers: ['Header changes', 'Headers of requests or responses are added, set or removed.'],
  rewrite: [
    'Rewrites and answers',
    'Path, host or body is changed, or the gateway answers by itself (redirect, fixed or error answer).',
  ],
  mirror: ['Mirroring', 'A copy of requests goes to another backend.'],
  compression: ['Compression', 'Answers are compressed, or requests decompressed.'],
  caching: ['Caching', 'Answers are kept and served again without the backend.'],
  'fault-injection': [
    'Injected faults',
    'Delays or errors are made on purpose; in force is a warning, not a protection.',
  ],
  dns: ['DNS', 'Names of listeners are published.'],
  observability: ['Logs, traces, metrics', 'Requests are recorded.'],
  custom: [
    'Custom code',
    'A program, a patch or a snippet, which can serve, change or break any other concern. Its effect is not known.',
  ],
};

const security: ReadonlySet<ConcernName> = new Set([
  'authentication',
  'authorization',
  'client-tls',
  'client-certificate',
  'backend-tls',
  'mesh-mtls',
  'rate-limit',
  'waf',
  'cors',
  'csrf',
  'request-size',
  'overload',
  'ai-guard',
  'backend-auth',
  'custom',
]);

/** All concerns, in the order of tables. */
export const concerns: readonly Concern[] = concernNames.map((name) => {
  const [title, definition] = facts[name];
  return { name, title, definition, isSecurity: security.has(name) };
});
