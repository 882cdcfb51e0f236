import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@policy-machinery/cluster';
import { customResourceDefinition } from '@policy-machinery/crd';
import type { KubernetesObject } from '@policy-machinery/resource';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { createProduct } from '../../../examples/gateway-product/src/product.ts';
import { manifests, policyKinds, steps, writtenTo } from '../../../examples/gateway-product/src/story.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { accessTo, kubectl } from './cluster.ts';
import { installGatewayApi } from './gateway-api.ts';

/** A limit for what hangs. */
const patience = { timeout: 120_000, interval: 500 };

/** What the example has written on the fake API server, by step. */
const golden = readFileSync(join(import.meta.dirname, '../../../examples/gateway-product/output.golden.txt'), 'utf8');
const expected = new Map(
  golden
    .trimEnd()
    .split('\n\n')
    .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]),
);

describe.runIf(inject('cluster').isOwn)('the example of a gateway product, on a real API server', () => {
  let server: ApiServer;
  let stop: () => Promise<void>;
  const run = (args: readonly string[], input?: unknown) =>
    kubectl(accessTo(server.kubeconfig), args, input === undefined ? undefined : JSON.stringify(input));
  const apply = (...items: readonly KubernetesObject[]) =>
    run(['apply', '--server-side', '--force-conflicts', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });
  const list = async (resource: string): Promise<readonly KubernetesObject[]> =>
    JSON.parse(await run(['get', resource, '-n', 'shop', '-o', 'json'])).items;

  beforeAll(async () => {
    server = await startApiServer();
    await installGatewayApi(accessTo(server.kubeconfig));
    await apply(...policyKinds.map((kind) => customResourceDefinition(kind).definition));
    await run(['create', 'namespace', 'shop']);
    const objects = await manifests();
    await vi.waitFor(() => apply(...objects), patience); // Until all kinds are served.
    const connection = await connect({ kubeconfig: server.kubeconfig });
    const stopping = new AbortController();
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const running = createProduct({ connection, log }).run({ signal: stopping.signal });
    stop = async () => {
      stopping.abort();
      await running;
      connection.close?.();
    };
  });
  afterAll(async () => {
    await stop?.();
    await server?.close();
  });

  it.each(steps)('makes the same writes as on the fake one. $title', async ({ title, applied, deletedRoute }) => {
    if (applied !== undefined) await apply(applied);
    if (deletedRoute !== undefined) await run(['delete', 'httproute', '-n', 'shop', deletedRoute]);
    await vi.waitFor(async () => {
      const policies = await Promise.all(policyKinds.map(({ plural, group }) => list(`${plural}.${group}`)));
      expect(writtenTo(policies.flat(), await list('configmaps'))).toBe(expected.get(title));
    }, patience);
  });
});
