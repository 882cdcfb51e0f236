import { alike, type KindConcerns } from '../kind-concerns.ts';

/** The concerns that kinds of Istio serve. */
export const istioConcerns: readonly KindConcerns[] = [
  {
    group: 'security.istio.io',
    kind: 'AuthorizationPolicy',
    fields: [
      {
        concern: 'authorization',
        pointer: '/rules',
        aspect: 'rules',
        inForce:
          '(!has(spec.action) || spec.action == "ALLOW") ? (!has(spec.rules) || spec.rules.all(r, has(r.from) || has(r.to) || has(r.when))) : (spec.action == "DENY" && has(spec.rules) && spec.rules.size() > 0)',
        weak: [{ effect: 'part', pointer: '/action', when: 'has(spec.action) && spec.action == "DENY"' }],
        off: [
          {
            pointer: '/rules/*',
            when: '(!has(spec.action) || spec.action == "ALLOW") && has(spec.rules) && spec.rules.exists(r, !has(r.from) && !has(r.to) && !has(r.when))',
          },
        ],
      },
      {
        concern: 'authentication',
        pointer: '/rules/*/from/*/source/requestPrincipals',
        aspect: 'jwt',
        role: 'completes',
        inForce:
          '(!has(spec.action) || spec.action == "ALLOW") && has(spec.rules) && spec.rules.size() > 0 && spec.rules.all(r, (has(r.from) && r.from.all(f, has(f.source.requestPrincipals))) || (has(r.when) && r.when.exists(w, w.key.startsWith("request.auth.") && has(w.values))))',
      },
      {
        concern: 'authentication',
        pointer: '/rules/*/from/*/source/notRequestPrincipals',
        aspect: 'jwt',
        role: 'completes',
        inForce:
          'has(spec.action) && spec.action == "DENY" && has(spec.rules) && spec.rules.exists(r, !has(r.to) && !has(r.when) && has(r.from) && r.from.exists(f, has(f.source.notRequestPrincipals) && "*" in f.source.notRequestPrincipals && f.source.size() == 1))',
      },
      ...alike(['authorization', 'authentication'], {
        pointer: '/provider',
        aspect: 'external',
        inForce: 'has(spec.action) && spec.action == "CUSTOM" && has(spec.provider)',
      }),
      {
        concern: 'observability',
        pointer: '/action',
        aspect: 'audit',
        inForce: 'has(spec.action) && spec.action == "AUDIT"',
      },
    ],
  },
  {
    group: 'security.istio.io',
    kind: 'RequestAuthentication',
    fields: [
      {
        concern: 'authentication',
        pointer: '/jwtRules',
        aspect: 'jwt',
        inForce: 'has(spec.jwtRules) && spec.jwtRules.size() > 0',
        weak: [
          {
            effect: 'optional',
            pointer: '/jwtRules/*/presence',
            when: 'has(spec.jwtRules) && !spec.jwtRules.exists(j, has(j.presence) && j.presence == "REQUIRED")',
          },
        ],
      },
    ],
    secrets: [{ pointer: '/jwtRules/*/jwks' }],
  },
  {
    group: 'security.istio.io',
    kind: 'PeerAuthentication',
    fields: [
      {
        concern: 'mesh-mtls',
        pointer: '/mtls/mode',
        inForce: 'has(spec.mtls) && has(spec.mtls.mode) && spec.mtls.mode == "STRICT"',
        weak: [
          {
            effect: 'optional',
            pointer: '/mtls/mode',
            when: 'has(spec.mtls) && has(spec.mtls.mode) && spec.mtls.mode == "PERMISSIVE"',
          },
          {
            effect: 'part',
            pointer: '/portLevelMtls/*/mode',
            when: 'has(spec.portLevelMtls) && spec.portLevelMtls.exists(p, has(spec.portLevelMtls[p].mode) && spec.portLevelMtls[p].mode in ["DISABLE", "PERMISSIVE"])',
          },
        ],
        off: [{ pointer: '/mtls/mode', when: 'has(spec.mtls) && has(spec.mtls.mode) && spec.mtls.mode == "DISABLE"' }],
      },
      {
        concern: 'mesh-mtls',
        pointer: '/portLevelMtls/*/mode',
        inForce:
          'has(spec.portLevelMtls) && spec.portLevelMtls.exists(p, has(spec.portLevelMtls[p].mode) && spec.portLevelMtls[p].mode in ["STRICT"])',
        weak: [{ effect: 'part', pointer: '/portLevelMtls' }],
      },
    ],
  },
  {
    group: 'telemetry.istio.io',
    kind: 'Telemetry',
    fields: [
      {
        concern: 'observability',
        pointer: '/accessLogging',
        aspect: 'access-log',
        inForce:
          'has(spec.accessLogging) && spec.accessLogging.exists(s, spec.accessLogging[s].exists(p, !spec.accessLogging[s][p].disabled))',
        off: [
          {
            pointer: '/accessLogging/*/*/disabled',
            when: 'has(spec.accessLogging) && spec.accessLogging.exists(s, spec.accessLogging[s].exists(p, spec.accessLogging[s][p].disabled))',
          },
        ],
      },
      {
        concern: 'observability',
        pointer: '/tracing',
        aspect: 'tracing',
        inForce:
          'has(spec.tracing) && spec.tracing.exists(s, !has(spec.tracing[s].disableSpanReporting) || !spec.tracing[s].disableSpanReporting)',
        off: [
          {
            pointer: '/tracing/*/disableSpanReporting',
            when: 'has(spec.tracing) && spec.tracing.all(s, has(spec.tracing[s].disableSpanReporting) && spec.tracing[s].disableSpanReporting)',
          },
        ],
      },
      { concern: 'observability', pointer: '/metrics', aspect: 'metrics' },
    ],
  },
  {
    group: 'extensions.istio.io',
    kind: 'WasmPlugin',
    fields: [{ concern: 'custom', pointer: '/url', aspect: 'wasm', inForce: 'has(spec.url)' }],
    secrets: [{ pointer: '/pluginConfig' }, { pointer: '/vmConfig/env/*/value' }],
  },
  {
    group: 'extensions.istio.io',
    kind: 'TrafficExtension',
    fields: [
      { concern: 'custom', pointer: '/wasm', aspect: 'wasm', inForce: 'has(spec.wasm)' },
      { concern: 'custom', pointer: '/lua', aspect: 'lua', inForce: 'has(spec.lua)' },
    ],
    secrets: [
      { pointer: '/wasm/pluginConfig' },
      { pointer: '/wasm/vmConfig/env/*/value' },
      { pointer: '/lua/inlineCode' },
    ],
  },
  {
    group: 'networking.istio.io',
    kind: 'EnvoyFilter',
    fields: [
      {
        concern: 'custom',
        pointer: '/configPatches',
        aspect: 'patch',
        inForce: 'has(spec.configPatches) && spec.configPatches.size() > 0',
      },
    ],
    secrets: [{ pointer: '/configPatches/*/patch/value' }],
  },
];
