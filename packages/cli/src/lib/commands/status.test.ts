import { describe, expect, it } from 'vitest';
import { folderWith, retries, retryPolicyDefinition, routes } from '../changes/cli.fixture.ts';

const definition = retryPolicyDefinition.replace(
  '          type: object\n          properties:\n            spec:',
  '          type: object\n          properties:\n            status: { type: object, properties: { ancestors: { type: array } } }\n            spec:',
);
const controller = 'example.com/gateway-controller';
const gatewayClass = `
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: edge }
spec: { controllerName: ${controller} }
`;

interface Entry {
  readonly gateway?: string;
  readonly by?: string;
  readonly generation?: number;
  /** Conditions: `Accepted=True`. */
  readonly conditions: readonly string[];
}

/** A policy with a status. */
function reported(policy: string, ...entries: readonly Entry[]): string {
  const ancestors = entries.map(({ gateway = 'public', by = controller, generation = 1, conditions }) => ({
    ancestorRef: { group: 'gateway.networking.k8s.io', kind: 'Gateway', namespace: 'infra', name: gateway },
    controllerName: by,
    conditions: conditions.map((text) => {
      const [type, status] = text.split('=');
      return {
        type,
        status,
        reason: 'Because',
        message: '',
        observedGeneration: generation,
        lastTransitionTime: '2026-01-01T00:00:00Z',
      };
    }),
  }));
  return `${policy.trimEnd().replace('metadata: {', 'metadata: { generation: 2,')}\nstatus: ${JSON.stringify({ ancestors })}\n`;
}

const house = retries('infra/house', 'Gateway public', 'overrides: { attempts: 3 }');
const cart = retries('shop/cart', 'HTTPRoute cart', 'attempts: 0');
const lost = retries('shop/lost', 'HTTPRoute nowhere', 'attempts: 0');

function status(policies: readonly string[], ...args: readonly string[]) {
  const text = [routes, gatewayClass, definition, ...policies].join('---');
  return folderWith({ 'a.yaml': text }).gwpolicy('status', '-f', '@a.yaml', ...args);
}

const inForce = { generation: 2, conditions: ['Accepted=True', 'Programmed=True'] };
const overridden = { generation: 2, conditions: ['Accepted=True', 'Programmed=False'] };

describe('gwpolicy status', () => {
  it('reports nothing if each status agrees with the computed one', async () => {
    const { code, stdout, stderr } = await status([reported(house, inForce), reported(cart, overridden)]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The statuses of 2 policies agree with the computed outcomes.\n',
    });
  });

  it('names the conditions that differ, with the reasons', async () => {
    const policies = [
      reported(house, { ...inForce, generation: 1 }, { gateway: 'other', ...inForce }),
      reported(cart, inForce),
      lost,
    ];
    const { code, stdout, stderr } = await status(policies, '-o', 'wide');
    expect(stdout).toMatchInlineSnapshot(`
      "NAMESPACE   POLICY              ANCESTOR               CONDITION    SAYS       COMPUTED             WRITTEN          CONTROLLER   WHY
      infra       RetryPolicy house   Gateway infra/public   Accepted     outdated   True (Accepted)      True (Because)   <none>       is about generation 1 of the policy, which is at 2
      infra       RetryPolicy house   Gateway infra/public   Programmed   outdated   True (Programmed)    True (Because)   <none>       is about generation 1 of the policy, which is at 2
      infra       RetryPolicy house   Gateway infra/other    <none>       an entry   <none>               an entry         <none>       This ancestor is not related to the policy.
      shop        RetryPolicy cart    Gateway infra/public   Programmed   True       False (Overridden)   True (Because)   <none>       Overridden in all scopes. infra/house replaces it (Atomic overrides).
      "
    `);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'The statuses of 2 of 2 policies differ from the computed outcomes; -o wide shows why. The status of 1 more policy cannot be computed; -o json shows why.\n',
    });
    expect((await status(policies)).stdout).toMatchInlineSnapshot(`
      "NAMESPACE   POLICY              ANCESTOR               CONDITION    SAYS       COMPUTED
      infra       RetryPolicy house   Gateway infra/public   Accepted     outdated   True (Accepted)
      infra       RetryPolicy house   Gateway infra/public   Programmed   outdated   True (Programmed)
      infra       RetryPolicy house   Gateway infra/other    <none>       an entry   <none>
      shop        RetryPolicy cart    Gateway infra/public   Programmed   True       False (Overridden)
      "
    `);
  });

  it('requires Accepted, and no other conditions that a controller does not write', async () => {
    const accepted = { generation: 2, conditions: ['Accepted=True'] };
    expect((await status([reported(house, accepted), reported(cart, accepted)])).code).toBe(0);
    const other = { generation: 2, conditions: ['Programmed=True', 'Other=False'] };
    expect((await status([reported(house, other)])).stdout).toContain('Accepted');
  });

  it('counts only the entries of one controller with --controller-name', async () => {
    const policies = [reported(house, inForce, { by: 'other.example.com/controller', conditions: ['Accepted=False'] })];
    expect((await status(policies)).code).toBe(1);
    expect((await status(policies, '--controller-name', controller)).code).toBe(0);
    const { code } = await status([reported(house)], '--controller-name', 'nobody.example.com/controller');
    expect(code).toBe(0); // The Gateway belongs to another controller, so there is nothing to report.
  });

  it('answers for one policy, or for the policies of a namespace', async () => {
    const policies = [reported(house, inForce), cart];
    expect((await status(policies, 'retrypolicy/house')).code).toBe(0);
    expect((await status(policies, 'retrypolicy/cart')).code).toBe(1);
    expect((await status(policies, '-n', 'infra')).code).toBe(0);
    expect((await status(policies, '-n', 'shop', '-o', 'name')).stdout).toBe('retrypolicy.policies.example.com/cart\n');
  });

  it('does not judge policies with unknown merging', async () => {
    const unknown = retries('shop/other', 'HTTPRoute cart', 'attempts: 0').replace(
      'policies.example.com',
      'other.example.com',
    );
    const { code, stderr } = await status([unknown]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('No statuses found to compare. The status of 1 more policy cannot be computed'),
    });
  });
});

