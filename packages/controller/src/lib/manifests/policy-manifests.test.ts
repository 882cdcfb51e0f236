import { Gateway, GatewayClass, gatewayApi, HTTPRoute, Namespace, Secret } from '@policy-machinery/gateway-api';
import { guaranteeKind } from '@policy-machinery/guarantees/definition';
import { definePolicyKind, gep713 } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { configured, type DeclaredController, policyManifests } from '../../index.ts';
import { guaranteeLibrary } from '../guarantees/guarantee-library.ts';
import { createWorld, gateway, name, route, TimeoutPolicy, timeouts } from '../world.fixture.ts';

const declared: DeclaredController = { name, targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] };
const deployed = { namespace: 'timeouts-system', image: 'example.com/timeouts:1.0.0' };

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

interface Role extends KubernetesObject {
  readonly rules: readonly Rule[];
}

const isRole = (object: KubernetesObject): object is Role => /^(?:Cluster)?Role$/.test(object.kind);
const rolesOf = (controller: DeclaredController) => policyManifests(controller, deployed).filter(isRole);

/** A request, as an API server's authorizer sees it. */
interface Asked {
  readonly path: string;
  readonly verb?: string | undefined;
  readonly resource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** Returns whether roles allow a request, by the rules of Kubernetes. */
function allows(roles: readonly Role[], { path, verb = '', resource = '', namespace, name = '' }: Asked): boolean {
  const [, group = ''] = /^\/apis\/([^/]+)/.exec(path) ?? [];
  return roles
    .filter(({ kind, metadata }) => kind === 'ClusterRole' || metadata.namespace === namespace)
    .flatMap(({ rules }) => rules)
    .some(
      ({ apiGroups, resources, resourceNames, verbs }) =>
        apiGroups.includes(group) &&
        resources.includes(resource) &&
        verbs.includes(verb) &&
        (resourceNames?.includes(name) ?? true),
    );
}

/** Returns the rights of roles, a line for each verb and resource: `shop: patch configmaps`. */
function rightsIn(roles: readonly Role[]): readonly string[] {
  return roles.flatMap(({ metadata: { namespace = '*' }, rules }) =>
    rules.flatMap(({ apiGroups, resources, resourceNames, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.map((resource) => {
          const names = resourceNames === undefined ? '' : ` ${resourceNames}`;
          return `${namespace}: ${verbs} ${resource}${group === '' ? '' : `.${group}`}${names}`;
        }),
      ),
    ),
  );
}

const ConfigMap = { group: '', kind: 'ConfigMap' };
const NamespacePolicy = definePolicyKind({
  ...gep713(),
  group: 'timeouts.example.com',
  version: 'v1',
  kind: 'NamespacePolicy',
  targets: [Namespace, Gateway],
  effectiveTargets: [HTTPRoute],
  spec: z.object({ request: z.string() }).partial(),
});

const cases: readonly (readonly [string, Partial<DeclaredController>])[] = [
  ['that is only declared', {}],
  ['with a lease', { lease: { namespace: 'timeouts-system' } }],
  ['with shards', { shards: { namespace: 'timeouts-system' } }],
  ['of some namespaces', { namespaces: ['shop', 'other'], lease: { namespace: 'timeouts-system' } }],
  ['with owned objects and other resources', { owns: [ConfigMap], watches: [{ kind: Secret, metadataOnly: true }] }],
  [
    'of some namespaces, with a cluster-scoped kind',
    { targetKinds: [Gateway, HTTPRoute], namespaces: ['shop'], watches: [{ kind: GatewayClass }] },
  ],
  ['with a kind of one namespace', { kinds: { 'HTTPRoute.gateway.networking.k8s.io': { namespaces: ['shop'] } } }],
  ['that marks all affected objects', { status: { affected: 'all' } }],
  ['that marks no objects', { status: { affected: 'off', overflow: 'truncate-aggregated' } }],
  ['without events', { events: false }],
  ['with a finalizer', { finalizer: 'timeouts.example.com/cleanup' }],
  ['with guarantees', { guarantees: {} }],
  ['with guarantees of its own', { guarantees: { watch: false } }],
  ['of policies on namespaces', { policyKinds: [NamespacePolicy] }],
];

// The fake clock does not wait for files.
beforeAll(guaranteeLibrary);

describe('the roles of policyManifests', () => {
  it.each(cases)('allow each request of a controller %s', async (_, options) => {
    const controller = { ...declared, ...options };
    const world = createWorld({
      kinds: [...gatewayApi(), TimeoutPolicy, NamespacePolicy, guaranteeKind],
      namespaces: ['other', 'timeouts-system'],
      objects: [
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
        gateway('edge'),
        route('cart', 'edge'),
        timeouts('slow', 'Gateway edge', { request: '10s' }),
        {
          apiVersion: `${guaranteeKind.group}/${guaranteeKind.version}`,
          kind: guaranteeKind.kind,
          metadata: { name: 'limited' },
          spec: { holds: 'has(policies.TimeoutPolicy)' },
        },
        timeouts('slower', 'Gateway edge', { request: '20s' }),
        {
          apiVersion: 'timeouts.example.com/v1',
          kind: 'NamespacePolicy',
          metadata: { name: 'all', namespace: 'shop' },
          spec: { targetRefs: [{ group: '', kind: 'Namespace', name: 'shop' }], defaults: { request: '1s' } },
        },
      ],
    });
    world.server.addFaults({ at: 'patch timeoutpolicies/status', times: 2, do: { status: 409 } });
    const { stop } = world.start({
      ...controller,
      onEffective({ view, targets, apply }) {
        if (controller.owns === undefined) return;
        for (const target of targets) {
          const metadata = { name: 'cart', namespace: 'shop' };
          apply(target, view.of(target).length === 0 ? [] : [{ apiVersion: 'v1', kind: 'ConfigMap', metadata }]);
        }
      },
    });
    await world.settle(60_000);
    await stop();
    const roles = rolesOf(controller);
    const asked = world.server.requests.filter(({ resource }) => resource !== undefined);
    const refused = asked.filter((request) => !allows(roles, request));
    expect(refused.map(({ verb, resource, namespace, name }) => [verb, resource, namespace, name])).toEqual([]);
    expect(asked.map(({ verb }) => verb)).toEqual(expect.arrayContaining(['watch', 'patch']));
  });

  it('are Roles in the namespaces that are read, and a ClusterRole for cluster-scoped objects', () => {
    const roles = rolesOf({
      ...declared,
      targetKinds: [Gateway, HTTPRoute],
      namespaces: ['shop'],
      owns: [ConfigMap],
      lease: { namespace: 'timeouts-system' },
    });
    expect(rightsIn(roles).toSorted()).toEqual([
      '*: get customresourcedefinitions.apiextensions.k8s.io timeoutpolicies.timeouts.example.com',
      '*: list,watch namespaces',
      'default: create,patch events.events.k8s.io',
      'shop: create,delete,get,list,patch,watch configmaps',
      'shop: create,patch events.events.k8s.io',
      'shop: get,list,watch gateways.gateway.networking.k8s.io',
      'shop: get,list,watch httproutes.gateway.networking.k8s.io',
      'shop: get,list,watch timeoutpolicies.timeouts.example.com',
      'shop: list,watch referencegrants.gateway.networking.k8s.io',
      'shop: patch gateways/status.gateway.networking.k8s.io',
      'shop: patch httproutes/status.gateway.networking.k8s.io',
      'shop: patch timeoutpolicies/status.timeouts.example.com',
      'timeouts-system: create leases.coordination.k8s.io',
      'timeouts-system: create,patch events.events.k8s.io',
      'timeouts-system: get,update leases.coordination.k8s.io timeouts.example.com-controller',
    ]);
  });

  it('let the controller mark Namespaces, which lack conditions, and leave their statuses alone', () => {
    const rights = rightsIn(rolesOf({ ...declared, policyKinds: [NamespacePolicy] }));
    expect(rights).toContain('*: get,list,patch,watch namespaces');
    expect(rights.filter((right) => right.includes('namespaces/status'))).toEqual([]);
  });

  it('let the controller write statuses and events alone', () => {
    const written = rightsIn(rolesOf(declared)).filter((right) => /create|patch|update|delete/.test(right));
    expect(written.map((right) => right.slice(3)).toSorted()).toEqual([
      'create,patch events.events.k8s.io',
      'patch gateways/status.gateway.networking.k8s.io',
      'patch httproutes/status.gateway.networking.k8s.io',
      'patch timeoutpolicies/status.timeouts.example.com',
    ]);
  });

  it('let the controller say in the statuses of Guarantees whether they hold, if it watches these', () => {
    const rights = (guarantees: DeclaredController['guarantees']) =>
      rightsIn(rolesOf({ ...declared, ...(guarantees && { guarantees }) })).filter((right) =>
        right.includes('guarantees'),
      );
    expect(rights({})).toEqual([
      '*: get,list,watch guarantees.verify.policy-machinery',
      '*: patch guarantees/status.verify.policy-machinery',
    ]);
    expect([rights({ watch: false }), rights(undefined)]).toEqual([[], []]);
  });

  it('are bound to the ServiceAccount of the Pods', () => {
    const manifests = policyManifests({ ...declared, lease: { namespace: 'timeouts-system' } }, deployed);
    const bindings = manifests.filter(({ kind }) => kind.endsWith('RoleBinding'));
    expect(bindings).toHaveLength(2);
    for (const binding of bindings) {
      expect(binding).toMatchObject({
        roleRef: { kind: binding.kind.replace('Binding', ''), name: 'timeouts.example.com-controller' },
        subjects: [{ kind: 'ServiceAccount', name: 'timeouts.example.com-controller', namespace: 'timeouts-system' }],
      });
    }
    const podSpec = { serviceAccountName: 'timeouts.example.com-controller' };
    expect(manifests.find(({ kind }) => kind === 'Deployment')).toMatchObject({
      spec: { template: { spec: podSpec } },
    });
  });
});

describe('policyManifests', () => {
  const kindsOf = (...[controller, options]: Parameters<typeof policyManifests>) =>
    policyManifests(controller, options).map(({ kind }) => kind);

  it('begins with the objects that are applied first', () => {
    expect(kindsOf({ ...declared, lease: { namespace: 'timeouts-system' } }, deployed)).toEqual([
      'CustomResourceDefinition',
      'Namespace',
      'ServiceAccount',
      'ClusterRole',
      'ClusterRoleBinding',
      'Role',
      'RoleBinding',
      'Deployment',
    ]);
  });

  it('has the definitions that the controller compares the installed ones with', () => {
    const definition = { categories: ['policies'] };
    const [crd] = policyManifests({ ...declared, policyKinds: [configured(TimeoutPolicy, { definition })] }, deployed);
    expect(crd).toMatchObject({ spec: { names: definition } });
  });

  it.each([
    ['one replica, as nothing elects one of several', {}, { replicas: 1 }],
    ['two replicas with a lease', { lease: { namespace: 'a' } }, { replicas: 2 }],
    ['three replicas with shards', { shards: { namespace: 'a' } }, { replicas: 3 }],
  ])('deploys %s', (_, options, spec) => {
    const deployment = policyManifests({ ...declared, ...options }, deployed).at(-1);
    expect(deployment).toMatchObject({ kind: 'Deployment', spec });
  });

  it('asks for the probes where the controller serves them', () => {
    const probes = { livenessProbe: { httpGet: { port: 'probes' } }, readinessProbe: { httpGet: { port: 'probes' } } };
    const container = { ports: [{ name: 'probes', containerPort: 8081 }], ...probes };
    const deployment = policyManifests({ ...declared, probes: { port: 8081 } }, deployed).at(-1);
    expect(deployment).toMatchObject({ spec: { template: { spec: { containers: [container] } } } });
    expect(JSON.stringify(policyManifests(declared, deployed))).not.toContain('probes');
  });

  describe('with a webhook', () => {
    const webhookOf = (webhook: NonNullable<Parameters<typeof policyManifests>[1]['webhook']>) =>
      policyManifests(declared, { ...deployed, webhook }).slice(-5);
    const serviceName = 'timeouts.example.com-controller';
    const mounted = (secretName: string) => ({
      spec: {
        template: {
          spec: {
            containers: [
              { ports: [{ name: 'webhook', containerPort: 9443 }], volumeMounts: [{ name: 'webhook-certs' }] },
            ],
            volumes: [{ name: 'webhook-certs', secret: { secretName } }],
          },
        },
      },
    });

    it('have all that a cluster needs to call it: the Service, a certificate of cert-manager, and last the configuration', () => {
      const [deployment, service, issuer, certificate, configuration] = webhookOf({});
      expect(deployment).toMatchObject(mounted(`${serviceName}-serving-cert`));
      const pods = { 'app.kubernetes.io/name': serviceName };
      expect(service).toMatchObject({ kind: 'Service', spec: { selector: pods, ports: [{ targetPort: 'webhook' }] } });
      expect([issuer?.kind, certificate?.kind]).toEqual(['Issuer', 'Certificate']);
      expect(certificate).toMatchObject({ spec: { secretName: `${serviceName}-serving-cert` } });
      expect(configuration).toMatchObject({
        kind: 'ValidatingWebhookConfiguration',
        metadata: {
          name: 'timeouts.example.com',
          annotations: { 'cert-manager.io/inject-ca-from': `timeouts-system/${serviceName}-serving-cert` },
        },
      });
    });

    it('review the kinds that the controller reads, but not its own writes', () => {
      const text = JSON.stringify(webhookOf({}).at(-1));
      for (const it of ['timeoutpolicies', 'gateways', 'httproutes', 'namespaces']) expect(text).toContain(`"${it}"`);
      expect(text).toContain(`system:serviceaccount:timeouts-system:${serviceName}`);
    });

    it('use your own certificate, kinds and times', () => {
      const certificate = { secretName: 'own', caBundle: 'PEM' };
      const kinds = [{ ...TimeoutPolicy, versions: ['v1'], scope: 'Namespaced' as const }];
      const [, , deployment, service, configuration] = webhookOf({ certificate, kinds, timeoutSeconds: 5 });
      expect(deployment).toMatchObject(mounted('own'));
      expect(service?.kind).toBe('Service');
      expect(configuration).toMatchObject({ webhooks: [{ timeoutSeconds: 5, clientConfig: { caBundle: 'UEVN' } }] });
      expect(JSON.stringify(configuration)).not.toContain('cert-manager');
    });
  });

  it('has labels that Kubernetes accepts, for any name', () => {
    const long = { ...declared, name: `${'long-'.repeat(12)}a.example.com/x` };
    const [label] =
      JSON.stringify(policyManifests(long, deployed)).match(/(?<="app.kubernetes.io\/name":")[^"]*/) ?? [];
    expect(label).toMatch(/^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/);
  });
});
