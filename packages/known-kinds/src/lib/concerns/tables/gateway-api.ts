import { alike, type KindConcerns } from '../kind-concerns.ts';

/** The concerns that kinds of Gateway API serve. */
export const gatewayApiConcerns: readonly KindConcerns[] = [
  {
    group: 'gateway.networking.k8s.io',
    kind: 'Gateway',
    fields: [
      {
        concern: 'client-tls',
        pointer: '/listeners/*/tls',
        aspect: 'on',
        inForce:
          'has(spec.listeners) && spec.listeners.exists(l, l.protocol in ["HTTPS", "TLS"] && has(l.tls) && (!has(l.tls.mode) || l.tls.mode == "Terminate"))',
        weak: [
          {
            effect: 'passthrough',
            pointer: '/listeners/*/tls/mode',
            when: 'spec.listeners.exists(l, has(l.tls) && has(l.tls.mode) && l.tls.mode == "Passthrough")',
          },
        ],
        off: [
          { pointer: '/listeners/*/protocol', when: 'spec.listeners.exists(l, l.protocol in ["HTTP", "TCP", "UDP"])' },
        ],
      },
      {
        concern: 'client-tls',
        pointer: '/listeners/*/tls/options',
        aspect: 'versions',
        role: 'shapes',
        certainty: 'unknown',
      },
      {
        concern: 'client-certificate',
        pointer: '/tls/frontend/default/validation',
        inForce:
          'has(spec.tls.frontend.default.validation) && has(spec.tls.frontend.default.validation.caCertificateRefs) && spec.tls.frontend.default.validation.caCertificateRefs.size() > 0',
        weak: [
          {
            effect: 'optional',
            pointer: '/tls/frontend/default/validation/mode',
            when: 'has(spec.tls.frontend.default.validation.mode) && spec.tls.frontend.default.validation.mode == "AllowInsecureFallback"',
          },
        ],
      },
      {
        concern: 'client-certificate',
        pointer: '/tls/frontend/perPort/*/tls/validation',
        inForce: 'has(spec.tls.frontend.perPort) && spec.tls.frontend.perPort.exists(p, has(p.tls.validation))',
        weak: [
          {
            effect: 'optional',
            pointer: '/tls/frontend/perPort/*/tls/validation/mode',
            when: 'has(spec.tls.frontend.perPort) && spec.tls.frontend.perPort.exists(p, has(p.tls.validation.mode) && p.tls.validation.mode == "AllowInsecureFallback")',
          },
        ],
        off: [
          {
            pointer: '/tls/frontend/perPort/*/tls',
            when: 'spec.tls.frontend.perPort.exists(p, !has(p.tls.validation))',
          },
        ],
      },
      { concern: 'backend-tls', pointer: '/tls/backend/clientCertificateRef', aspect: 'mutual', role: 'shapes' },
    ],
  },
  {
    group: 'gateway.networking.k8s.io',
    kind: 'ListenerSet',
    fields: [
      {
        concern: 'client-tls',
        pointer: '/listeners/*/tls',
        aspect: 'on',
        inForce:
          'has(spec.listeners) && spec.listeners.exists(l, l.protocol in ["HTTPS", "TLS"] && has(l.tls) && (!has(l.tls.mode) || l.tls.mode == "Terminate"))',
        weak: [
          {
            effect: 'passthrough',
            pointer: '/listeners/*/tls/mode',
            when: 'spec.listeners.exists(l, has(l.tls) && has(l.tls.mode) && l.tls.mode == "Passthrough")',
          },
        ],
      },
    ],
  },
  {
    group: 'gateway.networking.k8s.io',
    kind: 'HTTPRoute',
    fields: [
      {
        concern: 'timeout',
        pointer: '/rules/*/timeouts/request',
        aspect: 'request',
        inForce:
          'spec.rules.exists(r, has(r.timeouts) && has(r.timeouts.request) && !(r.timeouts.request in ["0s", "0ms", "0m", "0h"]))',
        off: [
          {
            pointer: '/rules/*/timeouts/request',
            when: 'spec.rules.exists(r, has(r.timeouts) && has(r.timeouts.request) && r.timeouts.request in ["0s", "0ms", "0m", "0h"])',
          },
        ],
      },
      {
        concern: 'timeout',
        pointer: '/rules/*/timeouts/backendRequest',
        aspect: 'backend-request',
        inForce:
          'spec.rules.exists(r, has(r.timeouts) && has(r.timeouts.backendRequest) && !(r.timeouts.backendRequest in ["0s", "0ms", "0m", "0h"]))',
      },
      {
        concern: 'retry',
        pointer: '/rules/*/retry',
        aspect: 'attempts',
        inForce: 'spec.rules.exists(r, has(r.retry) && (!has(r.retry.attempts) || r.retry.attempts > 0))',
        off: [
          {
            pointer: '/rules/*/retry/attempts',
            when: 'spec.rules.exists(r, has(r.retry) && has(r.retry.attempts) && r.retry.attempts == 0)',
          },
        ],
      },
      {
        concern: 'cors',
        pointer: '/rules/*/filters/*/cors',
        inForce: 'spec.rules.exists(r, has(r.filters) && r.filters.exists(x, x.type == "CORS" && has(x.cors)))',
        weak: [
          {
            effect: 'wide',
            pointer: '/rules/*/filters/*/cors/allowOrigins',
            when: 'spec.rules.exists(r, has(r.filters) && r.filters.exists(x, has(x.cors) && has(x.cors.allowOrigins) && "*" in x.cors.allowOrigins))',
          },
        ],
      },
      ...alike(['authentication', 'authorization'], {
        pointer: '/rules/*/filters/*/externalAuth',
        aspect: 'external',
        inForce:
          'spec.rules.exists(r, has(r.filters) && r.filters.exists(x, x.type == "ExternalAuth" && has(x.externalAuth)))',
      }),
      {
        concern: 'request-size',
        pointer: '/rules/*/filters/*/externalAuth/forwardBody/maxSize',
        aspect: 'body',
        role: 'none',
        certainty: 'unknown',
      },
      {
        concern: 'headers',
        pointer: '/rules/*/filters/*/requestHeaderModifier',
        aspect: 'request',
        inForce: 'spec.rules.exists(r, has(r.filters) && r.filters.exists(x, has(x.requestHeaderModifier)))',
      },
      {
        concern: 'headers',
        pointer: '/rules/*/filters/*/responseHeaderModifier',
        aspect: 'response',
        inForce: 'spec.rules.exists(r, has(r.filters) && r.filters.exists(x, has(x.responseHeaderModifier)))',
      },
      {
        concern: 'rewrite',
        pointer: '/rules/*/filters/*/urlRewrite',
        aspect: 'url',
        inForce: 'spec.rules.exists(r, has(r.filters) && r.filters.exists(x, has(x.urlRewrite)))',
      },
      {
        concern: 'rewrite',
        pointer: '/rules/*/filters/*/requestRedirect',
        aspect: 'redirect',
        inForce: 'spec.rules.exists(r, has(r.filters) && r.filters.exists(x, has(x.requestRedirect)))',
      },
      {
        concern: 'client-tls',
        pointer: '/rules/*/filters/*/requestRedirect/scheme',
        aspect: 'redirect-to-https',
        role: 'shapes',
        inForce:
          'spec.rules.exists(r, has(r.filters) && r.filters.exists(x, has(x.requestRedirect) && has(x.requestRedirect.scheme) && x.requestRedirect.scheme == "https"))',
      },
      {
        concern: 'mirror',
        pointer: '/rules/*/filters/*/requestMirror',
        inForce: 'spec.rules.exists(r, has(r.filters) && r.filters.exists(x, has(x.requestMirror)))',
      },
      {
        concern: 'load-balancing',
        pointer: '/rules/*/sessionPersistence',
        aspect: 'affinity',
        inForce: 'spec.rules.exists(r, has(r.sessionPersistence))',
      },
      { concern: 'custom', pointer: '/rules/*/filters/*/extensionRef', role: 'refers' },
      {
        concern: 'cors',
        pointer: '/rules/*/backendRefs/*/filters/*/cors',
        weak: [{ effect: 'part', pointer: '/rules/*/backendRefs/*/filters' }],
      },
      {
        concern: 'authentication',
        pointer: '/rules/*/backendRefs/*/filters/*/externalAuth',
        aspect: 'external',
        weak: [{ effect: 'part', pointer: '/rules/*/backendRefs/*/filters' }],
      },
    ],
    secrets: [
      { pointer: '/rules/*/filters/*/requestHeaderModifier/set/*/value' },
      { pointer: '/rules/*/filters/*/requestHeaderModifier/add/*/value' },
    ],
  },
  {
    group: 'gateway.networking.k8s.io',
    kind: 'GRPCRoute',
    fields: [
      { concern: 'headers', pointer: '/rules/*/filters/*/requestHeaderModifier', aspect: 'request' },
      { concern: 'headers', pointer: '/rules/*/filters/*/responseHeaderModifier', aspect: 'response' },
      { concern: 'mirror', pointer: '/rules/*/filters/*/requestMirror' },
      { concern: 'load-balancing', pointer: '/rules/*/sessionPersistence', aspect: 'affinity' },
      { concern: 'custom', pointer: '/rules/*/filters/*/extensionRef', role: 'refers' },
    ],
  },
  { group: 'gateway.networking.k8s.io', kind: 'TLSRoute', fields: [] },
  { group: 'gateway.networking.k8s.io', kind: 'TCPRoute', fields: [] },
  { group: 'gateway.networking.k8s.io', kind: 'UDPRoute', fields: [] },
  {
    group: 'gateway.networking.k8s.io',
    kind: 'BackendTLSPolicy',
    fields: [
      {
        concern: 'backend-tls',
        pointer: '/validation',
        aspect: 'verified',
        inForce:
          'has(spec.validation) && has(spec.validation.hostname) && ((has(spec.validation.caCertificateRefs) && spec.validation.caCertificateRefs.size() > 0) || has(spec.validation.wellKnownCACertificates))',
      },
      {
        concern: 'backend-tls',
        pointer: '/tls',
        aspect: 'verified',
        inForce: 'has(spec.tls) && (has(spec.tls.caCertRefs) || has(spec.tls.wellKnownCACerts))',
      },
      { concern: 'backend-tls', pointer: '/options', aspect: 'versions', role: 'shapes', certainty: 'unknown' },
    ],
  },
  {
    group: 'gateway.networking.x-k8s.io',
    kind: 'XBackendTrafficPolicy',
    fields: [
      {
        concern: 'retry',
        pointer: '/retryConstraint/budget',
        aspect: 'budget',
        role: 'shapes',
        inForce: 'has(spec.retryConstraint.budget)',
      },
      {
        concern: 'load-balancing',
        pointer: '/sessionPersistence',
        aspect: 'affinity',
        inForce: 'has(spec.sessionPersistence)',
      },
    ],
  },
  {
    group: 'gateway.networking.x-k8s.io',
    kind: 'TelemetryPolicy',
    fields: [
      {
        concern: 'observability',
        pointer: '/tracing',
        aspect: 'tracing',
        weak: [{ effect: 'unknown', pointer: '/tracing' }],
        certainty: 'unknown',
      },
    ],
  },
  {
    group: 'gateway.networking.x-k8s.io',
    kind: 'XTelemetryPolicy',
    fields: [
      {
        concern: 'observability',
        pointer: '/tracing',
        aspect: 'tracing',
        inForce: 'has(spec.tracing) && has(spec.tracing.mode) && spec.tracing.mode == "Enabled"',
        off: [
          {
            pointer: '/tracing/mode',
            when: 'has(spec.tracing) && has(spec.tracing.mode) && spec.tracing.mode == "Disabled"',
          },
        ],
      },
    ],
  },
  {
    group: 'gateway.networking.x-k8s.io',
    kind: 'AuthorizationPolicy',
    fields: [
      {
        concern: 'authorization',
        pointer: '/rules',
        aspect: 'network',
        weak: [{ effect: 'unknown', pointer: '/rules' }],
        certainty: 'unknown',
      },
    ],
  },
];
