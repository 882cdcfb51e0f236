import { fileURLToPath } from 'node:url';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { isJsonObject, objectsIn } from '@policy-machinery/resource';
import { readManifests } from '@policy-machinery/resource/node';
import { createFakeApiServer, createFakeClock, type FakeApiServer, settle } from '@policy-machinery/testing';
import { type Colors, formatParagraphs, formatTable, type Row } from '@policy-machinery/text';
import { QuotaPolicy, TimeoutPolicy, TokenPolicy } from './policy-kinds.ts';
import { createProduct } from './product.ts';

const policyKinds = [TimeoutPolicy, QuotaPolicy, TokenPolicy];
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** What happens in the cluster, step by step. */
const steps: readonly (readonly [title: string, change: (server: FakeApiServer) => void])[] = [
  ['At the start: a Secret is missing', () => {}],
  [
    'The Secret is created',
    (server) =>
      void server.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'issuer-key', namespace: 'shop' } }),
  ],
  [
    'The owner of the route asks for more time than the proxy has',
    (server) => {
      const patient = 'timeoutpolicy.product.example.com:shop/patient';
      server.update(patient, (it) => ({ ...it, spec: { ...(it.spec as object), request: '3600s' } }));
    },
  ],
  [
    'Somebody edits a ConfigMap, and the route `menu` is deleted',
    (server) => {
      server.update('configmap:shop/cart-settings', (it) => ({ ...it, data: { perSecond: 'unlimited' } }));
      server.delete('httproute.gateway.networking.k8s.io:shop/menu');
    },
  ],
];

/** Runs the controller on a fake API server, and returns what it has written after each step. */
export async function story(colors: Colors): Promise<string> {
  const clock = createFakeClock();
  const { resources: objects } = await readManifests(fileURLToPath(new URL('../manifests', import.meta.url)));
  const server = createFakeApiServer({ clock, kinds: [...gatewayApi(), ...policyKinds], objects });
  const stopping = new AbortController();
  const running = createProduct({ connection: server.transport, clock, log: silent }).run({ signal: stopping.signal });
  const parts: (readonly string[])[] = [];
  for (const [title, change] of steps) {
    change(server);
    await settle({ clock, server });
    parts.push([
      colors.bold(title),
      formatTable([...statusesIn(server, colors), ...configMapsIn(server)], { indent: 2 }),
    ]);
  }
  stopping.abort();
  await clock.advance(20_000);
  await running;
  return formatParagraphs(parts);
}

function statusesIn(server: FakeApiServer, colors: Colors): readonly Row[] {
  return policyKinds.flatMap((kind) =>
    server.list(kind).flatMap(({ metadata, status }): Row[] => {
      const entries = isJsonObject(status) ? objectsIn(status.ancestors) : [];
      const condition = entries.flatMap(({ conditions }) => objectsIn(conditions)).at(-1);
      const what = condition === undefined ? 'not ours' : `${condition.type}=${condition.status}`;
      return [
        [
          [`${kind.kind} ${metadata.name}`, colors.cyan],
          what,
          String(condition?.message ?? 'on a Gateway of another controller'),
        ],
      ];
    }),
  );
}

function configMapsIn(server: FakeApiServer): readonly Row[] {
  return server
    .list({ group: '', kind: 'ConfigMap' })
    .filter(({ metadata }) => metadata.namespace === 'shop')
    .map((it) => [`ConfigMap ${it.metadata.name}`, '', JSON.stringify((it as { readonly data?: object }).data)]);
}
