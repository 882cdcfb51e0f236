import { Gateway, gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import { atomic, patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import { isJsonObject, type KubernetesObject, objectsIn } from '@policy-machinery/resource';
import { createFakeApiServer, createFakeClock, type FakeApiServerOptions } from '@policy-machinery/testing';
import { z } from 'zod';
import { createPolicyController, type PolicyControllerOptions } from '../index.ts';

export const name = 'timeouts.example.com/controller';

export const TimeoutPolicy = definePolicyKind({
  group: 'timeouts.example.com',
  version: 'v1',
  kind: 'TimeoutPolicy',
  targets: [Gateway, HTTPRoute],
  effectiveTargets: [HTTPRoute],
  spec: z.object({ request: z.string(), idle: z.string() }).partial(),
  stanzas: defaultsAndOverrides({ strategies: { atomic, patch } }),
});

const gatewayApiVersion = 'gateway.networking.k8s.io/v1';
export const gateway = (name: string): KubernetesObject => ({
  apiVersion: gatewayApiVersion,
  kind: 'Gateway',
  metadata: { name, namespace: 'shop' },
  spec: { gatewayClassName: 'any', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
});
export const route = (name: string, ...parents: readonly string[]): KubernetesObject => ({
  apiVersion: gatewayApiVersion,
  kind: 'HTTPRoute',
  metadata: { name, namespace: 'shop' },
  spec: { parentRefs: parents.map((parent) => ({ name: parent })), rules: [{}] },
});
export const timeouts = (name: string, target: string, spec: object): KubernetesObject => {
  const [kind = '', targetName = ''] = target.split(' ');
  const targetRefs = [{ group: 'gateway.networking.k8s.io', kind, name: targetName }];
  return {
    apiVersion: 'timeouts.example.com/v1',
    kind: 'TimeoutPolicy',
    metadata: { name, namespace: 'shop' },
    spec: { targetRefs, ...spec },
  };
};

/** Locators of objects in the namespace `shop`. */
export const at = {
  gateway: (name: string) => `gateway.gateway.networking.k8s.io:shop/${name}`,
  route: (name: string) => `httproute.gateway.networking.k8s.io:shop/${name}`,
  policy: (name: string) => `timeoutpolicy.timeouts.example.com:shop/${name}`,
};

export const shop = [gateway('edge'), route('cart', 'edge'), timeouts('slow', 'Gateway edge', { request: '10s' })];

export interface WorldOptions extends Partial<FakeApiServerOptions> {
  readonly controller?: Partial<PolicyControllerOptions>;
}

/** Returns a fake API server, with functions to run controllers on it. */
export function createWorld({ controller = {}, ...options }: WorldOptions = {}) {
  const clock = createFakeClock();
  const kinds = [...gatewayApi(), TimeoutPolicy];
  const server = createFakeApiServer({ clock, kinds, objects: shop, ...options });
  const logged: string[] = [];
  const log = (level: string) => (message: string, fields?: Readonly<Record<string, unknown>>) => {
    logged.push(`${level}: ${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}`);
  };

  /** Starts a controller. */
  function start(more: Partial<PolicyControllerOptions> = {}) {
    const stopping = new AbortController();
    const created = createPolicyController({
      name,
      connection: server.transport,
      targetKinds: gatewayApi(),
      policyKinds: [TimeoutPolicy],
      log: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
      clock,
      random: () => 0.5,
      ...controller,
      ...more,
    });
    const running = created.run({ signal: stopping.signal });
    return {
      controller: created,
      running,
      /** Stops the controller, and lets time pass until it has stopped. */
      async stop() {
        stopping.abort();
        await clock.advance(15_000);
        await running;
      },
    };
  }

  return {
    clock,
    server,
    logged,
    start,
    /** Lets so many milliseconds pass. */
    settle: (ms = 5000) => clock.advance(ms),
    /** The writes so far: `timeoutpolicies/status slow`. */
    get writes() {
      return server.requests
        .filter(({ verb, resource }) => verb === 'patch' && resource !== 'events')
        .map(({ resource, name }) => `${resource} ${name}`);
    },
    /** Returns the conditions in the status of an object: `Accepted=True`. */
    saidOn(locator: string): readonly string[] {
      const status = server.get(locator)?.status;
      if (!isJsonObject(status)) return [];
      const holders = [status, ...objectsIn(status.ancestors), ...objectsIn(status.parents)];
      return holders.flatMap((it) =>
        objectsIn(it.conditions).map(({ type, status, reason }) => `${type}=${status}/${reason}`),
      );
    },
  };
}
