import { Gateway, GatewayClass, Mesh, Namespace, Pod, Service, ServiceEntry } from '@policy-machinery/gateway-api';
import { additiveSpec, definePolicyKind, istio } from '@policy-machinery/policy-kind';
import { z } from 'zod';

const group = 'security.istio.io';
const version = 'v1';
const targetFields = ['selector'];

/** Where policies of all three kinds of targets are attached, and where they have an effect. */
const places = {
  targets: [Mesh, Namespace, Pod, Gateway, GatewayClass, Service, ServiceEntry],
  effectiveTargets: [Pod, Gateway, Service, ServiceEntry],
};

/** Who may call whom. All policies count, in the order of their actions. */
export const AuthorizationPolicy = definePolicyKind({
  ...istio(),
  ...places,
  group,
  version,
  kind: 'AuthorizationPolicy',
  plural: 'authorizationpolicies',
  stanzas: additiveSpec({
    by: 'action',
    groups: ['CUSTOM', 'DENY', 'AUDIT', 'ALLOW'],
    otherwise: 'ALLOW',
    targetFields,
  }),
  spec: z.strictObject({
    rules: z.array(z.looseObject({})).optional(),
    provider: z.strictObject({ name: z.string() }).optional(),
  }),
});

/** Whose tokens are accepted. All policies count. */
export const RequestAuthentication = definePolicyKind({
  ...istio(),
  ...places,
  group,
  version,
  kind: 'RequestAuthentication',
  stanzas: additiveSpec({ groups: ['policies'], targetFields }),
  spec: z.strictObject({ jwtRules: z.array(z.looseObject({ issuer: z.string() })).optional() }),
});
