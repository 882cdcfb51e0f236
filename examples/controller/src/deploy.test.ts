import { readdirSync, readFileSync } from 'node:fs';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { RateLimitPolicy, TimeoutPolicy } from '../../quickstart/src/policy-kinds.ts';
import { generated } from './generated.ts';

const deploy = new URL('../deploy/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, deploy), 'utf8');

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** What a role of `rbac.yaml` allows: `watch httproutes.gateway.networking.k8s.io`. */
function allowedBy(kind: 'ClusterRole' | 'Role'): readonly string[] {
  const roles = parseAllDocuments(read('rbac.yaml')).map((it) => it.toJS());
  const { rules }: { rules: readonly Rule[] } = roles.find((it) => it.kind === kind);
  return rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => `${verb} ${group === '' ? resource : `${resource}.${group}`}`),
      ),
    ),
  );
}

describe('deploy', () => {
  it('follows from the kinds in the program: `npm run generate` writes it', () => {
    const files = new Map([...generated.keys()].map((path) => [path, read(path)]));
    expect(files).toEqual(generated);
    const crds = readdirSync(new URL('crds/', deploy)).map((name) => `crds/${name}`);
    expect(crds.toSorted()).toEqual([...generated.keys()].filter((path) => path.startsWith('crds/')).sort());
  });

  it('installs all of it by kustomize, and the webhook only as a component, because it needs cert-manager', () => {
    const { resources, components } = parse(read('kustomization.yaml'));
    const component = parse(read('webhook/kustomization.yaml'));
    const installed = [...resources, ...component.resources.map((path: string) => `webhook/${path}`)];
    expect(installed).toEqual(expect.arrayContaining([...generated.keys()]));
    expect([components, component.kind]).toEqual([undefined, 'Component']);
    expect(resources.map((path: string) => read(path)).join()).not.toContain('cert-manager.io');
  });
});

describe('deploy/webhook', () => {
  const objects = parseAllDocuments(read('webhook/webhook.yaml')).map((it) => it.toJS());
  const objectOf = (kind: string) => objects.find((it) => it.kind === kind);
  const patch = parse(read('webhook/deployment.yaml'));
  const [container] = patch.spec.template.spec.containers;

  it('mounts the Secret of the Certificate where the program looks for it', () => {
    const [volume] = patch.spec.template.spec.volumes;
    const [mount] = container.volumeMounts;
    expect(volume.secret.secretName).toBe(objectOf('Certificate').spec.secretName);
    expect(mount.name).toBe(volume.name);
    expect(container.env).toContainEqual({ name: 'WEBHOOK_CERTS', value: mount.mountPath });
  });

  it('names policies in warnings only together with a NetworkPolicy that admits no Pod to the webhook', () => {
    const { resources } = parse(read('webhook/kustomization.yaml'));
    expect(resources).toContain('network-policy.yaml');
    const { metadata, spec } = parse(read('webhook/network-policy.yaml'));
    const { labels } = parse(read('deployment.yaml')).spec.template.metadata;
    expect([metadata.namespace, spec.podSelector.matchLabels]).toEqual([patch.metadata.namespace, labels]);
    const open = spec.ingress.filter(({ from }: { from?: unknown }) => from === undefined);
    expect(open.flatMap(({ ports }: { ports: unknown[] }) => ports)).toEqual([{ port: 'probes' }]);
    expect(spec.ingress.find(({ from }: { from?: unknown }) => from !== undefined).ports).toEqual([
      { port: 'webhook' },
    ]);
    expect(container.env).toContainEqual({ name: 'WEBHOOK_SENDERS', value: 'api-server' });
  });

  it('leads from the webhook configuration to the pods', () => {
    const { metadata, spec } = objectOf('Service');
    const { labels } = parse(read('deployment.yaml')).spec.template.metadata;
    expect(spec.selector).toEqual(labels);
    expect(spec.ports.map((it: { targetPort: string }) => it.targetPort)).toEqual([container.ports[0].name]);
    for (const { clientConfig } of objectOf('ValidatingWebhookConfiguration').webhooks) {
      expect(clientConfig.service).toMatchObject({ ...metadata, port: spec.ports[0].port });
    }
  });

  it("does not review the controller's own writes", () => {
    const { name, namespace } = parseAllDocuments(read('rbac.yaml'))[0]?.toJS().metadata ?? {};
    for (const { matchConditions } of objectOf('ValidatingWebhookConfiguration').webhooks) {
      expect(JSON.stringify(matchConditions)).toContain(`system:serviceaccount:${namespace}:${name}`);
    }
  });
});

describe('deploy/rbac.yaml', () => {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy, RateLimitPolicy] });
  const names = topology.requiredKinds.map(({ group, plural }) => (group === '' ? plural : `${plural}.${group}`));

  it('lets the controller read each kind that it needs, and no other', () => {
    for (const verb of ['list', 'watch']) {
      const allowed = allowedBy('ClusterRole').filter((it) => it.startsWith(`${verb} `));
      expect(allowed.toSorted()).toEqual(names.map((name) => `${verb} ${name}`).sort());
    }
  });

  it('lets the controller write only statuses and events, and get the objects that it writes and the definitions of its kinds', () => {
    const others = allowedBy('ClusterRole').filter((it) => !/^(list|watch) /.test(it));
    const written = others.filter((it) => it.startsWith('patch ') && it.includes('/status'));
    const got = written.map((it) => it.replace('patch ', 'get ').replace('/status', ''));
    const events = ['create events.events.k8s.io', 'patch events.events.k8s.io'];
    const definitions = ['get customresourcedefinitions.apiextensions.k8s.io'];
    expect(others.toSorted()).toEqual([...written, ...got, ...events, ...definitions].sort());
  });
});