describe('gwpolicy status of policies of Envoy Gateway', () => {
  const section = (name: string) => ({ kind: 'Gateway', namespace: 'infra', name: 'public', sectionName: name });
  const told = (ancestorRef: object, type: string, status: string, reason: string, message = '') => ({
    ancestorRef: { group: 'gateway.networking.k8s.io', ...ancestorRef },
    controllerName: 'gateway.envoyproxy.io/gatewayclass-controller',
    conditions: [{ type, status, reason, message, lastTransitionTime: '2026-01-01T00:00:00Z' }],
  });
  const traffic = (...ancestors: readonly object[]) => `
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: { name: careful, namespace: shop, creationTimestamp: "2026-01-01T00:00:00Z" }
spec:
  targetRefs: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, name: cart }]
  timeout: { http: { requestTimeout: 9s } }
status: ${JSON.stringify({ ancestors })}
`;

  it.each([
    ['names a listener in place of its Gateway', [told(section('http'), 'Accepted', 'True', 'Accepted')]],
    ['has an entry that says only that the policy is merged', [told(section('http'), 'Merged', 'True', 'Merged')]],
    [
      'names an ancestor of another kind as well',
      [
        told(section('http'), 'Accepted', 'True', 'Accepted'),
        told({ group: 'gateway.envoyproxy.io', kind: 'EnvoyProxy', name: 'own' }, 'Accepted', 'True', 'Accepted'),
      ],
    ],
  ])('accuses no controller that %s', async (_, entries) => {
    const { code, stderr } = await status([traffic(...entries)]);
    expect([code, stderr]).toEqual([0, 'The statuses of 1 policy agree with the computed outcomes.\n']);
  });

  it('does not compare ancestors of a backend without routes, because policies can refer to it', async () => {
    const policy = `
apiVersion: agentgateway.dev/v1alpha1
kind: AgentgatewayPolicy
metadata: { name: proxy, namespace: shop }
spec:
  targetRefs: [{ group: agentgateway.dev, kind: AgentgatewayBackend, name: proxy }]
  backend: { http: { version: HTTP2 } }
status: ${JSON.stringify({ ancestors: [told({ kind: 'Gateway', name: 'public' }, 'Accepted', 'True', 'Valid')] })}
`;
    const backend = `
apiVersion: agentgateway.dev/v1alpha1
kind: AgentgatewayBackend
metadata: { name: proxy, namespace: shop }
spec: { static: { host: proxy.example.com, port: 80 } }
`;
    const { stderr } = await status([policy, backend]);
    expect(stderr).toContain('The status of 1 more policy cannot be computed');
  });

  it.each([
    ['loses to one on a listener, which kgateway merges apart', 'infra', section('http'), 'True', 'Attached'],
    ['loses at one of its routes', 'shop', { kind: 'HTTPRoute', name: 'cart' }, 'False', 'Overridden'],
  ])('does not compare the attachment of a policy that %s', async (_, namespace, target, attached, reason) => {
    const retry = (
      path: string,
      { namespace: __, ...of }: Record<string, string>,
      ...is: readonly [string, string]
    ) => `
apiVersion: gateway.kgateway.dev/v1alpha1
kind: TrafficPolicy
metadata: { namespace: ${path.replace('/', ', name: ')} }
spec:
  targetRefs: [${JSON.stringify({ group: 'gateway.networking.k8s.io', ...of })}]
  retry: { attempts: ${path.length} }
status: ${JSON.stringify({ ancestors: [{ ...told({ kind: 'Gateway', namespace: 'infra', name: 'public' }, 'Attached', ...is), controllerName: 'kgateway.dev/kgateway' }] })}
`;
    const whole = retry('infra/whole', { kind: 'Gateway', name: 'public' }, attached, reason);
    const part = retry(`${namespace}/part`, target, 'True', 'Attached');
    const { stderr } = await status([whole, part]);
    expect(stderr).toBe('The statuses of 2 policies agree with the computed outcomes.\n');
    expect((await status([whole.replace(/status: .*/, ''), part])).code).toBe(1);
  });

  it("shows a controller's refusals for a reason that cannot be computed, in its own words", async () => {
    const refused = told(section('http'), 'Accepted', 'False', 'Invalid', 'BufferLimit value 1T is out of range');
    const { code, stdout } = await status([traffic(refused)]);
    expect(code).toBe(0);
    expect(stdout).toContain('Refused by their controllers');
    expect(stdout).toContain('BufferLimit value 1T is out of range');
  });

  it('still reports a wrong refusal: another policy does not exist', async () => {
    const refused = told(section('http'), 'Accepted', 'False', 'Conflicted', 'Unable to target HTTPRoute shop/cart');
    const { code, stdout } = await status([traffic(refused)], '-o', 'wide');
    expect(code).toBe(1);
    expect(stdout).toContain('Unable to target HTTPRoute shop/cart');
  });
});
