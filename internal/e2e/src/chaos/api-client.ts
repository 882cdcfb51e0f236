import { setTimeout } from 'node:timers/promises';
import type { Transport, TransportResponse } from '@policy-machinery/cluster';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { Change } from './changes.ts';

/** The plural names in the paths of kinds. */
const plurals: Readonly<Record<string, string>> = {
  Gateway: 'gateways',
  HTTPRoute: 'httproutes',
  TimeoutPolicy: 'timeoutpolicies',
  Lease: 'leases',
};

const longest = 300_000;

/** Makes changes as an administrator, however often the API server goes away meanwhile. */
export class ApiClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Reads an object; `undefined` if there is none. */
  async read(kind: string, apiVersion: string, namespace: string, name: string): Promise<KubernetesObject | undefined> {
    const path = pathOf({ kind, apiVersion, metadata: { namespace, name } });
    const response = await this.#send('GET', path);
    const body = await response.json();
    return response.status === 200 ? (body as KubernetesObject) : undefined;
  }

  /** Makes a change. What the API server does not serve is left out. */
  async make({ object, isDeleted }: Change): Promise<void> {
    const path = pathOf(object);
    if (isDeleted) {
      await this.#drop(await this.#send('DELETE', path), [200, 404]);
      return;
    }
    const patch = [{ op: 'replace', path: '/spec', value: object.spec }];
    for (;;) {
      const patched = await this.#send('PATCH', path, patch, 'application/json-patch+json');
      await this.#drop(patched, [200, 404]);
      if (patched.status === 200) return;
      const collection = path.slice(0, path.lastIndexOf('/'));
      const created = await this.#send('POST', collection, object);
      await this.#drop(created, [201, 403, 404, 409]); // 403 while a definition is deleted.
      if (created.status !== 409) return;
    }
  }

  async #drop(response: TransportResponse, expected: readonly number[]): Promise<void> {
    const text = await response.text();
    if (!expected.includes(response.status)) throw new Error(`${response.status}: ${text}`);
  }

  /** Sends a request until there is an answer that is no failure of the server. */
  async #send(method: string, path: string, body?: unknown, type = 'application/json'): Promise<TransportResponse> {
    const until = Date.now() + longest;
    for (;;) {
      try {
        const content = body === undefined ? {} : { headers: { 'content-type': type }, body: JSON.stringify(body) };
        const signal = AbortSignal.timeout(10_000);
        const response = await this.#transport.request({ method, path, ...content, signal });
        if (response.status < 500 && response.status !== 429) return response;
        await response.text();
      } catch (error) {
        if (Date.now() > until) throw error;
      }
      await setTimeout(100);
    }
  }
}

interface Named extends Pick<KubernetesObject, 'apiVersion' | 'kind'> {
  readonly metadata: { readonly namespace?: string; readonly name: string };
}

function pathOf({ apiVersion, kind, metadata: { namespace = '', name } }: Named): string {
  return `/apis/${apiVersion}/namespaces/${namespace}/${plurals[kind]}/${name}`;
}
