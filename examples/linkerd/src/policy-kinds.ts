import { Namespace } from '@policy-machinery/gateway-api';
import { none } from '@policy-machinery/merge';
import { additiveSpec, bareSpec, definePolicyKind, type TargetReader } from '@policy-machinery/policy-kind';
import { isJsonObject, specOf, stringIn } from '@policy-machinery/resource';
import { z } from 'zod';
import { Server } from './server.ts';

const group = 'policy.linkerd.io';
const version = 'v1alpha1';

/** Reads the one target of a policy, whose group may be left out or `core`. */
const readTargets: TargetReader = (policy) => {
  const { targetRef } = specOf(policy);
  const pointer = '/spec/targetRef';
  const { group, kind, name } = isJsonObject(targetRef) ? targetRef : {};
  const [ofKind, named] = [stringIn(kind), stringIn(name)];
  if (ofKind === undefined || named === undefined) {
    const message = 'targetRef must have a kind and a name';
    return { issues: [{ code: 'invalid-target-ref', severity: 'error', message, pointer }] };
  }
  const inGroup = stringIn(group) ?? '';
  return { refs: [{ group: inGroup === 'core' ? '' : inGroup, kind: ofKind, name: named, pointer }] };
};

const authentication = z.strictObject({
  group: z.string().optional(),
  kind: z.enum(['MeshTLSAuthentication', 'NetworkAuthentication', 'ServiceAccount']),
  name: z.string(),
  namespace: z.string().optional(),
});

/** Who may call a Server: clients that have all authentications that one of the policies requires. */
export const AuthorizationPolicy = definePolicyKind({
  group,
  version,
  kind: 'AuthorizationPolicy',
  plural: 'authorizationpolicies',
  targets: [Namespace, Server],
  effectiveTargets: [Server],
  readTargets,
  stanzas: additiveSpec({ groups: ['policies'] }),
  spec: z.strictObject({ requiredAuthenticationRefs: z.array(authentication) }),
});

const limit = z.strictObject({ requestsPerSecond: z.int() });

/** How many requests a Server takes. The oldest policy counts. */
export const HTTPLocalRateLimitPolicy = definePolicyKind({
  group,
  version,
  kind: 'HTTPLocalRateLimitPolicy',
  plural: 'httplocalratelimitpolicies',
  targets: [Server],
  readTargets,
  stanzas: bareSpec({ strategies: { none }, strategyField: false }),
  spec: z.strictObject({ total: limit.optional(), identity: limit.optional() }),
});
