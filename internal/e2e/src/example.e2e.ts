import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { makeCertificate } from './admission/certificate.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { type AuditLog, createAuditLog } from './audit.ts';
import { accessTo, kubectl } from './cluster.ts';
import {
  deployExample,
  example,
  exampleUser,
  type Replica,
  startReplica,
  writeExampleKubeconfig,
} from './example-deployment.ts';
import { deployExampleWithWebhook } from './example-webhook.ts';
import { freePort } from './free-port.ts';
import { installGatewayApi } from './gateway-api.ts';
import { runProgram, runProgramForOutputs } from './processes.ts';

/** The page that says what `kubectl apply` prints. */
const readme = readFileSync(join(example, 'README.md'), 'utf8');

/** A limit for what hangs. */
const patience = { timeout: 300_000, interval: 200 };

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

describe.runIf(inject('cluster').isOwn)('the example of a controller, deployed by its own manifests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'example-'));
  const kubeconfig = join(folder, 'kubeconfig');
  let server: ApiServer;
  let audit: AuditLog;
  let first: Replica;
  let second: Replica;

  const run = (args: readonly string[], input?: string) => kubectl(accessTo(server.kubeconfig), args, input);
  const read = async (...args: readonly string[]) => JSON.parse(await run(['get', ...args, '-o', 'json']));
  const conditionsOf = async (name: string): Promise<readonly string[]> => {
    const { status = {} } = await read('timeoutpolicies', '-n', 'shop', name);
    const [ancestor] = status.ancestors ?? [];
    return (ancestor?.conditions ?? []).map(({ type, status }: Record<string, string>) => `${type}=${status}`);
  };

  /** Applies a policy without storing it. Returns what kubectl prints beside the outcome: warnings, and why it is refused. */
  const told = async (object: object, ...more: readonly string[]): Promise<string> => {
    const { kubeconfig, kubectl: command } = accessTo(server.kubeconfig);
    const args = ['--kubeconfig', kubeconfig, 'apply', '--dry-run=server', '-f', '-', ...more];
    return (await runProgramForOutputs(command, args, JSON.stringify(object))).errors.trim();
  };

  beforeAll(async () => {
    audit = createAuditLog(folder);
    server = await startApiServer({ flags: audit.flags });
    await installGatewayApi(accessTo(server.kubeconfig));
    await deployExample(accessTo(server.kubeconfig));
    await writeExampleKubeconfig(accessTo(server.kubeconfig), kubeconfig);
    await runProgram('npm', ['run', '--silent', '--prefix', example, 'build']);
    first = await startReplica('first', kubeconfig);
    await vi.waitFor(async () => expect((await first.probe('readyz')).status).toBe(200), patience);
    const [{ certDir, certFile }, port] = await Promise.all([makeCertificate(), freePort()]);
    second = await startReplica('second', kubeconfig, {
      WEBHOOK_CERTS: certDir,
      WEBHOOK_PORT: String(port),
      WEBHOOK_SENDERS: 'api-server',
    });
    await deployExampleWithWebhook(accessTo(server.kubeconfig), { port, certFile });
  });
  afterAll(async () => {
    await Promise.all([first?.end('SIGKILL'), second?.end('SIGKILL')]);
    await server?.close();
  });

  it('has pods that its namespace takes at the security level "restricted"', async () => {
    const { spec } = await read('deployment', '-n', 'policies-system', 'policies-controller');
    const metadata = { name: 'probe', namespace: 'policies-system' };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: spec.template.spec };
    expect(await run(['create', '--dry-run=server', '-f', '-'], JSON.stringify(pod))).toContain('created');
    const container = { name: 'root', image: 'any' };
    const unsafe = { ...pod, spec: { containers: [container] } };
    await expect(run(['create', '--dry-run=server', '-f', '-'], JSON.stringify(unsafe))).rejects.toThrow('PodSecurity');
  });

  it('writes the statuses of policies, with the rights that its manifests give', async () => {
    await run(['apply', '--server-side', '-f', join(example, 'manifests')]);
    await vi.waitFor(async () => expect(await conditionsOf('patient')).toContain('Programmed=True'), patience);
    await vi.waitFor(async () => expect(await conditionsOf('house-rules')).toContain('Programmed=False'), patience);
    const { status } = await read('httproutes', '-n', 'shop', 'cart');
    expect(JSON.stringify(status)).toContain('policies.shop.example.com/TimeoutPolicyAffected');
  });

  it('refuses objects that the definitions do not allow, before the controller sees them', async () => {
    const policy = readFileSync(join(example, 'manifests/shop.yaml'), 'utf8').split('---\n').at(-2) ?? '';
    await expect(run(['apply', '-f', '-'], policy.replace('30s', 'soon'))).rejects.toThrow('spec.request');
  });

  it('warns who prevails over a policy that is applied, from a replica that does not act', async () => {
    await vi.waitFor(async () => expect((await second.probe('readyz')).status).toBe(200), patience);
    // The API server asks a new webhook a moment after it is installed.
    const warning = 'Warning: Overridden in all scopes. shop/fair-use replaces it (Atomic overrides).';
    await vi.waitFor(async () => {
      expect(await told(policy('RateLimitPolicy', 'cart-rush', 'HTTPRoute', 'cart', rush))).toBe(warning);
    }, patience);
    expect(readme).toContain(warning);
    expect((await second.probe('metrics')).text).toMatch(/leader_election_master_status\{.*\} 0\n/);
  });

  it('warns how many targets a policy changes', async () => {
    const gateway = {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'Gateway',
      metadata: { name: 'mall', namespace: 'shop' },
      spec: { gatewayClassName: 'edge', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
    };
    const routes = [16, 16, 15].map((length, index) => ({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: { name: `mall-${index}`, namespace: 'shop' },
      spec: { parentRefs: [{ name: 'mall' }], rules: Array.from({ length }, (_, rule) => ({ name: `rule-${rule}` })) },
    }));
    await run(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [gateway, ...routes] }));
    await vi.waitFor(async () => {
      expect(await told(policy('TimeoutPolicy', 'mall', 'Gateway', 'mall', { defaults: { request: '5s' } }))).toContain(
        'This change alters the effective TimeoutPolicy of 47 targets',
      );
    }, patience);
  });

  it('refuses a policy from people who may not change its target, and names the remedy', async () => {
    const may = 'create,get,patch,update';
    const resource = 'timeoutpolicies.policies.shop.example.com,httproutes.gateway.networking.k8s.io';
    await run(['create', 'role', 'routes', '-n', 'shop', `--verb=${may}`, `--resource=${resource}`]);
    await run(['create', 'rolebinding', 'routes', '-n', 'shop', '--role=routes', '--user=ann']);
    const timeouts = (name: string, kind: string, target: string) =>
      policy('TimeoutPolicy', name, kind, target, { request: '1s' });
    const reason =
      'you may not update Gateway public, a target of this policy; name another target, or ask for the permission';
    const printed = await vi.waitFor(async () => {
      const text = await told(timeouts('hasty', 'Gateway', 'public'), '--as=ann');
      expect(text).toContain(reason); // Rights take effect a moment after they are written.
      return text;
    }, patience);
    expect(readme).toContain(printed.replace('STDIN', 'hasty.yaml'));
    // The younger policy, also by name: both may be created within one second.
    expect(await told(timeouts('rushed', 'HTTPRoute', 'cart'), '--as=ann')).toBe(
      'Warning: Overridden in all scopes. shop/patient replaces it (Atomic defaults).',
    );
  });

  it('serves probes and metrics in both replicas', async () => {
    await vi.waitFor(async () => expect((await second.probe('readyz')).status).toBe(200), patience);
    for (const [replica, leads] of [
      [first, 1],
      [second, 0],
    ] as const) {
      const { text } = await replica.probe('metrics');
      expect(text).toMatch(new RegExp(`leader_election_master_status\\{.*\\} ${leads}\n`));
      expect(text).toContain('process_resident_memory_bytes');
    }
  });

  it('ends with 0 when it is stopped, and the other replica takes over', async () => {
    expect(await first.end()).toBe(0);
    await run(['delete', 'timeoutpolicy', '-n', 'shop', 'patient']);
    await vi.waitFor(async () => expect(await conditionsOf('house-rules')).toContain('Programmed=True'), patience);
    expect((await second.probe('metrics')).text).toMatch(/leader_election_master_status\{.*\} 1\n/);
  });

  it('was refused nothing, and has used each right but those for conflicts, events and older servers', async () => {
    const requests = audit.read().filter(({ user }) => user === exampleUser);
    expect(requests.filter(({ code }) => code === 403)).toEqual([]);
    const used = new Set(requests.map(({ verb, resource }) => `${verb} ${resource}`));
    const served = new Set((await run(['api-resources', '-o', 'name'])).trim().split('\n'));
    const roles = [
      await read('clusterrole', 'policies-controller'),
      await read('role', '-n', 'policies-system', 'policies-controller'),
    ];
    const unused = roles
      .flatMap(({ rules }: { rules: readonly Rule[] }) => rules.flatMap(rightsOf))
      .filter(({ verb, name }) => !used.has(`${verb} ${name}`));
    const isExpected = ({ verb, name }: Right) =>
      !served.has(name.replace('/status', '')) || // Other channels of Gateway API have it.
      name === 'events.events.k8s.io' ||
      verb === 'list' || // This server sends lists as watches.
      (verb === 'get' && !name.startsWith('leases')) || // After a conflict.
      name === 'grpcroutes/status.gateway.networking.k8s.io'; // The shop has none.
    expect(unused.filter((it) => !isExpected(it))).toEqual([]);
  });
});

const rush = { limits: { everyone: { requests: 1000, per: 'second' } } };

function policy(kind: string, name: string, targetKind: string, target: string, spec: object): object {
  const targetRefs = [{ group: 'gateway.networking.k8s.io', kind: targetKind, name: target }];
  return {
    apiVersion: 'policies.shop.example.com/v1',
    kind,
    metadata: { name, namespace: 'shop' },
    spec: { targetRefs, ...spec },
  };
}

interface Right {
  readonly verb: string;
  readonly name: string;
}

function rightsOf({ apiGroups, resources, verbs }: Rule): readonly Right[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.map((verb) => ({ verb, name: group === '' ? resource : `${resource}.${group}` })),
    ),
  );
}
