import type { Transport } from '@policy-machinery/cluster';
import { isJsonObject, type KubernetesObject, locatorOf, objectsIn } from '@policy-machinery/resource';
import { expect } from 'vitest';
import { stoppable } from '../../../../cluster/src/lib/shards/stoppable.fixture.ts';
import type { PolicyControllerOptions } from '../controller-options.ts';
import { createWorld, gateway, route } from '../world.fixture.ts';

export const gatewayNames = ['a', 'b', 'c', 'd', 'e', 'f'];
export const policyNames = ['p', 'q', 'r'];
export const gatewayAt = (name: string) => `gateway.gateway.networking.k8s.io:shop/${name}`;
export const policyAt = (name: string) => `timeoutpolicy.timeouts.example.com:shop/${name}`;

/** Returns a policy on all Gateways. */
function policy(name: string): KubernetesObject {
  const targetRefs = gatewayNames.map((it) => ({ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: it }));
  const spec = { targetRefs, request: '1s' };
  return { apiVersion: 'timeouts.example.com/v1', kind: 'TimeoutPolicy', metadata: { name, namespace: 'shop' }, spec };
}

const objects = [
  ...gatewayNames.flatMap((name) => [gateway(name), route(`on-${name}`, name)]),
  route('on-all', ...gatewayNames),
  ...policyNames.map(policy),
];

/** Returns the Gateways that the entries of a policy name, each with the content of its entry; for other objects, the object with its conditions. */
function contentsOf(object: KubernetesObject | undefined): ReadonlyMap<string, string> {
  const status = isJsonObject(object?.status) ? object.status : {};
  if (object === undefined || object.kind !== 'TimeoutPolicy') {
    return new Map(object === undefined ? [] : [[locatorOf(object), JSON.stringify(status)]]);
  }
  return new Map(
    objectsIn(status.ancestors).map((entry) => {
      const name = isJsonObject(entry.ancestorRef) ? String(entry.ancestorRef.name) : '';
      return [gatewayAt(name), JSON.stringify(entry)];
    }),
  );
}

/** Returns a cluster with six Gateways and three policies on all of them, and functions to run replicas that share it. */
export function createSharedWorld(controller: Partial<PolicyControllerOptions> = {}) {
  const world = createWorld({ objects, controller: { shards: { namespace: 'shop' }, ...controller } });
  const { clock, server } = world;
  const replicas: Replica[] = [];
  /** The entries that were written: by which replica, and which ones answered for the object when the request was sent. */
  const audit: { readonly about: string; readonly by: string; readonly answering: readonly string[] }[] = [];

  const answering = (object: string) =>
    replicas.filter((it) => it.runs && it.controller.answersFor(object)).map(({ identity }) => identity);

  function audited(identity: string): Transport {
    return {
      async request(request) {
        const [, plural, name] = /(timeoutpolicies|gateways|httproutes)\/([^/]+)\/status$/.exec(request.path) ?? [];
        if (request.method !== 'PATCH' || name === undefined) return server.transport.request(request);
        const find = () =>
          server.get(
            plural === 'timeoutpolicies' ? policyAt(name) : plural === 'gateways' ? gatewayAt(name) : routeAt(name),
          );
        const before = contentsOf(find());
        const answeringNow = new Map([...gatewayNames.map(gatewayAt), routeAt(name)].map((it) => [it, answering(it)]));
        const response = await server.transport.request(request);
        const after = contentsOf(find());
        for (const about of new Set([...before.keys(), ...after.keys()])) {
          if (before.get(about) !== after.get(about)) {
            audit.push({ about, by: identity, answering: answeringNow.get(about) ?? [] });
          }
        }
        return response;
      },
    };
  }

  /** Starts a replica. */
  function start(identity: string, more: Partial<PolicyControllerOptions> = {}): Replica {
    const process = stoppable(clock, audited(identity));
    const shards = { namespace: 'shop', identity };
    const running = world.start({ connection: process.transport, clock: process.clock, shards, ...more });
    const replica: Replica = {
      identity,
      controller: running.controller,
      end: running.stop,
      stop: () => process.stop(),
      goOn: () => process.goOn(),
      get runs() {
        return process.runs;
      },
    };
    replicas.push(replica);
    return replica;
  }

  return { ...world, replicas, audit, answering, start };
}

const routeAt = (name: string) => `httproute.gateway.networking.k8s.io:shop/${name}`;

/** A replica in a process of its own. */
export interface Replica {
  readonly identity: string;
  readonly controller: ReturnType<ReturnType<typeof createWorld>['start']>['controller'];
  /** Whether the process runs. */
  readonly runs: boolean;
  /** Ends the process cleanly. */
  end(): Promise<void>;
  /** Stops the process like SIGSTOP: time passes, and nothing of it runs. Without {@link goOn}, it is like SIGKILL. */
  stop(): void;
  /** Has the process go on where it was, like SIGCONT. */
  goOn(): void;
}

/** Fails unless each entry was written by the only replica that answered for it. */
export function expectOneWriter(audit: ReturnType<typeof createSharedWorld>['audit']): void {
  expect(audit.length).toBeGreaterThan(0);
  expect(audit.filter(({ by, answering }) => answering.length !== 1 || answering[0] !== by)).toEqual([]);
}
