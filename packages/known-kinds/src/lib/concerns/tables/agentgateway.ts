import { alike, type KindConcerns } from '../kind-concerns.ts';

/** The concerns that kinds of agentgateway serve. */
export const agentgatewayConcerns: readonly KindConcerns[] = [
  {
    group: 'agentgateway.dev',
    kind: 'AgentgatewayPolicy',
    fields: [
      {
        concern: 'authentication',
        pointer: '/traffic/jwtAuthentication',
        aspect: 'jwt',
        inForce:
          'has(spec.traffic.jwtAuthentication) && has(spec.traffic.jwtAuthentication.providers) && spec.traffic.jwtAuthentication.providers.size() > 0',
        weak: [
          {
            effect: 'optional',
            pointer: '/traffic/jwtAuthentication/mode',
            when: 'has(spec.traffic.jwtAuthentication) && has(spec.traffic.jwtAuthentication.mode) && spec.traffic.jwtAuthentication.mode != "Strict"',
          },
        ],
      },
      {
        concern: 'authentication',
        pointer: '/traffic/apiKeyAuthentication',
        aspect: 'api-key',
        inForce: 'has(spec.traffic.apiKeyAuthentication)',
        weak: [
          {
            effect: 'optional',
            pointer: '/traffic/apiKeyAuthentication/mode',
            when: 'has(spec.traffic.apiKeyAuthentication) && has(spec.traffic.apiKeyAuthentication.mode) && spec.traffic.apiKeyAuthentication.mode != "Strict"',
          },
        ],
      },
      {
        concern: 'authentication',
        pointer: '/traffic/basicAuthentication',
        aspect: 'basic',
        inForce: 'has(spec.traffic.basicAuthentication)',
        weak: [
          {
            effect: 'optional',
            pointer: '/traffic/basicAuthentication/mode',
            when: 'has(spec.traffic.basicAuthentication) && has(spec.traffic.basicAuthentication.mode) && spec.traffic.basicAuthentication.mode != "Strict"',
          },
        ],
      },
      ...alike(['authentication', 'authorization'], {
        pointer: '/traffic/extAuth',
        aspect: 'external',
        inForce: 'has(spec.traffic.extAuth)',
        weak: [
          {
            effect: 'fail-open',
            pointer: '/traffic/extAuth/failureMode',
            when: 'has(spec.traffic.extAuth.failureMode) && spec.traffic.extAuth.failureMode == "FailOpen"',
          },
          {
            effect: 'part',
            pointer: '/traffic/extAuth/conditional',
            when: 'has(spec.traffic.extAuth.conditional) && spec.traffic.extAuth.conditional.size() > 0',
          },
        ],
      }),
      {
        concern: 'authentication',
        pointer: '/backend/mcp/authentication',
        aspect: 'oidc',
        inForce: 'has(spec.backend.mcp.authentication)',
        weak: [
          {
            effect: 'optional',
            pointer: '/backend/mcp/authentication/mode',
            when: 'has(spec.backend.mcp.authentication.mode) && spec.backend.mcp.authentication.mode != "Strict"',
          },
        ],
      },
      {
        concern: 'authorization',
        pointer: '/traffic/authorization',
        aspect: 'rules',
        inForce: 'has(spec.traffic.authorization)',
        weak: [
          {
            effect: 'part',
            pointer: '/traffic/authorization/action',
            when: 'has(spec.traffic.authorization.action) && spec.traffic.authorization.action == "Deny"',
          },
        ],
      },
      {
        concern: 'authorization',
        pointer: '/backend/mcp/authorization',
        aspect: 'mcp',
        inForce: 'has(spec.backend.mcp.authorization)',
      },
      {
        concern: 'authorization',
        pointer: '/frontend/networkAuthorization',
        aspect: 'network',
        inForce: 'has(spec.frontend.networkAuthorization)',
      },
      {
        concern: 'authorization',
        pointer: '/backend/extAuth',
        aspect: 'external',
        inForce: 'has(spec.backend.extAuth)',
        weak: [
          {
            effect: 'fail-open',
            pointer: '/backend/extAuth/failureMode',
            when: 'has(spec.backend.extAuth.failureMode) && spec.backend.extAuth.failureMode == "FailOpen"',
          },
        ],
      },
      {
        concern: 'rate-limit',
        pointer: '/traffic/rateLimit/local',
        aspect: 'local',
        inForce:
          'has(spec.traffic.rateLimit) && has(spec.traffic.rateLimit.local) && spec.traffic.rateLimit.local.size() > 0',
      },
      {
        concern: 'rate-limit',
        pointer: '/traffic/rateLimit/global',
        aspect: 'global',
        inForce: 'has(spec.traffic.rateLimit) && has(spec.traffic.rateLimit.global)',
        weak: [
          {
            effect: 'fail-open',
            pointer: '/traffic/rateLimit/global/failureMode',
            when: 'has(spec.traffic.rateLimit.global.failureMode) && spec.traffic.rateLimit.global.failureMode == "FailOpen"',
          },
        ],
      },
      {
        concern: 'rate-limit',
        pointer: '/traffic/rateLimit/conditional',
        weak: [
          {
            effect: 'part',
            pointer: '/traffic/rateLimit/conditional',
            when: 'has(spec.traffic.rateLimit.conditional)',
          },
          { effect: 'part', pointer: '/traffic/rateLimit/conditional' },
        ],
      },
      {
        concern: 'cors',
        pointer: '/traffic/cors',
        inForce: 'has(spec.traffic.cors)',
        weak: [
          {
            effect: 'wide',
            pointer: '/traffic/cors/allowOrigins',
            when: 'has(spec.traffic.cors) && has(spec.traffic.cors.allowOrigins) && "*" in spec.traffic.cors.allowOrigins',
          },
        ],
      },
      { concern: 'csrf', pointer: '/traffic/csrf', inForce: 'has(spec.traffic.csrf)' },
      {
        concern: 'request-size',
        pointer: '/traffic/buffer/request/maxBytes',
        aspect: 'body',
        inForce: 'has(spec.traffic.buffer.request)',
        weak: [
          {
            effect: 'fail-open',
            pointer: '/traffic/buffer/request/failureMode',
            when: 'has(spec.traffic.buffer.request.failureMode) && spec.traffic.buffer.request.failureMode == "FailOpen"',
          },
        ],
      },
      { concern: 'request-size', pointer: '/frontend/http/http2MaxHeaderSize', aspect: 'headers' },
      {
        concern: 'timeout',
        pointer: '/traffic/timeouts/request',
        aspect: 'request',
        inForce: 'has(spec.traffic.timeouts.request)',
      },
      {
        concern: 'timeout',
        pointer: '/backend/http/requestTimeout',
        aspect: 'backend-request',
        inForce: 'has(spec.backend.http.requestTimeout)',
      },
      { concern: 'timeout', pointer: '/backend/tcp/connectTimeout', aspect: 'connect' },
      { concern: 'timeout', pointer: '/frontend/http/http1IdleTimeout', aspect: 'idle' },
      { concern: 'timeout', pointer: '/frontend/tls/handshakeTimeout', aspect: 'client' },
      {
        concern: 'retry',
        pointer: '/traffic/retry',
        aspect: 'attempts',
        inForce: 'has(spec.traffic.retry) && (!has(spec.traffic.retry.attempts) || spec.traffic.retry.attempts > 0)',
        off: [
          {
            pointer: '/traffic/retry/attempts',
            when: 'has(spec.traffic.retry) && has(spec.traffic.retry.attempts) && spec.traffic.retry.attempts == 0',
          },
        ],
      },
      {
        concern: 'backend-tls',
        pointer: '/backend/tls',
        aspect: 'verified',
        inForce: 'has(spec.backend.tls) && !has(spec.backend.tls.insecureSkipVerify)',
        weak: [
          {
            effect: 'unverified',
            pointer: '/backend/tls/insecureSkipVerify',
            when: 'has(spec.backend.tls) && has(spec.backend.tls.insecureSkipVerify)',
          },
        ],
      },
      { concern: 'backend-auth', pointer: '/backend/auth', inForce: 'has(spec.backend.auth)' },
      {
        concern: 'ai-guard',
        pointer: '/backend/ai/promptGuard',
        aspect: 'prompt',
        inForce: 'has(spec.backend.ai.promptGuard)',
      },
      { concern: 'ai-guard', pointer: '/backend/mcp/guardrails/processors', aspect: 'tools' },
      { concern: 'health-check', pointer: '/backend/health', aspect: 'passive', inForce: 'has(spec.backend.health)' },
      { concern: 'headers', pointer: '/traffic/headerModifiers/request', aspect: 'request' },
      { concern: 'headers', pointer: '/traffic/headerModifiers/response', aspect: 'response' },
      { concern: 'rewrite', pointer: '/traffic/transformation', aspect: 'body' },
      {
        concern: 'rewrite',
        pointer: '/traffic/hostRewrite',
        aspect: 'host',
        inForce: 'has(spec.traffic.hostRewrite.mode) && spec.traffic.hostRewrite.mode == "Auto"',
        off: [
          {
            pointer: '/traffic/hostRewrite/mode',
            when: 'has(spec.traffic.hostRewrite) && spec.traffic.hostRewrite.mode == "None"',
          },
        ],
      },
      {
        concern: 'rewrite',
        pointer: '/traffic/directResponse',
        aspect: 'answer',
        inForce: 'has(spec.traffic.directResponse)',
      },
      { concern: 'rewrite', pointer: '/backend/transformation', aspect: 'body' },
      { concern: 'fault-injection', pointer: '/traffic/delay', aspect: 'delay', inForce: 'has(spec.traffic.delay)' },
      {
        concern: 'custom',
        pointer: '/traffic/extProc',
        aspect: 'external-processing',
        inForce: 'has(spec.traffic.extProc)',
        weak: [
          {
            effect: 'fail-open',
            pointer: '/traffic/extProc/failureMode',
            when: 'has(spec.traffic.extProc.failureMode) && spec.traffic.extProc.failureMode == "FailOpen"',
          },
        ],
      },
      { concern: 'observability', pointer: '/frontend/accessLog', aspect: 'access-log' },
      { concern: 'observability', pointer: '/frontend/tracing', aspect: 'tracing' },
      { concern: 'observability', pointer: '/frontend/metrics', aspect: 'metrics' },
      { concern: 'client-tls', pointer: '/frontend/tls', aspect: 'versions', role: 'shapes' },
      { concern: 'caching', pointer: '/backend/ai/promptCaching', aspect: 'semantic', role: 'shapes' },
    ],
    secrets: [
      { pointer: '/backend/auth/key', isCertain: true },
      { pointer: '/traffic/basicAuthentication/users', isCertain: true },
      { pointer: '/backend/ai/promptGuard/request/*/openAIModeration/policies/auth/key', isCertain: true },
      { pointer: '/backend/ai/promptGuard/request/*/bedrockGuardrails/policies/auth/key', isCertain: true },
      { pointer: '/backend/ai/promptGuard/response/*/bedrockGuardrails/policies/auth/key', isCertain: true },
      { pointer: '/backend/ai/defaults/*/value' },
      { pointer: '/traffic/headerModifiers/request/set/*/value' },
      { pointer: '/traffic/headerModifiers/request/add/*/value' },
      { pointer: '/backend/auth/oauthTokenExchange/additionalParams/*' },
      { pointer: '/traffic/jwtAuthentication/providers/*/jwks/inline' },
      { pointer: '/traffic/extAuth/grpc/contextExtensions/*' },
    ],
  },
];
