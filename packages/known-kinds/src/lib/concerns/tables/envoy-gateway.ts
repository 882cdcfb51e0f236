import { alike, type KindConcerns } from '../kind-concerns.ts';

/** The concerns that kinds of Envoy Gateway serve. */
export const envoyGatewayConcerns: readonly KindConcerns[] = [
  {
    group: 'gateway.envoyproxy.io',
    kind: 'SecurityPolicy',
    fields: [
      {
        concern: 'authentication',
        pointer: '/jwt',
        aspect: 'jwt',
        inForce: 'has(spec.jwt) && has(spec.jwt.providers) && spec.jwt.providers.size() > 0',
        weak: [
          {
            effect: 'optional',
            pointer: '/jwt/optional',
            when: 'has(spec.jwt) && has(spec.jwt.optional) && spec.jwt.optional',
          },
          {
            effect: 'optional',
            pointer: '/jwt/failOpen',
            when: 'has(spec.jwt) && has(spec.jwt.failOpen) && spec.jwt.failOpen',
          },
        ],
      },
      {
        concern: 'authentication',
        pointer: '/oidc',
        aspect: 'oidc',
        inForce: 'has(spec.oidc)',
        weak: [
          {
            effect: 'optional',
            pointer: '/oidc/passThroughAuthHeader',
            when: 'has(spec.oidc) && has(spec.oidc.passThroughAuthHeader) && spec.oidc.passThroughAuthHeader && (!has(spec.jwt) || (has(spec.jwt.optional) && spec.jwt.optional) || (has(spec.jwt.failOpen) && spec.jwt.failOpen))',
          },
        ],
      },
      {
        concern: 'authentication',
        pointer: '/basicAuth',
        aspect: 'basic',
        inForce: 'has(spec.basicAuth) && has(spec.basicAuth.users)',
      },
      {
        concern: 'authentication',
        pointer: '/apiKeyAuth',
        aspect: 'api-key',
        inForce:
          'has(spec.apiKeyAuth) && has(spec.apiKeyAuth.credentialRefs) && spec.apiKeyAuth.credentialRefs.size() > 0',
      },
      ...alike(['authentication', 'authorization'], {
        pointer: '/extAuth',
        aspect: 'external',
        inForce: 'has(spec.extAuth) && (has(spec.extAuth.grpc) || has(spec.extAuth.http))',
        weak: [
          {
            effect: 'fail-open',
            pointer: '/extAuth/failOpen',
            when: 'has(spec.extAuth) && has(spec.extAuth.failOpen) && spec.extAuth.failOpen',
          },
        ],
      }),
      {
        concern: 'authorization',
        pointer: '/authorization',
        aspect: 'rules',
        inForce:
          'has(spec.authorization) && ((has(spec.authorization.rules) && spec.authorization.rules.size() > 0) || !has(spec.authorization.defaultAction) || spec.authorization.defaultAction == "Deny")',
        weak: [
          {
            effect: 'part',
            pointer: '/authorization/defaultAction',
            when: 'has(spec.authorization) && has(spec.authorization.defaultAction) && spec.authorization.defaultAction == "Allow" && has(spec.authorization.rules) && spec.authorization.rules.size() > 0',
          },
        ],
        off: [
          {
            pointer: '/authorization/defaultAction',
            when: 'has(spec.authorization) && has(spec.authorization.defaultAction) && spec.authorization.defaultAction == "Allow" && (!has(spec.authorization.rules) || spec.authorization.rules.size() == 0)',
          },
        ],
      },
      {
        concern: 'cors',
        pointer: '/cors',
        inForce: 'has(spec.cors)',
        weak: [
          {
            effect: 'wide',
            pointer: '/cors/allowOrigins',
            when: 'has(spec.cors) && has(spec.cors.allowOrigins) && "*" in spec.cors.allowOrigins',
          },
        ],
      },
      {
        concern: 'csrf',
        pointer: '/csrf',
        inForce: 'has(spec.csrf)',
        weak: [
          {
            effect: 'report-only',
            pointer: '/csrf/shadowFraction',
            when: 'has(spec.csrf) && has(spec.csrf.shadowFraction)',
          },
        ],
      },
    ],
    secrets: [{ pointer: '/jwt/providers/*/localJWKS/inline' }, { pointer: '/extAuth/contextExtensions/*/value' }],
  },
  {
    group: 'gateway.envoyproxy.io',
    kind: 'BackendTrafficPolicy',
    fields: [
      {
        concern: 'rate-limit',
        pointer: '/rateLimit/global/rules',
        aspect: 'global',
        inForce:
          'has(spec.rateLimit) && has(spec.rateLimit.global) && has(spec.rateLimit.global.rules) && spec.rateLimit.global.rules.size() > 0',
        weak: [
          {
            effect: 'part',
            pointer: '/rateLimit/global/rules/*/clientSelectors',
            when: 'has(spec.rateLimit) && has(spec.rateLimit.global) && has(spec.rateLimit.global.rules) && spec.rateLimit.global.rules.all(r, has(r.clientSelectors) && r.clientSelectors.size() > 0)',
          },
          {
            effect: 'report-only',
            pointer: '/rateLimit/global/rules/*/shadowMode',
            when: 'has(spec.rateLimit) && has(spec.rateLimit.global) && has(spec.rateLimit.global.rules) && spec.rateLimit.global.rules.all(r, has(r.shadowMode) && r.shadowMode)',
          },
        ],
      },
      {
        concern: 'rate-limit',
        pointer: '/rateLimit/local/rules',
        aspect: 'local',
        inForce:
          'has(spec.rateLimit) && has(spec.rateLimit.local) && has(spec.rateLimit.local.rules) && spec.rateLimit.local.rules.size() > 0',
        weak: [
          {
            effect: 'part',
            pointer: '/rateLimit/local/rules/*/clientSelectors',
            when: 'has(spec.rateLimit) && has(spec.rateLimit.local) && has(spec.rateLimit.local.rules) && spec.rateLimit.local.rules.all(r, has(r.clientSelectors) && r.clientSelectors.size() > 0)',
          },
          {
            effect: 'report-only',
            pointer: '/rateLimit/local/rules/*/shadowMode',
            when: 'has(spec.rateLimit) && has(spec.rateLimit.local) && has(spec.rateLimit.local.rules) && spec.rateLimit.local.rules.all(r, has(r.shadowMode) && r.shadowMode)',
          },
        ],
      },
      {
        concern: 'timeout',
        pointer: '/timeout/http/requestTimeout',
        aspect: 'request',
        inForce: 'has(spec.timeout.http.requestTimeout)',
      },
      {
        concern: 'timeout',
        pointer: '/timeout/http/connectionIdleTimeout',
        aspect: 'idle',
        inForce: 'has(spec.timeout.http.connectionIdleTimeout)',
      },
      {
        concern: 'timeout',
        pointer: '/timeout/http/streamIdleTimeout',
        aspect: 'stream',
        inForce: 'has(spec.timeout.http.streamIdleTimeout)',
      },
      { concern: 'timeout', pointer: '/timeout/http/maxConnectionDuration', aspect: 'idle' },
      { concern: 'timeout', pointer: '/timeout/http/maxStreamDuration', aspect: 'stream' },
      {
        concern: 'timeout',
        pointer: '/timeout/tcp/connectTimeout',
        aspect: 'connect',
        inForce: 'has(spec.timeout.tcp.connectTimeout)',
      },
      {
        concern: 'retry',
        pointer: '/retry',
        aspect: 'attempts',
        inForce: 'has(spec.retry) && (!has(spec.retry.numRetries) || spec.retry.numRetries > 0)',
        off: [
          {
            pointer: '/retry/numRetries',
            when: 'has(spec.retry) && has(spec.retry.numRetries) && spec.retry.numRetries == 0',
          },
        ],
      },
      { concern: 'circuit-breaking', pointer: '/circuitBreaker', inForce: 'has(spec.circuitBreaker)' },
      {
        concern: 'health-check',
        pointer: '/healthCheck/active',
        aspect: 'active',
        inForce: 'has(spec.healthCheck.active)',
      },
      {
        concern: 'health-check',
        pointer: '/healthCheck/passive',
        aspect: 'passive',
        inForce: 'has(spec.healthCheck.passive)',
      },
      { concern: 'load-balancing', pointer: '/loadBalancer', aspect: 'algorithm', inForce: 'has(spec.loadBalancer)' },
      {
        concern: 'request-size',
        pointer: '/requestBuffer/limit',
        aspect: 'body',
        inForce: 'has(spec.requestBuffer) && has(spec.requestBuffer.limit)',
      },
      { concern: 'overload', pointer: '/admissionControl', aspect: 'shedding', inForce: 'has(spec.admissionControl)' },
      { concern: 'overload', pointer: '/bandwidthLimit', aspect: 'bandwidth', inForce: 'has(spec.bandwidthLimit)' },
      {
        concern: 'compression',
        pointer: '/compression',
        inForce: 'has(spec.compression) && spec.compression.size() > 0',
      },
      { concern: 'compression', pointer: '/compressor', inForce: 'has(spec.compressor) && spec.compressor.size() > 0' },
      { concern: 'fault-injection', pointer: '/faultInjection', inForce: 'has(spec.faultInjection)' },
      {
        concern: 'rewrite',
        pointer: '/responseOverride',
        aspect: 'answer',
        inForce: 'has(spec.responseOverride) && spec.responseOverride.size() > 0',
      },
      {
        concern: 'observability',
        pointer: '/telemetry/tracing',
        aspect: 'tracing',
        role: 'shapes',
        inForce: 'has(spec.telemetry.tracing)',
      },
      { concern: 'observability', pointer: '/telemetry/metrics', aspect: 'metrics', role: 'shapes' },
    ],
    secrets: [
      { pointer: '/responseOverride/*/response/header/set/*/value' },
      { pointer: '/loadBalancer/dynamicModule/config' },
    ],
  },
  {
    group: 'gateway.envoyproxy.io',
    kind: 'ClientTrafficPolicy',
    fields: [
      {
        concern: 'client-certificate',
        pointer: '/tls/clientValidation',
        inForce:
          'has(spec.tls.clientValidation) && (has(spec.tls.clientValidation.caCertificateRefs) || has(spec.tls.clientValidation.spkiHashes) || has(spec.tls.clientValidation.certificateHashes))',
        weak: [
          {
            effect: 'optional',
            pointer: '/tls/clientValidation/optional',
            when: 'has(spec.tls.clientValidation.optional) && spec.tls.clientValidation.optional && !has(spec.tls.clientValidation.mode)',
          },
          {
            effect: 'optional',
            pointer: '/tls/clientValidation/mode',
            when: 'has(spec.tls.clientValidation.mode) && spec.tls.clientValidation.mode != "RequireAndVerify"',
          },
          {
            effect: 'wide',
            pointer: '/tls/clientValidation/allowExpiredCertificate',
            when: 'has(spec.tls.clientValidation.allowExpiredCertificate) && spec.tls.clientValidation.allowExpiredCertificate',
          },
        ],
      },
      ...['/clientIPDetection', '/proxyProtocol', '/enableProxyProtocol'].map(
        (pointer) => ({ concern: 'authorization', pointer, aspect: 'network', role: 'shapes' }) as const,
      ),
      { concern: 'client-tls', pointer: '/tls/minVersion', aspect: 'versions', role: 'shapes' },
      { concern: 'client-tls', pointer: '/tls/ciphers', aspect: 'versions', role: 'shapes' },
      { concern: 'timeout', pointer: '/timeout/http/requestReceivedTimeout', aspect: 'client' },
      { concern: 'timeout', pointer: '/timeout/http/requestHeadersReceivedTimeout', aspect: 'client' },
      { concern: 'timeout', pointer: '/timeout/http/idleTimeout', aspect: 'idle' },
      { concern: 'timeout', pointer: '/timeout/http/streamIdleTimeout', aspect: 'stream' },
      { concern: 'timeout', pointer: '/timeout/tcp/idleTimeout', aspect: 'idle' },
      { concern: 'timeout', pointer: '/timeout/tcp/tlsHandshakeTimeout', aspect: 'client' },
      {
        concern: 'request-size',
        pointer: '/headers/maxRequestHeaderLimit',
        aspect: 'headers',
        inForce: 'has(spec.headers.maxRequestHeaderLimit)',
      },
      {
        concern: 'overload',
        pointer: '/connection/connectionLimit/value',
        aspect: 'connections',
        inForce: 'has(spec.connection.connectionLimit.value)',
      },
      {
        concern: 'headers',
        pointer: '/headers/earlyRequestHeaders',
        aspect: 'request',
        inForce: 'has(spec.headers.earlyRequestHeaders)',
      },
      {
        concern: 'headers',
        pointer: '/headers/lateResponseHeaders',
        aspect: 'response',
        inForce: 'has(spec.headers.lateResponseHeaders)',
      },
    ],
    secrets: [
      { pointer: '/headers/earlyRequestHeaders/set/*/value' },
      { pointer: '/headers/earlyRequestHeaders/add/*/value' },
    ],
  },
  {
    group: 'gateway.envoyproxy.io',
    kind: 'EnvoyExtensionPolicy',
    fields: [
      {
        concern: 'custom',
        pointer: '/extProc',
        aspect: 'external-processing',
        inForce: 'has(spec.extProc) && spec.extProc.size() > 0',
        weak: [
          {
            effect: 'fail-open',
            pointer: '/extProc/*/failOpen',
            when: 'has(spec.extProc) && spec.extProc.exists(x, has(x.failOpen) && x.failOpen)',
          },
        ],
      },
      {
        concern: 'custom',
        pointer: '/wasm',
        aspect: 'wasm',
        inForce: 'has(spec.wasm) && spec.wasm.size() > 0',
        weak: [
          {
            effect: 'fail-open',
            pointer: '/wasm/*/failOpen',
            when: 'has(spec.wasm) && spec.wasm.exists(x, has(x.failOpen) && x.failOpen)',
          },
        ],
      },
      { concern: 'custom', pointer: '/lua', aspect: 'lua', inForce: 'has(spec.lua) && spec.lua.size() > 0' },
      {
        concern: 'custom',
        pointer: '/dynamicModule',
        aspect: 'dynamic-module',
        inForce: 'has(spec.dynamicModule) && spec.dynamicModule.size() > 0',
      },
    ],
    secrets: [{ pointer: '/wasm/*/config' }, { pointer: '/dynamicModule/*/config' }, { pointer: '/lua/*/inline' }],
  },
  {
    group: 'gateway.envoyproxy.io',
    kind: 'EnvoyPatchPolicy',
    fields: [
      {
        concern: 'custom',
        pointer: '/jsonPatches',
        aspect: 'patch',
        inForce: 'has(spec.jsonPatches) && spec.jsonPatches.size() > 0',
      },
    ],
    secrets: [{ pointer: '/jsonPatches/*/operation/value' }],
  },
  {
    group: 'gateway.envoyproxy.io',
    kind: 'HTTPRouteFilter',
    fields: [
      { concern: 'backend-auth', pointer: '/credentialInjection', inForce: 'has(spec.credentialInjection)' },
      { concern: 'rewrite', pointer: '/directResponse', aspect: 'answer', inForce: 'has(spec.directResponse)' },
      { concern: 'rewrite', pointer: '/urlRewrite', aspect: 'url', inForce: 'has(spec.urlRewrite)' },
    ],
  },
  {
    group: 'gateway.envoyproxy.io',
    kind: 'Backend',
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
    ],
  },
  {
    group: 'gateway.envoyproxy.io',
    kind: 'EnvoyProxy',
    fields: [
      {
        concern: 'observability',
        pointer: '/telemetry/accessLog',
        aspect: 'access-log',
        off: [
          {
            pointer: '/telemetry/accessLog/disable',
            when: 'has(spec.telemetry.accessLog) && has(spec.telemetry.accessLog.disable) && spec.telemetry.accessLog.disable',
          },
        ],
      },
      {
        concern: 'observability',
        pointer: '/telemetry/tracing',
        aspect: 'tracing',
        inForce: 'has(spec.telemetry.tracing)',
      },
      { concern: 'backend-tls', pointer: '/backendTLS', aspect: 'mutual', role: 'shapes' },
    ],
  },
];
