import { createPolicyController } from '@policy-machinery/controller';
import { customResourceDefinition } from '@policy-machinery/crd';
import { Gateway, gatewayApi, HTTPRoute, Service } from '@policy-machinery/gateway-api';
import { atomic, none, patch } from '@policy-machinery/merge';
import { bareSpec, defaultsAndOverrides, definePolicyKind, type PolicyKind } from '@policy-machinery/policy-kind';
import { createFakeApiServer, createFakeClock, type FakeApiServer, type FakeClock } from '@policy-machinery/testing';
import { z } from 'zod';
import { type ConformanceOptions, type ConformanceResults, readPolicyUnderTest, runConformance } from '../index.ts';

const controllerName = 'colors.example.com/controller';
const colors = {
  group: 'colors.example.com',
  version: 'v1',
  kind: 'ColorPolicy',
  spec: z.strictObject({ dark: z.string(), light: z.string() }).partial(),
};

/** A policy kind, and the file that describes it. */
export interface Subject {
  readonly kind: PolicyKind<unknown>;
  readonly file: string;
}

const common = `
kind: PolicyUnderTest
policy: { group: colors.example.com, version: v1, kind: ColorPolicy }
controllerName: ${controllerName}
gatewayClassName: any
specs: { one: { dark: red }, two: { dark: blue }, other: { light: yellow } }
`;

/** ColorPolicies with defaults and overrides, on Gateways and routes, also in other namespaces. */
export const merged: Subject = {
  kind: definePolicyKind({
    ...colors,
    targets: [Gateway, Gateway.sections.listener, HTTPRoute],
    effectiveTargets: [Service],
    crossNamespace: 'granted',
    stanzas: defaultsAndOverrides({ strategies: { atomic, patch } }),
  }),
  file: `${common}
targets: [Gateway, "Gateway#listener", HTTPRoute]
strategies:
  atomicDefaults: { stanza: defaults }
  atomicOverrides: { stanza: overrides }
  patchDefaults: { stanza: defaults, with: { strategy: patch } }
  patchOverrides: { stanza: overrides, with: { strategy: patch } }
referenceGrants: true
`,
};

/** ColorPolicies on Services alone, of which one stays. */
export const direct: Subject = {
  kind: definePolicyKind({ ...colors, targets: [Service], stanzas: bareSpec({ strategies: { none } }) }),
  file: `${common}
targets: [Service]
strategies: { none: {} }
`,
};

/** ColorPolicies on targets of several kinds, each with its own. */
export const directOnSeveralKinds: Subject = {
  kind: definePolicyKind({ ...colors, policyClass: 'Direct', targets: [Gateway, HTTPRoute, Service] }),
  file: `${common}
targets: [Gateway, HTTPRoute, Service]
strategies: { none: {} }
`,
};

/** An API server with an implementation, until it is stopped. */
export interface Implementation {
  readonly server: FakeApiServer;
  readonly clock: FakeClock;
  /** Checks the implementation, while time passes. */
  check(options?: Partial<ConformanceOptions>, connection?: FakeApiServer['transport']): Promise<ConformanceResults>;
  stop(): Promise<void>;
}

const referenceGrant = { group: 'gateway.networking.k8s.io', kind: 'ReferenceGrant', versions: ['v1', 'v1beta1'] };

/** Starts a controller of the kind on a fake API server. */
export function implementationOf({ kind, file }: Subject): Implementation {
  const clock = createFakeClock();
  const server = createFakeApiServer({
    clock,
    kinds: [...gatewayApi(), referenceGrant, customResourceDefinition(kind).definition],
  });
  const stopping = new AbortController();
  const controller = createPolicyController({
    name: controllerName,
    connection: server.transport,
    targetKinds: gatewayApi(),
    policyKinds: [kind],
    events: false,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    clock,
  });
  const running = controller.run({ signal: stopping.signal });
  const untilDone = async <Result>(result: Promise<Result>): Promise<Result> => {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    result.then(done, done);
    while (!isDone) await clock.advance(250);
    return result;
  };
  return {
    server,
    clock,
    check: (options = {}, connection = server.transport) =>
      untilDone(runConformance(connection, { subject: readPolicyUnderTest(file), clock, ...options })),
    async stop() {
      stopping.abort();
      await untilDone(running);
    },
  };
}
