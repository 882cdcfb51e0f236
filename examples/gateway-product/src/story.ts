import { fileURLToPath } from 'node:url';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { isJsonObject, type KubernetesObject, objectsIn } from '@policy-machinery/resource';
import { readManifests } from '@policy-machinery/resource/node';
import { createFakeApiServer, createFakeClock, settle } from '@policy-machinery/testing';
import { type Colors, formatParagraphs, formatTable, type Row } from '@policy-machinery/text';
import { QuotaPolicy, TimeoutPolicy, TokenPolicy } from './policy-kinds.ts';
import { createProduct } from './product.ts';

/** The kinds of policies of the product. */
export const policyKinds = [TimeoutPolicy, QuotaPolicy, TokenPolicy];

/** What happens in the cluster at a time. */
export interface Step {
  readonly title: string;
  /** An object that is created, or whose fields are replaced. */
  readonly applied?: KubernetesObject;
  /** The name of a route that is deleted. */
  readonly deletedRoute?: string;
}

const inShop = (name: string) => ({ name, namespace: 'shop' });
const cart = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'cart' };

/** What happens in the cluster, step by step. */
export const steps: readonly Step[] = [
  { title: 'At the start: a Secret is missing' },
  {
    title: 'The Secret is created',
    applied: { apiVersion: 'v1', kind: 'Secret', metadata: inShop('issuer-key') },
  },
  {
    title: 'The owner of the route asks for more time than the proxy has',
    applied: {
      apiVersion: 'product.example.com/v1',
      kind: 'TimeoutPolicy',
      metadata: inShop('patient'),
      spec: { targetRefs: [cart], request: '3600s' },
    },
  },
  {
    title: 'Somebody edits a ConfigMap, and the route `menu` is deleted',
    applied: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: inShop('public-cart-settings'),
      data: { perSecond: 'unlimited' },
    } as KubernetesObject,
    deletedRoute: 'menu',
  },
];

/** Reads the objects of the cluster at the start. */
export async function manifests(): Promise<readonly KubernetesObject[]> {
  return (await readManifests(fileURLToPath(new URL('../manifests', import.meta.url)))).resources;
}

/** Runs the controller on a fake API server, and returns what it has written after each step. */
export async function story(colors: Colors): Promise<string> {
  const clock = createFakeClock();
  const server = createFakeApiServer({ clock, kinds: [...gatewayApi(), ...policyKinds], objects: await manifests() });
  const stopping = new AbortController();
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const running = createProduct({ connection: server.transport, clock, log }).run({ signal: stopping.signal });
  const parts: (readonly string[])[] = [];
  for (const { title, applied, deletedRoute } of steps) {
    if (applied !== undefined && server.get(applied) === undefined) server.create(applied);
    else if (applied !== undefined) server.update(applied, (it) => ({ ...it, ...applied, metadata: it.metadata }));
    if (deletedRoute !== undefined) server.delete(`httproute.gateway.networking.k8s.io:shop/${deletedRoute}`);
    await settle({ clock, server });
    const policies = policyKinds.flatMap((kind) => server.list(kind));
    const written = writtenTo(policies, server.list({ group: '', kind: 'ConfigMap' }), colors.cyan);
    parts.push([colors.bold(title), written]);
  }
  stopping.abort();
  await clock.advance(20_000);
  await running;
  return formatParagraphs(parts);
}

/** Returns what the controller has written to the statuses of some policies and to ConfigMaps. */
export function writtenTo(
  policies: readonly KubernetesObject[],
  configMaps: readonly KubernetesObject[],
  cyan: (text: string) => string = (text) => text,
): string {
  const statuses = policies.map(({ kind, metadata, status }): Row => {
    const entries = isJsonObject(status) ? objectsIn(status.ancestors) : [];
    const condition = entries.flatMap(({ conditions }) => objectsIn(conditions)).at(-1);
    const what = condition === undefined ? 'not ours' : `${condition.type}=${condition.status}`;
    const message = String(condition?.message ?? 'on a Gateway of another controller');
    return [[`${kind} ${metadata.name}`, cyan], what, message];
  });
  const settings = configMaps
    .filter(({ metadata }) => metadata.name.endsWith('-settings'))
    .map(
      (it): Row => [`ConfigMap ${it.metadata.name}`, '', inOrder('data' in it && isJsonObject(it.data) ? it.data : {})],
    );
  return formatTable([...statuses, ...settings], { indent: 2 });
}

function inOrder(data: object): string {
  const entries = Object.entries(data).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(Object.fromEntries(entries));
}
