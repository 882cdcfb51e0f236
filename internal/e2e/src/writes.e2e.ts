import type { Status, TransportResponse } from '@policy-machinery/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type ClusterProxy, kubectl, startProxy } from './cluster.ts';
import { httpTransport } from './http-transport.ts';

const cluster = inject('cluster');
const namespace = 'writes';
const routes = `/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/httproutes`;
const names = (name: string, metadata = {}) => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: { name, ...metadata },
});

let proxy: ClusterProxy;

beforeAll(async () => {
  await kubectl(cluster, ['create', 'namespace', namespace]);
  proxy = await startProxy(cluster);
});
afterAll(async () => {
  await proxy?.close();
  await kubectl(cluster, ['delete', 'namespace', namespace, '--ignore-not-found']);
});

function send(method: string, path: string, type: string, body: unknown, query = {}): Promise<TransportResponse> {
  const headers = { 'content-type': `application/${type}` };
  return httpTransport(proxy.url).request({ method, path, query, headers, body: JSON.stringify(body) });
}

const create = (name: string) => send('POST', routes, 'json', { ...names(name), spec: {} });

const patchStatus = (name: string, first: { op: string; value: string }) =>
  send('PATCH', `${routes}/${name}/status`, 'json-patch+json', [
    { ...first, path: '/metadata/resourceVersion' },
    { op: 'add', path: '/status', value: { parents: [] } },
  ]);

const apply = (name: string, metadata = {}) =>
  send(
    'PATCH',
    `${routes}/${name}`,
    'apply-patch+yaml',
    { ...names(name, metadata), spec: {} },
    { fieldManager: 'e2e' },
  );

const refusal = async (response: TransportResponse): Promise<Status> => (await response.json()) as Status;

describe('a real API server, which decides the form of status writes', () => {
  it('answers 422 without a cause, as for a validation error, when the test of a version in a JSON Patch fails', async () => {
    await create('tested');
    const status = await refusal(await patchStatus('tested', { op: 'test', value: '1' }));
    expect(status).toMatchObject({ code: 422, reason: 'Invalid', details: {} });
    expect(status.details?.causes).toBeUndefined();
  });

  it('answers 409 when a JSON Patch replaces the version by an old one', async () => {
    await create('replaced');
    const status = await refusal(await patchStatus('replaced', { op: 'replace', value: '1' }));
    expect(status).toMatchObject({ code: 409, reason: 'Conflict', details: { name: 'replaced' } });
  });

  it('creates a deleted object again on apply', async () => {
    expect((await apply('vanished')).status).toBe(201);
    await send('DELETE', `${routes}/vanished`, 'json', {});
    expect((await apply('vanished')).status).toBe(201);
  });

  it('answers 409 to the apply of a deleted object with its uid', async () => {
    const { metadata } = (await (await apply('known')).json()) as { metadata: { uid: string } };
    await send('DELETE', `${routes}/known`, 'json', {});
    const status = await refusal(await apply('known', { uid: metadata.uid }));
    expect(status).toMatchObject({ code: 409, reason: 'Conflict' });
  });

  it('ends the initial events of a watch with an annotated bookmark', async () => {
    expect.assertions(1);
    const query = {
      watch: 'true',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
    };
    await create('listed');
    const response = await httpTransport(proxy.url).request({ method: 'GET', path: routes, query });
    for await (const line of response.lines()) {
      const { type, object } = JSON.parse(line);
      if (type !== 'BOOKMARK') continue;
      expect(object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
      break;
    }
  });
});
