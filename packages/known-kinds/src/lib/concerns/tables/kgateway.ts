import { alike, type KindConcerns } from '../kind-concerns.ts';

/** Returns the extension that a field names. */
const extension = (pointer: string) => ({ pointer, group: 'gateway.kgateway.dev', kind: 'GatewayExtension' });

/** The concerns that kinds of kgateway serve. */
export const kgatewayConcerns: readonly KindConcerns[] = [
  {
    group: 'gateway.kgateway.dev',
    kind: 'TrafficPolicy',
    fields: [
      {
        concern: 'authentication',
        pointer: '/jwtAuth',
        aspect: 'jwt',
        inForce: 'has(spec.jwtAuth) && has(spec.jwtAuth.extensionRef) && !has(spec.jwtAuth.disable)',
        names: extension('/jwtAuth/extensionRef'),
        off: [{ pointer: '/jwtAuth/disable', when: 'has(spec.jwtAuth) && has(spec.jwtAuth.disable)' }],
      },
      {
        concern: 'authentication',
        pointer: '/apiKeyAuth',
        aspect: 'api-key',
        inForce:
          'has(spec.apiKeyAuth) && (has(spec.apiKeyAuth.secretRef) || has(spec.apiKeyAuth.secretSelector)) && !has(spec.apiKeyAuth.disable)',
        off: [{ pointer: '/apiKeyAuth/disable', when: 'has(spec.apiKeyAuth) && has(spec.apiKeyAuth.disable)' }],
      },
      {
        concern: 'authentication',
        pointer: '/basicAuth',
        aspect: 'basic',
        inForce:
          'has(spec.basicAuth) && (has(spec.basicAuth.users) || has(spec.basicAuth.secretRef)) && !has(spec.basicAuth.disable)',
        off: [{ pointer: '/basicAuth/disable', when: 'has(spec.basicAuth) && has(spec.basicAuth.disable)' }],
      },
      { concern: 'authentication', pointer: '/oauth2', aspect: 'oidc', inForce: 'has(spec.oauth2)' },
      ...alike(['authentication', 'authorization'], {
        pointer: '/extAuth',
        aspect: 'external',
        inForce: 'has(spec.extAuth) && has(spec.extAuth.extensionRef) && !has(spec.extAuth.disable)',
        names: extension('/extAuth/extensionRef'),
        off: [{ pointer: '/extAuth/disable', when: 'has(spec.extAuth) && has(spec.extAuth.disable)' }],
      }),
      {
        concern: 'authorization',
        pointer: '/rbac',
        aspect: 'rules',
        inForce: 'has(spec.rbac) && has(spec.rbac.policy)',
        weak: [
          {
            effect: 'part',
            pointer: '/rbac/action',
            when: 'has(spec.rbac) && has(spec.rbac.action) && spec.rbac.action == "Deny"',
          },
        ],
      },
      {
        concern: 'authorization',
        pointer: '/acl',
        aspect: 'ip',
        inForce:
          'has(spec.acl) && (spec.acl.defaultAction == "deny" || (has(spec.acl.rules) && spec.acl.rules.exists(r, r.action == "deny")))',
        weak: [
          { effect: 'part', pointer: '/acl/defaultAction', when: 'has(spec.acl) && spec.acl.defaultAction == "allow"' },
        ],
        off: [
          {
            pointer: '/acl/defaultAction',
            when: 'has(spec.acl) && spec.acl.defaultAction == "allow" && (!has(spec.acl.rules) || !spec.acl.rules.exists(r, r.action == "deny"))',
          },
        ],
      },
      {
        concern: 'rate-limit',
        pointer: '/rateLimit/local',
        aspect: 'local',
        inForce: 'has(spec.rateLimit) && has(spec.rateLimit.local) && has(spec.rateLimit.local.tokenBucket)',
        weak: [
          {
            effect: 'report-only',
            pointer: '/rateLimit/local/percentEnforced',
            when: 'has(spec.rateLimit.local.percentEnforced) && spec.rateLimit.local.percentEnforced < 100',
          },
          {
            effect: 'part',
            pointer: '/rateLimit/local/percentEnabled',
            when: 'has(spec.rateLimit.local.percentEnabled) && spec.rateLimit.local.percentEnabled < 100',
          },
        ],
      },
      {
        concern: 'rate-limit',
        pointer: '/rateLimit/global',
        aspect: 'global',
        inForce:
          'has(spec.rateLimit) && has(spec.rateLimit.global) && has(spec.rateLimit.global.descriptors) && spec.rateLimit.global.descriptors.size() > 0',
      },
      {
        concern: 'cors',
        pointer: '/cors',
        inForce: 'has(spec.cors) && !has(spec.cors.disable)',
        weak: [
          {
            effect: 'wide',
            pointer: '/cors/allowOrigins',
            when: 'has(spec.cors) && has(spec.cors.allowOrigins) && "*" in spec.cors.allowOrigins',
          },
        ],
        off: [{ pointer: '/cors/disable', when: 'has(spec.cors) && has(spec.cors.disable)' }],
      },
      {
        concern: 'csrf',
        pointer: '/csrf',
        inForce: 'has(spec.csrf) && has(spec.csrf.percentageEnabled) && spec.csrf.percentageEnabled > 0',
        weak: [
          {
            effect: 'part',
            pointer: '/csrf/percentageEnabled',
            when: 'has(spec.csrf) && has(spec.csrf.percentageEnabled) && spec.csrf.percentageEnabled < 100',
          },
          {
            effect: 'report-only',
            pointer: '/csrf/percentageShadowed',
            when: 'has(spec.csrf) && has(spec.csrf.percentageShadowed) && spec.csrf.percentageShadowed > 0',
          },
        ],
        off: [
          {
            pointer: '/csrf/percentageEnabled',
            when: 'has(spec.csrf) && has(spec.csrf.percentageEnabled) && spec.csrf.percentageEnabled == 0',
          },
        ],
      },
      {
        concern: 'request-size',
        pointer: '/buffer/maxRequestSize',
        aspect: 'body',
        inForce: 'has(spec.buffer) && has(spec.buffer.maxRequestSize) && !has(spec.buffer.disable)',
        off: [{ pointer: '/buffer/disable', when: 'has(spec.buffer) && has(spec.buffer.disable)' }],
      },
      {
        concern: 'timeout',
        pointer: '/timeouts/request',
        aspect: 'request',
        inForce: 'has(spec.timeouts) && has(spec.timeouts.request)',
      },
      {
        concern: 'timeout',
        pointer: '/timeouts/streamIdle',
        aspect: 'stream',
        inForce: 'has(spec.timeouts) && has(spec.timeouts.streamIdle)',
      },
      {
        concern: 'retry',
        pointer: '/retry',
        aspect: 'attempts',
        inForce: 'has(spec.retry) && (!has(spec.retry.attempts) || spec.retry.attempts > 0)',
        off: [
          {
            pointer: '/retry/attempts',
            when: 'has(spec.retry) && has(spec.retry.attempts) && spec.retry.attempts == 0',
          },
        ],
      },
      { concern: 'headers', pointer: '/headerModifiers/request', aspect: 'request' },
      { concern: 'headers', pointer: '/headerModifiers/response', aspect: 'response' },
      { concern: 'rewrite', pointer: '/transformation', aspect: 'body', inForce: 'has(spec.transformation)' },
      { concern: 'rewrite', pointer: '/urlRewrite', aspect: 'url', inForce: 'has(spec.urlRewrite)' },
      {
        concern: 'rewrite',
        pointer: '/autoHostRewrite',
        aspect: 'host',
        inForce: 'has(spec.autoHostRewrite) && spec.autoHostRewrite',
      },
      { concern: 'mirror', pointer: '/requestMirror', role: 'shapes' },
      { concern: 'rewrite', pointer: '/internalRedirect', aspect: 'redirect', role: 'shapes' },
      {
        concern: 'compression',
        pointer: '/compression/responseCompression',
        inForce:
          'has(spec.compression) && has(spec.compression.responseCompression) && !has(spec.compression.responseCompression.disable)',
        off: [
          {
            pointer: '/compression/responseCompression/disable',
            when: 'has(spec.compression.responseCompression.disable)',
          },
        ],
      },
      {
        concern: 'compression',
        pointer: '/compression/requestDecompression',
        off: [
          {
            pointer: '/compression/requestDecompression/disable',
            when: 'has(spec.compression.requestDecompression.disable)',
          },
        ],
      },
      {
        concern: 'fault-injection',
        pointer: '/faultInjection',
        inForce: 'has(spec.faultInjection) && !has(spec.faultInjection.disable)',
        off: [
          { pointer: '/faultInjection/disable', when: 'has(spec.faultInjection) && has(spec.faultInjection.disable)' },
        ],
      },
      {
        concern: 'observability',
        pointer: '/tracing',
        aspect: 'tracing',
        role: 'shapes',
        inForce: 'has(spec.tracing) && !has(spec.tracing.disable)',
        off: [{ pointer: '/tracing/disable', when: 'has(spec.tracing) && has(spec.tracing.disable)' }],
      },
      {
        concern: 'custom',
        pointer: '/extProc',
        aspect: 'external-processing',
        inForce: 'has(spec.extProc) && has(spec.extProc.extensionRef) && !has(spec.extProc.disable)',
        names: extension('/extProc/extensionRef'),
        off: [{ pointer: '/extProc/disable', when: 'has(spec.extProc) && has(spec.extProc.disable)' }],
      },
    ],
    secrets: [
      { pointer: '/basicAuth/users', isCertain: true },
      { pointer: '/headerModifiers/request/set/*/value' },
      { pointer: '/headerModifiers/request/add/*/value' },
      { pointer: '/transformation/request/set/*/value' },
    ],
  },
  {
    group: 'gateway.kgateway.dev',
    kind: 'HTTPListenerPolicy',
    fields: [
      {
        concern: 'observability',
        pointer: '/accessLog',
        aspect: 'access-log',
        inForce: 'has(spec.accessLog) && spec.accessLog.size() > 0',
      },
      {
        concern: 'compression',
        pointer: '/compress',
        weak: [{ effect: 'unknown', pointer: '/compress' }],
        certainty: 'unknown',
      },
    ],
  },
  {
    group: 'gateway.kgateway.dev',
    kind: 'ListenerPolicy',
    fields: [
      {
        concern: 'client-certificate',
        pointer: '/default/clientCertificateValidation',
        inForce:
          'has(spec.default.clientCertificateValidation) && has(spec.default.clientCertificateValidation.caCertificateRefs)',
        weak: [
          {
            effect: 'optional',
            pointer: '/default/clientCertificateValidation/mode',
            when: 'has(spec.default.clientCertificateValidation.mode) && spec.default.clientCertificateValidation.mode == "Optional"',
          },
        ],
      },
      { concern: 'observability', pointer: '/default/httpSettings/accessLog', aspect: 'access-log' },
      { concern: 'observability', pointer: '/default/httpSettings/tracing', aspect: 'tracing' },
      { concern: 'timeout', pointer: '/default/httpSettings/idleTimeout', aspect: 'idle' },
      { concern: 'timeout', pointer: '/default/httpSettings/streamIdleTimeout', aspect: 'stream' },
      { concern: 'request-size', pointer: '/default/httpSettings/maxRequestHeadersKb', aspect: 'headers' },
      { concern: 'headers', pointer: '/default/httpSettings/earlyRequestHeaderModifier', aspect: 'request' },
      { concern: 'observability', pointer: '/perPort/*/listener/httpSettings/accessLog', aspect: 'access-log' },
      { concern: 'observability', pointer: '/perPort/*/listener/httpSettings/tracing', aspect: 'tracing' },
      { concern: 'timeout', pointer: '/perPort/*/listener/httpSettings/idleTimeout', aspect: 'idle' },
      { concern: 'timeout', pointer: '/perPort/*/listener/httpSettings/streamIdleTimeout', aspect: 'stream' },
      { concern: 'request-size', pointer: '/perPort/*/listener/httpSettings/maxRequestHeadersKb', aspect: 'headers' },
      { concern: 'headers', pointer: '/perPort/*/listener/httpSettings/earlyRequestHeaderModifier', aspect: 'request' },
    ],
    secrets: [
      { pointer: '/default/httpSettings/accessLog/*/grpcService/initialMetadata/*/value' },
      { pointer: '/default/httpSettings/tracing/provider/openTelemetry/grpcService/initialMetadata/*/value' },
      { pointer: '/perPort/*/listener/httpSettings/accessLog/*/grpcService/initialMetadata/*/value' },
      {
        pointer: '/perPort/*/listener/httpSettings/tracing/provider/openTelemetry/grpcService/initialMetadata/*/value',
      },
    ],
  },
  {
    group: 'gateway.kgateway.dev',
    kind: 'BackendConfigPolicy',
    fields: [
      {
        concern: 'backend-tls',
        pointer: '/tls',
        aspect: 'verified',
        inForce: 'has(spec.tls) && !(has(spec.tls.insecureSkipVerify) && spec.tls.insecureSkipVerify)',
        weak: [
          {
            effect: 'unverified',
            pointer: '/tls/insecureSkipVerify',
            when: 'has(spec.tls) && has(spec.tls.insecureSkipVerify) && spec.tls.insecureSkipVerify',
          },
        ],
      },
      { concern: 'circuit-breaking', pointer: '/circuitBreakers', inForce: 'has(spec.circuitBreakers)' },
      { concern: 'health-check', pointer: '/healthCheck', aspect: 'active', inForce: 'has(spec.healthCheck)' },
      {
        concern: 'health-check',
        pointer: '/outlierDetection',
        aspect: 'passive',
        inForce: 'has(spec.outlierDetection)',
      },
      { concern: 'load-balancing', pointer: '/loadBalancer', aspect: 'algorithm', inForce: 'has(spec.loadBalancer)' },
      { concern: 'timeout', pointer: '/connectTimeout', aspect: 'connect', inForce: 'has(spec.connectTimeout)' },
      { concern: 'timeout', pointer: '/commonHttpProtocolOptions/idleTimeout', aspect: 'idle' },
      { concern: 'timeout', pointer: '/commonHttpProtocolOptions/maxStreamDuration', aspect: 'stream' },
    ],
  },
  {
    group: 'gateway.kgateway.dev',
    kind: 'GatewayExtension',
    fields: [
      {
        concern: 'authentication',
        pointer: '/jwt',
        aspect: 'jwt',
        weak: [
          {
            effect: 'optional',
            pointer: '/jwt/validationMode',
            when: 'has(spec.jwt.validationMode) && spec.jwt.validationMode == "AllowMissing"',
          },
        ],
      },
      {
        concern: 'authentication',
        pointer: '/extAuth',
        aspect: 'external',
        weak: [
          {
            effect: 'fail-open',
            pointer: '/extAuth/failOpen',
            when: 'has(spec.extAuth.failOpen) && spec.extAuth.failOpen',
          },
        ],
      },
      { concern: 'authentication', pointer: '/oauth2', aspect: 'oidc' },
      {
        concern: 'rate-limit',
        pointer: '/rateLimit',
        aspect: 'global',
        weak: [
          {
            effect: 'fail-open',
            pointer: '/rateLimit/failOpen',
            when: 'has(spec.rateLimit.failOpen) && spec.rateLimit.failOpen',
          },
        ],
      },
    ],
    secrets: [
      { pointer: '/jwt/providers/*/jwks/local/inline' },
      { pointer: '/extAuth/httpService/authorizationRequest/headersToAdd/*' },
    ],
  },
];
