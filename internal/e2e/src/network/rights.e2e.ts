import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@policy-machinery/cluster';
import {
  configured,
  createPolicyController,
  type PolicyController,
  policyManifests,
} from '@policy-machinery/controller';
import { gatewayApi, Secret } from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { accountKubeconfig } from '../account-kubeconfig.ts';
import { type ApiServer, startApiServer } from '../api-server.ts';
import { accessTo, kubectl } from '../cluster.ts';
import { installGatewayApi } from '../gateway-api.ts';
import { definition, gateway, route, TimeoutPolicy, timeouts } from '../shop.ts';
import { waitsLong } from '../waits-long.ts';
import { definitionOf } from './kinds.ts';

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 200 };

const kind = 'timeoutpolicies.timeouts.example.com';
/** What an older definition has not: a field, and the rules that name it. */
const missing = ['idle', 'x-kubernetes-validations'];
const withoutLease = /the lease could not be renewed or taken[^}]*leases[^}]*forbidden/;
const account = { name: 'controller', namespace: 'rights' };
const Widget = { group: 'example.com', kind: 'Widget' };
/** The controller. It works in two namespaces alone; a policy with an annotation depends on a Secret. */
const declared = {
  name: 'timeouts.example.com/controller',
  targetKinds: gatewayApi(),
  policyKinds: [
    configured(TimeoutPolicy, {
      verdict({ resource: { metadata } }, objects) {
        const { annotations, namespace } = metadata;
        const name = annotations?.['example.com/secret'];
        if (name === undefined || objects.get(Secret, { namespace, name }) !== undefined) return undefined;
        return { reason: 'NoSecret', message: `The Secret ${name} does not exist; create it.` };
      },
    }),
  ],
  watches: [{ kind: Secret, metadataOnly: true }],
  owns: [{ group: '', kind: 'ConfigMap' }, Widget],
  namespaces: ['shop', 'vault'],
  lease: { namespace: account.namespace },
} as const;

const inNamespace = (namespace: string, it: KubernetesObject): KubernetesObject => ({
  ...it,
  metadata: { ...it.metadata, namespace },
});

