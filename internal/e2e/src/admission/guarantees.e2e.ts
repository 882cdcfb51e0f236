import { createAdmission } from '@policy-machinery/admission';
import type { AdmissionServer } from '@policy-machinery/admission/node';
import { connect } from '@policy-machinery/cluster';
import { createPolicyController } from '@policy-machinery/controller';
import { customResourceDefinition } from '@policy-machinery/crd';
import { Gateway, gatewayApi, HTTPRoute } from '@policy-machinery/gateway-api';
import { everyRequestMeets } from '@policy-machinery/guarantees';
import { definePolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { z } from 'zod';
import { kubectl } from '../cluster.ts';
import { runProgramForOutputs } from '../processes.ts';
import { registerWebhook } from './register-webhook.ts';

const cluster = inject('cluster');
const namespace = 'guaranteed';
const webhook = 'guaranteed.example.com';
const patience = { timeout: 120_000, interval: 100 };

const AuthPolicy = definePolicyKind({
  group: webhook,
  version: 'v1',
  kind: 'AuthPolicy',
  targets: [Gateway, HTTPRoute],
  effectiveTargets: [HTTPRoute.sections.rule],
  spec: z.object({ issuer: z.string() }),
});

const object = (apiVersion: string, kind: string, name: string, spec: object): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
  spec,
});
const gateway = object('gateway.networking.k8s.io/v1', 'Gateway', 'edge', {
  gatewayClassName: 'any',
  listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
});
const route = (name: string) =>
  object('gateway.networking.k8s.io/v1', 'HTTPRoute', name, {
    parentRefs: [{ name: 'edge' }],
    hostnames: [`${name}.example.com`],
    rules: [{ name: 'all' }],
  });
const login = (target: string) =>
  object(`${webhook}/v1`, 'AuthPolicy', `login-${target}`, {
    targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: target }],
    issuer: 'https://login.example.com',
  });

const run = (args: readonly string[], input?: unknown) =>
  kubectl(cluster, args, input === undefined ? undefined : JSON.stringify(input));
const applyAll = (...items: readonly KubernetesObject[]) =>
  run(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });

/** Runs kubectl, and returns why the request was refused; nothing if it was not. */
async function refusal(args: readonly string[], input?: unknown): Promise<string> {
  const all = ['--kubeconfig', cluster.kubeconfig, ...args];
  const { errors } = await runProgramForOutputs(cluster.kubectl, all, input === undefined ? '' : JSON.stringify(input));
  return errors.trim();
}

describe('an admission webhook with a guarantee, on a real API server', () => {
  const stopping = new AbortController();
  let [running, server]: [Promise<void> | undefined, AdmissionServer | undefined] = [undefined, undefined];

  beforeAll(async () => {
    await run(['create', 'namespace', namespace]);
    await applyAll(customResourceDefinition(AuthPolicy).definition, gateway, route('cart'));
    await vi.waitFor(() => applyAll(login('cart')), patience);
    const controller = createPolicyController({
      name: `${webhook}/controller`,
      connection: await connect({ kubeconfig: cluster.kubeconfig }),
      targetKinds: gatewayApi(),
      policyKinds: [AuthPolicy],
      namespaces: [namespace],
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    running = controller.run({ signal: stopping.signal });
    const admission = createAdmission({
      views: controller.effective(AuthPolicy),
      isReady: () => controller.isSynced,
      guarantees: [everyRequestMeets({ name: 'authenticated', kind: 'AuthPolicy' })],
      refuse: 'broken-guarantees',
      warn: [],
      senders: 'api-server',
    });
    const { topology } = controller;
    server = await registerWebhook({ name: webhook, topology, fetch: admission.fetch, apply: applyAll });
    await vi.waitFor(() => expect(controller.isSynced).toBe(true), patience);
    await admission.warmUp();
    // The API server calls a new webhook a moment after it is registered.
    await vi.waitFor(
      async () => expect(await refusal(['apply', '--dry-run=server', '-f', '-'], route('open'))).not.toBe(''),
      { ...patience, timeout: 30_000 },
    );
  });
  afterAll(async () => {
    await run(['delete', 'validatingwebhookconfiguration', webhook, '--ignore-not-found']);
    await run(['delete', 'namespace', namespace, '--ignore-not-found', '--wait=false']);
    await server?.close();
    stopping.abort();
    await running;
  });

  const refused =
    'denied the request: This change would break the guarantee authenticated (Every request meets a policy of the kind AuthPolicy.): ';

  it('refuses a route without a policy, which is not created, and shows the request', async () => {
    const said = await refusal(['apply', '-f', '-'], route('open'));
    expect(said).toContain(
      `${refused}GET http://open.example.com/ is taken by HTTPRoute ${namespace}/open#all and meets no AuthPolicy.`,
    );
    expect(await run(['get', 'httproutes', '-n', namespace, '-o', 'name'])).not.toContain('open');
  });

  it('refuses to delete the policy of a route, which stays', async () => {
    const kind = `authpolicies.${webhook}`;
    const said = await refusal(['delete', kind, 'login-cart', '-n', namespace]);
    expect(said).toContain(
      `${refused}GET http://cart.example.com/ is taken by HTTPRoute ${namespace}/cart#all and meets no AuthPolicy.`,
    );
    expect(await run(['get', kind, '-n', namespace, '-o', 'name'])).toContain('login-cart');
  });

  it('accepts the route after its policy', async () => {
    await applyAll(login('open'));
    await vi.waitFor(() => applyAll(route('open')), patience); // The webhook follows the policy a moment later.
    expect(await run(['get', 'httproutes', '-n', namespace, '-o', 'name'])).toContain('open');
  });
});
