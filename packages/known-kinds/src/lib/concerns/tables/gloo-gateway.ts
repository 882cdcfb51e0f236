import type { ConcernField } from '@policy-machinery/policy-kind';
import { alike, type KindConcerns } from '../kind-concerns.ts';

/** The fields that options of routes and of hosts have. */
const options: readonly ConcernField[] = [
  {
    concern: 'cors',
    pointer: '/options/cors',
    inForce: 'has(spec.options.cors) && !(has(spec.options.cors.disableForRoute) && spec.options.cors.disableForRoute)',
    weak: [
      {
        effect: 'wide',
        pointer: '/options/cors/allowOrigin',
        when: 'has(spec.options.cors) && has(spec.options.cors.allowOrigin) && "*" in spec.options.cors.allowOrigin',
      },
    ],
    off: [
      {
        pointer: '/options/cors/disableForRoute',
        when: 'has(spec.options.cors.disableForRoute) && spec.options.cors.disableForRoute',
      },
    ],
  },
  {
    concern: 'csrf',
    pointer: '/options/csrf/filterEnabled',
    weak: [{ effect: 'report-only', pointer: '/options/csrf/shadowEnabled' }],
  },
  ...alike(['authentication', 'authorization'], {
    pointer: '/options/extauth',
    aspect: 'external',
    inForce:
      'has(spec.options.extauth) && (has(spec.options.extauth.configRef) || has(spec.options.extauth.customAuth)) && !(has(spec.options.extauth.disable) && spec.options.extauth.disable)',
    names: { pointer: '/options/extauth/configRef', group: 'enterprise.gloo.solo.io', kind: 'AuthConfig' },
    off: [
      {
        pointer: '/options/extauth/disable',
        when: 'has(spec.options.extauth.disable) && spec.options.extauth.disable',
      },
    ],
  }),
  {
    concern: 'authorization',
    pointer: '/options/rbac',
    aspect: 'rules',
    inForce:
      'has(spec.options.rbac) && has(spec.options.rbac.policies) && !(has(spec.options.rbac.disable) && spec.options.rbac.disable)',
    off: [{ pointer: '/options/rbac/disable', when: 'has(spec.options.rbac.disable) && spec.options.rbac.disable' }],
  },
  {
    concern: 'rate-limit',
    pointer: '/options/ratelimit/rateLimits',
    aspect: 'global',
    inForce:
      'has(spec.options.ratelimit) && has(spec.options.ratelimit.rateLimits) && spec.options.ratelimit.rateLimits.size() > 0',
  },
  { concern: 'rate-limit', pointer: '/options/ratelimit/localRatelimit', aspect: 'local' },
  {
    concern: 'rate-limit',
    pointer: '/options/ratelimitEarly/rateLimits',
    aspect: 'global',
    inForce:
      'has(spec.options.ratelimitEarly) && has(spec.options.ratelimitEarly.rateLimits) && spec.options.ratelimitEarly.rateLimits.size() > 0',
  },
  { concern: 'rate-limit', pointer: '/options/ratelimitEarly/localRatelimit', aspect: 'local' },
  {
    concern: 'rate-limit',
    pointer: '/options/ratelimitRegular/rateLimits',
    aspect: 'global',
    inForce:
      'has(spec.options.ratelimitRegular) && has(spec.options.ratelimitRegular.rateLimits) && spec.options.ratelimitRegular.rateLimits.size() > 0',
  },
  { concern: 'rate-limit', pointer: '/options/ratelimitRegular/localRatelimit', aspect: 'local' },
  {
    concern: 'rate-limit',
    pointer: '/options/ratelimitBasic',
    aspect: 'global',
    inForce: 'has(spec.options.ratelimitBasic)',
    weak: [
      {
        effect: 'part',
        pointer: '/options/ratelimitBasic/authorizedLimits',
        when: 'has(spec.options.ratelimitBasic) && (!has(spec.options.ratelimitBasic.anonymousLimits) || !has(spec.options.ratelimitBasic.authorizedLimits))',
      },
    ],
  },
  { concern: 'rate-limit', pointer: '/options/rateLimitConfigs/refs', aspect: 'global' },
  { concern: 'rate-limit', pointer: '/options/rateLimitEarlyConfigs/refs', aspect: 'global' },
  { concern: 'rate-limit', pointer: '/options/rateLimitRegularConfigs/refs', aspect: 'global' },
  {
    concern: 'waf',
    pointer: '/options/waf',
    aspect: 'rules',
    inForce:
      'has(spec.options.waf) && !(has(spec.options.waf.disabled) && spec.options.waf.disabled) && (has(spec.options.waf.coreRuleSet) || has(spec.options.waf.ruleSets) || has(spec.options.waf.configMapRuleSets))',
    off: [{ pointer: '/options/waf/disabled', when: 'has(spec.options.waf.disabled) && spec.options.waf.disabled' }],
  },
  { concern: 'waf', pointer: '/options/dlp/actions', aspect: 'data-loss' },
  {
    concern: 'request-size',
    pointer: '/options/bufferPerRoute/buffer',
    aspect: 'body',
    off: [
      {
        pointer: '/options/bufferPerRoute/disabled',
        when: 'has(spec.options.bufferPerRoute.disabled) && spec.options.bufferPerRoute.disabled',
      },
    ],
  },
  {
    concern: 'retry',
    pointer: '/options/retries',
    aspect: 'attempts',
    inForce:
      'has(spec.options.retries) && (!has(spec.options.retries.numRetries) || spec.options.retries.numRetries > 0)',
  },
  { concern: 'headers', pointer: '/options/headerManipulation', inForce: 'has(spec.options.headerManipulation)' },
  { concern: 'rewrite', pointer: '/options/transformations', aspect: 'body' },
  { concern: 'rewrite', pointer: '/options/stagedTransformations', aspect: 'body' },
  {
    concern: 'custom',
    pointer: '/options/extProc/overrides',
    aspect: 'external-processing',
    off: [
      {
        pointer: '/options/extProc/disabled',
        when: 'has(spec.options.extProc.disabled) && spec.options.extProc.disabled',
      },
    ],
  },
  {
    concern: 'custom',
    pointer: '/options/extProcEarly/overrides',
    aspect: 'external-processing',
    off: [
      {
        pointer: '/options/extProcEarly/disabled',
        when: 'has(spec.options.extProcEarly.disabled) && spec.options.extProcEarly.disabled',
      },
    ],
  },
  {
    concern: 'custom',
    pointer: '/options/extProcLate/overrides',
    aspect: 'external-processing',
    off: [
      {
        pointer: '/options/extProcLate/disabled',
        when: 'has(spec.options.extProcLate.disabled) && spec.options.extProcLate.disabled',
      },
    ],
  },
];

