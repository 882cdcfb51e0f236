import { gatewayApi } from '@policy-machinery/gateway-api';
import { isJsonObject, objectsIn } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { createAdmission, webhookCertificate, webhookConfiguration } from '../../index.ts';
import { TimeoutPolicy, world } from '../review/world.fixture.ts';

const { requiredKinds } = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
const service = { name: 'webhook', namespace: 'policies' };
const trust = { certificate: 'webhook-serving-cert', namespace: 'policies' };
const named = { name: 'timeouts.example.com', kinds: requiredKinds, service, trust };
const webhooksOf = (options: Partial<Parameters<typeof webhookConfiguration>[0]> = {}) =>
  webhookConfiguration({ ...named, ...options }).webhooks;
const indexOf = (wanted: string) => requiredKinds.findIndex(({ kind }) => kind === wanted);
const expressionsOf = (options: Partial<Parameters<typeof webhookConfiguration>[0]>, kind = 'HTTPRoute') =>
  Object.fromEntries(
    objectsIn(webhooksOf(options)[indexOf(kind)]?.matchConditions).map(({ name, expression }) => [name, expression]),
  );

describe('webhookConfiguration', () => {
  it('has a webhook for each kind, which blocks nothing that is not answered', () => {
    const all = webhooksOf();
    expect(all.map(({ name }) => name)).toContain('httproutes.gateway.networking.k8s.io.timeouts.example.com');
    expect(all.map(({ name }) => name)).toContain('namespaces.core.timeouts.example.com');
    expect(all).toHaveLength(requiredKinds.length);
    for (const it of all) {
      expect(it).toMatchObject({
        failurePolicy: 'Ignore',
        sideEffects: 'None',
        timeoutSeconds: 2,
        matchPolicy: 'Equivalent',
      });
    }
  });

  it('has paths that the webhook serves', async () => {
    const admission = createAdmission({ views: world().views });
    for (const { clientConfig } of webhooksOf()) {
      const { path } = (
        isJsonObject(clientConfig) && isJsonObject(clientConfig.service) ? clientConfig.service : {}
      ) as { path?: string };
      const { status } = await admission.fetch(new Request(`https://webhook${path}`));
      expect([path, status]).toEqual([expect.stringMatching(/^\/validate-/), 405]);
    }
  });

  it('matches all versions that can be read', () => {
    const grants = webhooksOf().find(({ name }) => String(name).startsWith('referencegrants.'));
    expect(grants?.rules).toEqual([expect.objectContaining({ apiVersions: ['v1', 'v1beta1'] })]);
  });

  it('trusts a Certificate of cert-manager, or given certificates', () => {
    expect(webhookConfiguration(named).metadata).toEqual({
      name: 'timeouts.example.com',
      annotations: { 'cert-manager.io/inject-ca-from': 'policies/webhook-serving-cert' },
    });
    const [first] = webhooksOf({ trust: { caBundle: 'PEM' }, service: { url: 'https://127.0.0.1:9443/' } });
    expect(first?.clientConfig).toEqual({
      caBundle: 'UEVN',
      url: expect.stringMatching(/^https:\/\/127\.0\.0\.1:9443\/validate-/),
    });
  });

  it('leaves out some users and namespaces', () => {
    const except = [{ name: 'controller', namespace: 'policies' }];
    expect(expressionsOf({ except })).toMatchObject({
      others: '!(request.userInfo.username in ["system:serviceaccount:policies:controller"])',
      namespaces: '!(request.namespace in ["kube-system"])',
    });
    expect(Object.keys(expressionsOf({ exceptNamespaces: [] }))).toEqual(['changes']);
    expect(expressionsOf({}, 'Namespace').namespaces).toBe('!(request.name in ["kube-system"])');
  });

  it.each([
    ['a name that is not a domain', { name: 'timeouts' }, /is not a domain/],
    ['no kinds', { kinds: [] }, /kinds are missing/],
  ])('throws for %s', (_what, options, message) => {
    expect(() => webhooksOf(options)).toThrow(
      expect.objectContaining({ code: 'invalid-webhook-configuration', message: expect.stringMatching(message) }),
    );
  });
});

describe('webhookCertificate', () => {
  it('is for the names of the Service, signed by a separate Issuer', () => {
    expect(webhookCertificate({ service })).toEqual({
      certificate: {
        apiVersion: 'cert-manager.io/v1',
        kind: 'Certificate',
        metadata: { name: 'webhook-serving-cert', namespace: 'policies' },
        spec: {
          dnsNames: ['webhook.policies.svc', 'webhook.policies.svc.cluster.local'],
          issuerRef: { group: 'cert-manager.io', kind: 'Issuer', name: 'webhook-serving-cert-issuer' },
          secretName: 'webhook-serving-cert',
        },
      },
      issuer: {
        apiVersion: 'cert-manager.io/v1',
        kind: 'Issuer',
        metadata: { name: 'webhook-serving-cert-issuer', namespace: 'policies' },
        spec: { selfSigned: {} },
      },
    });
  });

  it('is signed by another issuer, if one is given', () => {
    const { certificate, issuer } = webhookCertificate({
      service,
      name: 'tls',
      issuer: { name: 'ours', kind: 'ClusterIssuer' },
    });
    expect(certificate.spec).toMatchObject({ secretName: 'tls', issuerRef: { kind: 'ClusterIssuer', name: 'ours' } });
    expect(issuer).toBeUndefined();
  });
});
