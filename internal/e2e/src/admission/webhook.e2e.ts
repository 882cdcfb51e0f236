import { createAdmission } from '@policy-machinery/admission';
import type { AdmissionServer } from '@policy-machinery/admission/node';
import { connect } from '@policy-machinery/cluster';
import { createPolicyController } from '@policy-machinery/controller';
import { customResourceDefinition } from '@policy-machinery/crd';
import { Gateway, gatewayApi, HTTPRoute, Service } from '@policy-machinery/gateway-api';
import { atomic, none, patch } from '@policy-machinery/merge';
import { bareSpec, defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { z } from 'zod';
import { kubectl } from '../cluster.ts';
import { runProgramForOutputs } from '../processes.ts';
import { registerWebhook } from './register-webhook.ts';

const cluster = inject('cluster');
const namespace = 'warned';
const patience = { timeout: 120_000, interval: 100 };

const timeouts = {
  group: 'warned.example.com',
  version: 'v1',
  kind: 'TimeoutPolicy',
  targets: [Gateway, HTTPRoute, Service],
  effectiveTargets: [Service],
  spec: z.strictObject({ request: z.string() }).partial(),
};
const TimeoutPolicy = definePolicyKind({
  ...timeouts,
  stanzas: defaultsAndOverrides({ strategies: { patch, atomic } }),
});
const LonelyPolicy = definePolicyKind({
  ...timeouts,
  kind: 'LonelyPolicy',
  targets: [Gateway],
  effectiveTargets: [Gateway],
  stanzas: bareSpec({ strategies: { none } }),
});

const meta = (name: string) => ({ name, namespace });
const on = (kind: string, name: string) => ({
  group: kind === 'Service' ? '' : 'gateway.networking.k8s.io',
  kind,
  name,
});
const policy = (kind: string, name: string, target: string, spec: object): KubernetesObject => {
  const [targetKind = '', targetName = ''] = target.split(' ');
  return {
    apiVersion: 'warned.example.com/v1',
    kind,
    metadata: meta(name),
    spec: { targetRefs: [on(targetKind, targetName)], ...spec },
  };
};
const mine = policy('TimeoutPolicy', 'mine', 'Service s1', { request: '1s' });
const names = Array.from({ length: 47 }, (_, index) => `s${index + 1}`);
const gateway: KubernetesObject = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: meta('edge'),
  spec: { gatewayClassName: 'any', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
};
const service = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: meta(name),
  spec: { ports: [{ port: 80 }] },
});
const route = (name: string): KubernetesObject => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: meta(name),
  spec: { parentRefs: [{ name: 'edge' }], rules: [{ backendRefs: [{ name, port: 80 }] }] },
});

const run = (args: readonly string[], input?: unknown) =>
  kubectl(cluster, args, input === undefined ? undefined : JSON.stringify(input));
const applyAll = (...items: readonly KubernetesObject[]) =>
  run(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });

/** Runs kubectl. Returns what it prints for people: its warnings, and why a request was refused. */
async function told(args: readonly string[], input?: unknown): Promise<string> {
  const { errors } = await runProgramForOutputs(
    cluster.kubectl,
    ['--kubeconfig', cluster.kubeconfig, ...args],
    input === undefined ? '' : JSON.stringify(input),
  );
  return errors.trim();
}
const toldOn = (object: KubernetesObject) => told(['apply', '--dry-run=server', '-f', '-'], object);

/** The Service in a namespace that the webhook is not asked about. */
const apart = 'apart';