/** The concerns that kinds of Gloo Gateway serve. */
export const glooGatewayConcerns: readonly KindConcerns[] = [
  {
    group: 'gateway.solo.io',
    kind: 'RouteOption',
    fields: [
      ...options,
      {
        concern: 'authentication',
        pointer: '/options/jwtProvidersStaged',
        aspect: 'jwt',
        inForce:
          'has(spec.options.jwtProvidersStaged) && (has(spec.options.jwtProvidersStaged.beforeExtAuth) || has(spec.options.jwtProvidersStaged.afterExtAuth))',
        weak: [
          {
            effect: 'optional',
            pointer: '/options/jwtProvidersStaged/beforeExtAuth/allowMissingOrFailedJwt',
            when: 'has(spec.options.jwtProvidersStaged.beforeExtAuth) && has(spec.options.jwtProvidersStaged.beforeExtAuth.allowMissingOrFailedJwt) && spec.options.jwtProvidersStaged.beforeExtAuth.allowMissingOrFailedJwt',
          },
          { effect: 'optional', pointer: '/options/jwtProvidersStaged/afterExtAuth/allowMissingOrFailedJwt' },
          { effect: 'unknown', pointer: '/options/jwtProvidersStaged/beforeExtAuth/validationPolicy' },
        ],
      },
      {
        concern: 'authentication',
        pointer: '/options/jwt/disable',
        aspect: 'jwt',
        role: 'disables',
        off: [{ pointer: '/options/jwt/disable', when: 'has(spec.options.jwt.disable) && spec.options.jwt.disable' }],
      },
      {
        concern: 'authentication',
        pointer: '/options/jwtStaged',
        aspect: 'jwt',
        role: 'disables',
        off: [
          {
            pointer: '/options/jwtStaged/beforeExtAuth/disable',
            when: 'has(spec.options.jwtStaged.beforeExtAuth) && has(spec.options.jwtStaged.beforeExtAuth.disable) && spec.options.jwtStaged.beforeExtAuth.disable',
          },
          {
            pointer: '/options/jwtStaged/afterExtAuth/disable',
            when: 'has(spec.options.jwtStaged.afterExtAuth.disable) && spec.options.jwtStaged.afterExtAuth.disable',
          },
        ],
      },
      { concern: 'timeout', pointer: '/options/timeout', aspect: 'request', inForce: 'has(spec.options.timeout)' },
      { concern: 'timeout', pointer: '/options/idleTimeout', aspect: 'idle' },
      { concern: 'timeout', pointer: '/options/maxStreamDuration', aspect: 'stream' },
      { concern: 'fault-injection', pointer: '/options/faults', inForce: 'has(spec.options.faults)' },
      { concern: 'mirror', pointer: '/options/shadowing', inForce: 'has(spec.options.shadowing)' },
      { concern: 'load-balancing', pointer: '/options/lbHash/hashPolicies', aspect: 'affinity' },
      { concern: 'rewrite', pointer: '/options/prefixRewrite', aspect: 'url' },
      { concern: 'rewrite', pointer: '/options/hostRewrite', aspect: 'host' },
      { concern: 'rewrite', pointer: '/options/regexRewrite', aspect: 'url' },
      { concern: 'rewrite', pointer: '/options/hostRewriteHeader', aspect: 'host' },
      { concern: 'observability', pointer: '/options/tracing', aspect: 'tracing', role: 'shapes' },
      { concern: 'ai-guard', pointer: '/options/ai/promptGuard', aspect: 'prompt' },
      { concern: 'caching', pointer: '/options/ai/semanticCache', aspect: 'semantic' },
    ],
    secrets: [
      { pointer: '/options/headerManipulation/requestHeadersToAdd/*/header/value' },
      { pointer: '/options/ai/promptGuard/request/moderation/openai/authToken/inline', isCertain: true },
      { pointer: '/options/ai/rag/embedding/openai/authToken/inline', isCertain: true },
      { pointer: '/options/ai/rag/embedding/azureOpenai/authToken/inline', isCertain: true },
      { pointer: '/options/ai/semanticCache/embedding/openai/authToken/inline', isCertain: true },
      { pointer: '/options/ai/semanticCache/embedding/azureOpenai/authToken/inline', isCertain: true },
    ],
  },
  {
    group: 'gateway.solo.io',
    kind: 'VirtualHostOption',
    fields: [
      ...options,
      {
        concern: 'authentication',
        pointer: '/options/jwt',
        aspect: 'jwt',
        inForce: 'has(spec.options.jwt) && has(spec.options.jwt.providers)',
        weak: [
          {
            effect: 'optional',
            pointer: '/options/jwt/allowMissingOrFailedJwt',
            when: 'has(spec.options.jwt.allowMissingOrFailedJwt) && spec.options.jwt.allowMissingOrFailedJwt',
          },
          { effect: 'unknown', pointer: '/options/jwt/validationPolicy' },
        ],
      },
      { concern: 'authentication', pointer: '/options/jwtStaged', aspect: 'jwt' },
    ],
    secrets: [{ pointer: '/options/headerManipulation/requestHeadersToAdd/*/header/value' }],
  },
  {
    group: 'gateway.solo.io',
    kind: 'ListenerOption',
    fields: [
      { concern: 'observability', pointer: '/options/accessLoggingService/accessLog', aspect: 'access-log' },
      { concern: 'observability', pointer: '/options/listenerAccessLoggingService/accessLog', aspect: 'access-log' },
    ],
  },
  {
    group: 'gateway.solo.io',
    kind: 'HttpListenerOption',
    fields: [
      {
        concern: 'waf',
        pointer: '/options/waf',
        aspect: 'rules',
        off: [
          { pointer: '/options/waf/disabled', when: 'has(spec.options.waf.disabled) && spec.options.waf.disabled' },
        ],
      },
      { concern: 'request-size', pointer: '/options/buffer/maxRequestBytes', aspect: 'body' },
      { concern: 'caching', pointer: '/options/caching', aspect: 'http' },
      { concern: 'overload', pointer: '/options/connectionLimit', aspect: 'connections' },
      { concern: 'csrf', pointer: '/options/csrf' },
      { concern: 'compression', pointer: '/options/gzip' },
      { concern: 'custom', pointer: '/options/extProc', aspect: 'external-processing' },
      { concern: 'custom', pointer: '/options/wasm/filters', aspect: 'wasm' },
      { concern: 'waf', pointer: '/options/dlp/dlpRules', aspect: 'data-loss' },
      { concern: 'rate-limit', pointer: '/options/httpLocalRatelimit/defaultLimit', aspect: 'local' },
      { concern: 'overload', pointer: '/options/networkLocalRatelimit', aspect: 'connections' },
      { concern: 'observability', pointer: '/options/httpConnectionManagerSettings/tracing', aspect: 'tracing' },
      { concern: 'timeout', pointer: '/options/httpConnectionManagerSettings/requestTimeout', aspect: 'client' },
      { concern: 'timeout', pointer: '/options/httpConnectionManagerSettings/idleTimeout', aspect: 'idle' },
      { concern: 'timeout', pointer: '/options/httpConnectionManagerSettings/streamIdleTimeout', aspect: 'stream' },
      { concern: 'timeout', pointer: '/options/httpConnectionManagerSettings/requestHeadersTimeout', aspect: 'client' },
      {
        concern: 'request-size',
        pointer: '/options/httpConnectionManagerSettings/maxRequestHeadersKb',
        aspect: 'headers',
      },
      { concern: 'load-balancing', pointer: '/options/statefulSession', aspect: 'affinity' },
      { concern: 'custom', pointer: '/options/extProcEarly', aspect: 'external-processing' },
      { concern: 'custom', pointer: '/options/extProcLate', aspect: 'external-processing' },
      { concern: 'rewrite', pointer: '/options/grpcJsonTranscoder', aspect: 'body' },
      { concern: 'health-check', pointer: '/options/healthCheck', aspect: 'active' },
      {
        concern: 'authentication',
        pointer: '/options/extauth',
        aspect: 'external',
        role: 'shapes',
        weak: [
          {
            effect: 'fail-open',
            pointer: '/options/extauth/failureModeAllow',
            when: 'has(spec.options.extauth.failureModeAllow) && spec.options.extauth.failureModeAllow',
          },
        ],
      },
      {
        concern: 'rate-limit',
        pointer: '/options/ratelimitServer',
        aspect: 'global',
        role: 'shapes',
        weak: [
          {
            effect: 'fail-open',
            pointer: '/options/ratelimitServer/denyOnFail',
            when: 'has(spec.options.ratelimitServer) && !(has(spec.options.ratelimitServer.denyOnFail) && spec.options.ratelimitServer.denyOnFail)',
          },
        ],
      },
    ],
  },
];
