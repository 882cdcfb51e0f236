import type { Transport } from '@policy-machinery/cluster';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { knownKinds } from '@policy-machinery/known-kinds';
import type { KubernetesObject } from '@policy-machinery/resource';
import { readManifests } from '@policy-machinery/resource/node';
import { createFakeApiServer, createFakeClock, type FakeApiServer } from '@policy-machinery/testing';
import type { RequiredKind } from '@policy-machinery/topology';
import { cluster, now, runWith, type TestEnvironment } from './run.fixture.ts';

const systems = ['kuadrant.io', 'gateway.envoyproxy.io', 'gateway.nginx.org'];

/** Starts an API server with the objects of four systems, and with further kinds. */
export async function startCluster({
  kinds: more = [],
}: {
  readonly kinds?: readonly RequiredKind[];
} = {}): Promise<FakeApiServer> {
  const { resources } = await readManifests(cluster);
  const definitions = resources.filter(({ kind }) => kind === 'CustomResourceDefinition');
  const kinds = [
    ...more,
    ...gatewayApi().filter(({ group }) => group !== ''),
    ...knownKinds.filter(({ group }) => systems.includes(group)),
    { group: 'gateway.networking.k8s.io', kind: 'ReferenceGrant', versions: ['v1beta1'] },
  ];
  // Objects are as old as the clock says when they are created.
  const clock = createFakeClock({ now });
  const server = createFakeApiServer({ clock, kinds: [...kinds, ...definitions] });
  for (const object of resources.filter((each) => !definitions.includes(each)).sort(byCreation)) {
    clock.skew(Date.parse(String(object.metadata.creationTimestamp)) - clock.now());
    server.create(object);
  }
  return server;
}

function byCreation({ metadata: a }: KubernetesObject, { metadata: b }: KubernetesObject): number {
  return String(a.creationTimestamp) < String(b.creationTimestamp) ? -1 : 1;
}

/** The context of the kubeconfig names the namespace `shop`. */
const kubectl = (args: readonly string[]) => (args[0] === 'config' ? 'shop' : '');

/** Runs the program on an API server. */
export function runOn(
  { transport }: Pick<FakeApiServer, 'transport'>,
  args: readonly string[],
  more: TestEnvironment = {},
) {
  return runWith(args, { transport, kubectl, ...more });
}

/**
 * Returns the connection of a user who is forbidden to read some paths.
 *
 * @param server The API server.
 * @param isForbidden Returns whether a path, without its query, is forbidden.
 */
export function restricted({ transport }: Pick<FakeApiServer, 'transport'>, isForbidden: (path: string) => boolean) {
  const body = { kind: 'Status', code: 403, reason: 'Forbidden', message: 'no' };
  const refusal = {
    status: 403,
    headers: {},
    text: async () => JSON.stringify(body),
    json: async () => body,
    async *lines() {},
  };
  const own: Transport = {
    request: (request) =>
      isForbidden(request.path.replace(/\?.*/, '')) ? Promise.resolve(refusal) : transport.request(request),
  };
  return { transport: own };
}