describe('an admission webhook on a real API server', () => {
  const stopping = new AbortController();
  const seen: string[] = [];
  let [running, server]: [Promise<void> | undefined, AdmissionServer | undefined] = [undefined, undefined];

  beforeAll(async () => {
    await run(['create', 'namespace', namespace]);
    await applyAll(...[TimeoutPolicy, LonelyPolicy].map((kind) => customResourceDefinition(kind).definition));
    await applyAll(gateway, ...names.map(service), ...names.map(route));
    const house = policy('TimeoutPolicy', 'house', 'Gateway edge', { overrides: { strategy: 'patch', request: '9s' } });
    await vi.waitFor(
      () => applyAll(house, policy('LonelyPolicy', 'first', 'Gateway edge', { request: '1s' })),
      patience,
    );
    const controller = createPolicyController({
      name: 'warned.example.com/controller',
      connection: await connect({ kubeconfig: cluster.kubeconfig }),
      targetKinds: gatewayApi(),
      policyKinds: [TimeoutPolicy, LonelyPolicy],
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    running = controller.run({ signal: stopping.signal });
    const admission = createAdmission({
      views: [TimeoutPolicy, LonelyPolicy].map((kind) => controller.effective(kind)),
      isReady: () => controller.isSynced,
      refuse: 'conflicts',
      senders: 'api-server',
    });
    const fetch = async (request: Request) => {
      const { request: asked } = JSON.parse(await request.clone().text());
      // Other tests make namespaces on the same server.
      if (asked.namespace === namespace || asked.name === apart) seen.push(new URL(request.url).pathname);
      return admission.fetch(request);
    };
    const { topology } = controller;
    server = await registerWebhook({ name: 'warned.example.com', topology, fetch, apply: applyAll });
    await vi.waitFor(() => expect(controller.isSynced).toBe(true), patience);
    await admission.warmUp();
    // The API server calls a new webhook a moment after it is registered.
    await vi.waitFor(async () => expect(await toldOn(mine)).not.toBe(''), { ...patience, timeout: 30_000 });
  });
  afterAll(async () => {
    await run(['delete', 'validatingwebhookconfiguration', 'warned.example.com', '--ignore-not-found']);
    await run(['delete', 'namespace', namespace, '--ignore-not-found', '--wait=false']);
    await server?.close();
    stopping.abort();
    await running;
  });

  it('says who prevails over a policy', async () => {
    expect(await toldOn(mine)).toBe(
      `Warning: Overridden in all scopes. ${namespace}/house replaces it (Patch overrides).`,
    );
  });

  it('says how many services a policy changes', async () => {
    const house = policy('TimeoutPolicy', 'house', 'Gateway edge', { overrides: { strategy: 'patch', request: '2s' } });
    expect(await toldOn(house)).toBe(
      `Warning: This change alters the effective TimeoutPolicy of 47 targets, such as Service ${namespace}/s1.`,
    );
  });

  it('names the remedy for a policy that is refused', async () => {
    const second = policy('LonelyPolicy', 'second', 'Gateway edge', { request: '2s' });
    const said = await toldOn(second);
    expect(said).toContain(
      `admission webhook "lonelypolicies.warned.example.com.warned.example.com" denied the request: Conflicts with another policy. ${namespace}/first stays: it is older (None). Name another target, or change the other policy in place of this one.`,
    );
    expect(said).toMatch(/^Error from server \(Forbidden\): /);
  });

  it('lists the effects of deleting a policy', async () => {
    const args = ['delete', 'timeoutpolicies.warned.example.com', 'house', '-n', namespace, '--dry-run=server'];
    expect((await told(args)).split('\n')).toEqual([
      'Warning: This change leaves 47 targets without any TimeoutPolicy: ' +
        `Service ${namespace}/s1, Service ${namespace}/s10 and 45 more.`,
      `Warning: This change alters the effective TimeoutPolicy of 47 targets, such as Service ${namespace}/s1.`,
    ]);
  });

  it('lists the policies that affect a route', async () => {
    const { spec, ...rest } = route('new');
    const rules = [{ backendRefs: [{ name: 's1', port: 80 }] }];
    expect(await toldOn({ ...rest, spec: { ...(spec as object), rules } })).toBe(
      `Warning: TimeoutPolicy ${namespace}/house affects this HTTPRoute.`,
    );
  });

  it('is not asked about statuses, finalizers and other namespaces', async () => {
    await vi.waitFor(async () => {
      const status = await run(['get', 'timeoutpolicies.warned.example.com', 'house', '-n', namespace, '-o', 'json']);
      expect(JSON.parse(status).status?.ancestors).toHaveLength(1); // Written by the controller.
    }, patience);
    seen.length = 0;
    const policyArgs = ['timeoutpolicies.warned.example.com', 'house', '-n', namespace, '--type=merge'];
    await run(['patch', ...policyArgs, '-p', '{"metadata":{"finalizers":["example.com/hold"]}}']);
    await run(['patch', ...policyArgs, '-p', '{"metadata":{"finalizers":null}}']);
    await run(['patch', ...policyArgs, '--subresource=status', '-p', '{"status":{"ancestors":[]}}']);
    const system = { ...service(apart), metadata: { name: apart, namespace: 'kube-system' } };
    await run(['create', '--dry-run=server', '-f', '-'], system);
    expect(seen).toEqual([]);
    await run(['patch', ...policyArgs, '-p', '{"metadata":{"labels":{"team":"infra"}}}']);
    expect(seen).toEqual(['/validate-warned-example-com-v1-timeoutpolicy']);
  });

  it('blocks nothing when it is gone', async () => {
    await server?.close();
    const { code } = await runProgramForOutputs(
      cluster.kubectl,
      ['--kubeconfig', cluster.kubeconfig, 'apply', '-f', '-'],
      JSON.stringify(mine),
    );
    expect(code).toBe(0);
  });
});
