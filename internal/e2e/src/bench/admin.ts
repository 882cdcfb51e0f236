import type { Transport } from '@policy-machinery/cluster';
import type { KubernetesObject } from '@policy-machinery/resource';

/** How many requests are under way at a time. */
const parallel = 16;

const plurals: Readonly<Record<string, string>> = {
  ConfigMap: 'configmaps',
  Gateway: 'gateways',
  HTTPRoute: 'httproutes',
  RateLimitPolicy: 'ratelimitpolicies',
  TimeoutPolicy: 'timeoutpolicies',
};

/** Creates objects, many at a time. */
export function createAll(transport: Transport, objects: readonly KubernetesObject[]): Promise<void> {
  return sendAll(objects, (object) => {
    const headers = { 'content-type': 'application/json' };
    return send(transport, 'POST', collectionOf(object), { headers, body: JSON.stringify(object) });
  });
}

/** Deletes objects, many at a time. */
export function deleteAll(transport: Transport, objects: readonly KubernetesObject[]): Promise<void> {
  return sendAll(objects, (object) => send(transport, 'DELETE', `${collectionOf(object)}/${object.metadata.name}`, {}));
}

/** Reads an object. */
export async function read(transport: Transport, path: string): Promise<unknown> {
  const response = await transport.request({ method: 'GET', path });
  return response.json();
}

async function sendAll(
  objects: readonly KubernetesObject[],
  request: (object: KubernetesObject) => Promise<void>,
): Promise<void> {
  const left = objects.values();
  const work = async () => {
    for (const object of left) await request(object);
  };
  await Promise.all(Array.from({ length: parallel }, work));
}

async function send(transport: Transport, method: string, path: string, content: object): Promise<void> {
  const response = await transport.request({ method, path, ...content });
  const text = await response.text();
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status}: ${text}`);
}

function collectionOf({ apiVersion, kind, metadata: { namespace = '' } }: KubernetesObject): string {
  const root = apiVersion.includes('/') ? '/apis' : '/api';
  return `${root}/${apiVersion}/namespaces/${namespace}/${plurals[kind]}`;
}
