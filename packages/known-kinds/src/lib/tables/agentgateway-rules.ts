import type { Profile } from '@policy-machinery/policy-kind';
import {
  isJsonObject,
  type JsonObject,
  type ObjectFault,
  objectIn,
  objectsIn,
  specOf,
} from '@policy-machinery/resource';

/** A part of a spec that limits the targets of the policy. */
interface TargetRule {
  readonly has: (spec: JsonObject) => boolean;
  /** Whether a reference or selector may be beside the part. */
  readonly allows: (target: JsonObject) => boolean;
  readonly message: string;
  /** The field of the reference that is wrong. Default `kind`. */
  readonly field?: 'sectionName' | 'port';
}

/** A rule on a spec, whatever its targets are. */
interface SpecRule {
  readonly isBroken: (spec: JsonObject) => boolean;
  readonly message: string;
  readonly pointer: string;
}

const has = (part: JsonObject, ...fields: readonly string[]): boolean =>
  fields.some((field) => part[field] !== undefined && part[field] !== null);
const part = (spec: JsonObject, name: string): JsonObject => objectIn(spec[name]);
const isOf = (...kinds: readonly string[]) => {
  return ({ kind }: JsonObject): boolean => typeof kind !== 'string' || kinds.includes(kind);
};
const isPreRouting = (spec: JsonObject): boolean => part(spec, 'traffic').phase === 'PreRouting';

const gatewayWide = ['tcp', 'networkAuthorization', 'tls', 'http', 'proxyProtocol', 'connect'];
const afterRouting = [
  ...['buffer', 'csrf', 'delay', 'directResponse', 'headerModifiers'],
  ...['hostRewrite', 'rateLimit', 'retry', 'timeouts'],
];

/** The rules of the definition on targets, for each part of a spec. */
const targetRules: readonly TargetRule[] = [
  {
    has: (spec) => has(spec, 'frontend'),
    allows: isOf('Gateway'),
    message: 'frontend is for Gateways alone; target a Gateway, or remove frontend',
  },
  {
    has: (spec) => has(part(spec, 'frontend'), ...gatewayWide),
    allows: (target) => !has(target, 'sectionName'),
    message: `${gatewayWide.join(', ')} of frontend are for a Gateway or one of its ports; remove sectionName`,
    field: 'sectionName',
  },
  {
    has: (spec) => has(spec, 'traffic', 'backend'),
    allows: (target) => !has(target, 'port'),
    message: 'port is for policies with frontend alone; remove it, or split the policy',
    field: 'port',
  },
  {
    has: (spec) => has(spec, 'traffic'),
    allows: isOf('Gateway', 'ListenerSet', 'HTTPRoute', 'GRPCRoute', 'InferencePool'),
    message: 'traffic is for Gateways, ListenerSets, routes and InferencePools; target one of these, or remove traffic',
  },
  {
    has: isPreRouting,
    allows: isOf('Gateway', 'ListenerSet'),
    message: 'the phase PreRouting is for Gateways and ListenerSets; target one of these, or remove phase',
  },
  {
    has: (spec) => has(part(spec, 'backend'), 'mcp', 'ai'),
    allows: ({ kind }) => kind !== 'Service',
    message: 'mcp and ai of backend are not for Services; target an AgentgatewayBackend, or remove them',
  },
  {
    has: (spec) => has(part(spec, 'backend'), 'mcp'),
    allows: (target) => target.kind !== 'AgentgatewayBackend' || !has(target, 'sectionName'),
    message: 'mcp of backend is for a whole AgentgatewayBackend; remove sectionName',
    field: 'sectionName',
  },
  {
    has: () => true,
    allows: ({ kind, sectionName }) =>
      kind !== 'Service' || typeof sectionName !== 'string' || /^\d+$/.test(sectionName),
    message: 'the section of a Service is the number of a port',
    field: 'sectionName',
  },
];

/** The rules of the definition on parts of a spec. */
const specRules: readonly SpecRule[] = [
  {
    isBroken: (spec) => !has(spec, 'traffic', 'frontend', 'backend'),
    message: 'the policy sets nothing; set traffic, frontend or backend',
    pointer: '',
  },
  {
    isBroken: (spec) => listed(spec.targetRefs) && listed(spec.targetSelectors),
    message: 'both targetRefs and targetSelectors are set; keep one',
    pointer: '/targetSelectors',
  },
  ...(['targetRefs', 'targetSelectors'] as const).map((field) => ({
    isBroken: (spec: JsonObject) => new Set(objectsIn(spec[field]).map(({ kind }) => kind)).size > 1,
    message: 'the targets of a policy are of one kind; split the policy',
    pointer: `/${field}`,
  })),
  {
    isBroken: (spec) => isPreRouting(spec) && has(part(spec, 'traffic'), ...afterRouting),
    message: `the phase PreRouting does not support ${afterRouting.join(', ')}; remove these, or phase`,
    pointer: '/traffic/phase',
  },
  {
    isBroken: (spec) =>
      has(part(spec, 'traffic'), 'jwtAuthentication') && has(part(part(spec, 'backend'), 'mcp'), 'authentication'),
    message: 'traffic.jwtAuthentication and backend.mcp.authentication are both set; keep one',
    pointer: '/backend/mcp/authentication',
  },
];

function listed(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

/** Returns the faults that API servers find in the parts and targets of an AgentgatewayPolicy. */
export const agentgatewayFaults: NonNullable<Profile['faults']> = (policy) => {
  const spec = specOf(policy);
  const ofSpec = specRules.flatMap(({ isBroken, message, pointer }) =>
    isBroken(spec) ? [{ message, pointer: `/spec${pointer}` }] : [],
  );
  const ofTargets = (['targetRefs', 'targetSelectors'] as const).flatMap((field) => {
    const list = spec[field];
    return (Array.isArray(list) ? list : []).flatMap((entry, index) =>
      isJsonObject(entry) ? faultsOf(entry, spec, `/spec/${field}/${index}`) : [],
    );
  });
  return [...ofSpec, ...ofTargets];
};

function faultsOf(target: JsonObject, spec: JsonObject, pointer: string): readonly ObjectFault[] {
  return targetRules.flatMap(({ has: hasPart, allows, message, field = 'kind' }) =>
    hasPart(spec) && !allows(target) ? [{ message, pointer: `${pointer}/${field}` }] : [],
  );
}