describe.runIf(inject('cluster').isOwn && waitsLong)(
  'a policy controller with the rights that are generated for it',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'rights-'));
    const logged: string[] = [];
    let server: ApiServer;
    let controller: PolicyController;
    let stop: () => Promise<void>;
    const run = (args: readonly string[], input?: unknown) =>
      kubectl(accessTo(server.kubeconfig), args, input === undefined ? undefined : JSON.stringify(input));
    const apply = (...items: readonly KubernetesObject[]) =>
      run(['apply', '--server-side', '--force-conflicts', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });
    const read = async (...args: readonly string[]) => JSON.parse(await run(['get', ...args, '-o', 'json']));
    const statusOf = async (namespace: string, name: string) => {
      const { metadata, status } = await read(kind, name, '-n', namespace);
      const [condition] = status?.ancestors?.[0]?.conditions ?? [];
      return { generation: metadata.generation, observed: condition?.observedGeneration, reason: condition?.reason };
    };
    const isCurrent = async (namespace: string) => {
      const { generation, observed } = await statusOf(namespace, 'slow');
      expect(observed).toBe(generation);
    };
    const slow = (request: string) => timeouts('slow', 'Gateway', 'edge', { defaults: { request } });
    const manifests = policyManifests(declared, { ...account, image: 'none' });
    const rolesAmong = (isRole: boolean) =>
      manifests.filter((it) => it.kind !== 'Deployment' && it.apiVersion.startsWith('rbac.') === isRole);

    beforeAll(async () => {
      server = await startApiServer();
      await installGatewayApi(accessTo(server.kubeconfig));
      await apply(...rolesAmong(false));
      for (const namespace of ['shop', 'vault', 'else']) {
        await run(['create', 'namespace', namespace]);
        const objects = [gateway('edge'), route('cart', { name: 'edge' }), slow('1s')];
        await vi.waitFor(() => apply(...objects.map((it) => inNamespace(namespace, it))), patience);
      }
      const kubeconfig = join(folder, 'kubeconfig');
      writeFileSync(kubeconfig, await accountKubeconfig(accessTo(server.kubeconfig), account), { mode: 0o600 });
      const connection = await connect({ kubeconfig });
      const log = (message: string, fields: object = {}) => void logged.push(`${message} ${JSON.stringify(fields)}`);
      controller = createPolicyController({
        ...declared,
        connection,
        onEffective({ view, targets, apply }) {
          for (const target of targets) {
            for (const {
              spec,
              target: { ref },
            } of view.of(target)) {
              const { namespace = '' } = ref;
              const metadata = { name: 'timeouts', namespace };
              const data = { request: spec.request ?? '' };
              apply(target, [
                { apiVersion: 'v1', kind: 'ConfigMap', metadata, data },
                { apiVersion: 'example.com/v1', kind: 'Widget', metadata },
              ]);
            }
          }
        },
        log: { debug() {}, info() {}, warn: log, error: log },
      });
      const stopping = new AbortController();
      const running = controller.run({ signal: stopping.signal });
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

    it('waits as long as it has none, and names the rules to add to each Role', async () => {
      await vi.waitFor(() => expect(controller.heldUpBy.length).toBeGreaterThan(5), patience);
      await vi.waitFor(() => {
        const messages = controller.heldUpBy.map((it) => `${it.kind}: ${it.message}`).join('\n');
        expect(messages).toMatch(
          /^Secret: .*a Role in (shop|vault).*resources: \["secrets"\], verbs: \["list", "watch"\]/m,
        );
        expect(messages).toMatch(/^GatewayClass.*a ClusterRole/m);
      }, patience);
      expect(controller.isLeader).toBe(false);
      expect(logged.join()).toMatch(withoutLease);
      await apply(...rolesAmong(true));
      await vi.waitFor(() => expect(controller.isSynced).toBe(true), patience);
    });

    it('reads and writes in its namespaces, and nowhere else', async () => {
      for (const namespace of ['shop', 'vault']) {
        await vi.waitFor(() => isCurrent(namespace), patience);
        await vi.waitFor(async () => {
          expect((await read('configmap', 'timeouts', '-n', namespace)).data).toEqual({ request: '1s' });
        }, patience);
      }
      expect((await statusOf('else', 'slow')).observed).toBeUndefined();
      expect(controller.topology.policies(TimeoutPolicy)).toHaveLength(2);
    });

    it('creates owned objects of a kind that is installed later', async () => {
      await apply(definitionOf({ kind: 'Widget' }));
      await vi.waitFor(() => read('widgets.example.com', 'timeouts', '-n', 'shop'), patience);
      expect(logged.join()).toContain('owned objects cannot be written');
    });

    it('asks for a verdict again when the Secret comes that it has looked for, and when it goes', async () => {
      const reason = async () => (await statusOf('shop', 'slow')).reason;
      await run(['annotate', kind, 'slow', '-n', 'shop', 'example.com/secret=key']);
      await vi.waitFor(async () => expect(await reason()).toBe('NoSecret'), patience);
      await run(['create', 'secret', 'generic', 'key', '-n', 'shop']);
      await vi.waitFor(async () => expect(await reason()).toBe('Accepted'), patience);
      await run(['delete', 'secret', 'key', '-n', 'shop']);
      await vi.waitFor(async () => expect(await reason()).toBe('NoSecret'), patience);
      await run(['annotate', kind, 'slow', '-n', 'shop', 'example.com/secret-']);
      await vi.waitFor(async () => expect(await reason()).toBe('Accepted'), patience);
    });

    it('writes everything else while it may not write in a namespace, and the rest when it may', async () => {
      await run(['delete', 'rolebinding', account.name, '-n', 'shop']);
      for (const namespace of ['shop', 'vault']) await apply(inNamespace(namespace, slow('2s')));
      await vi.waitFor(() => isCurrent('vault'), patience);
      await vi.waitFor(
        () => expect(logged.join()).toMatch(/statuses of a kind cannot be written[^,]*,"code":403/),
        patience,
      );
      const { generation, observed } = await statusOf('shop', 'slow');
      expect(observed).toBeLessThan(generation);
      await apply(...rolesAmong(true));
      await vi.waitFor(() => isCurrent('shop'), patience);
    });

    it('does not act while it may not write its lease, says so, and acts again when it may', async () => {
      const { length } = logged;
      await run(['delete', 'rolebinding', account.name, '-n', account.namespace]);
      await vi.waitFor(() => expect(controller.isLeader).toBe(false), patience);
      await apply(inNamespace('vault', slow('9s')));
      await vi.waitFor(() => expect(logged.slice(length).join()).toMatch(withoutLease), patience);
      const { generation, observed } = await statusOf('vault', 'slow');
      expect(observed).toBeLessThan(generation);
      await apply(...rolesAmong(true));
      await vi.waitFor(() => isCurrent('vault'), patience);
    });

    it('keeps its policies while another version is served, and warns of missing parts of the definition afterwards', async () => {
      const [version] = definition.spec.versions as readonly [{ readonly [key: string]: unknown }];
      const serving = (...versions: readonly object[]) => ({ ...definition, spec: { ...definition.spec, versions } });
      await apply(serving({ ...version, served: false, storage: false }, { ...version, name: 'v2' }));
      await vi.waitFor(() => expect(logged.join()).toMatch(/a kind cannot be read.*TimeoutPolicy.*v2/), patience);
      expect(controller.topology.policies(TimeoutPolicy)).toHaveLength(2);
      expect((await read('configmap', 'timeouts', '-n', 'shop')).data).toEqual({ request: '2s' });

      const without = JSON.parse(JSON.stringify(version, (key, value) => (missing.includes(key) ? undefined : value)));
      await apply(serving({ ...without, served: true, storage: true }, { ...version, name: 'v2', storage: false }));
      await vi.waitFor(() => expect(logged.join()).toMatch(/idle is missing, so the API server drops it/), patience);
      await apply(inNamespace('shop', slow('3s')));
      await vi.waitFor(() => isCurrent('shop'), patience);
    });

    it('is refused nothing else, and draws no conclusion from objects that it could not read', async () => {
      expect(logged.filter((it) => it.includes('"code":403') && !it.includes('shop'))).toEqual([]);
      for (const namespace of ['shop', 'vault'])
        expect(await read('configmap', 'timeouts', '-n', namespace)).toBeDefined();
    });
  },
);
