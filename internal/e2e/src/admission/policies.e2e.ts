import { type AdmissionPolicyOptions, admissionPolicies } from '@policy-machinery/admission';
import { customResourceDefinition } from '@policy-machinery/crd';
import { Gateway, GatewayClass, HTTPRoute } from '@policy-machinery/gateway-api';
import { definePolicyKind, gep713 } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { z } from 'zod';
import { kubectl } from '../cluster.ts';
import { runProgramForOutputs } from '../processes.ts';

const cluster = inject('cluster');
const namespace = 'guarded';

/** Kinds that differ in what admission policies depend on. Each has a group of its own, so that no check meets another one's policies. */
const kindIn = (group: string, differing: object = {}) =>
  definePolicyKind({
    ...gep713(),
    group: `${group}.example.com`,
    version: 'v1',
    kind: 'TimeoutPolicy',
    targets: [Gateway, Gateway.sections.listener, HTTPRoute, GatewayClass],
    effectiveTargets: [HTTPRoute],
    crossNamespace: 'allow',
    spec: z.strictObject({ request: z.string() }).partial(),
    ...differing,
  });

const patience = { timeout: 120_000, interval: 100 };
const run = (args: readonly string[], input?: unknown) =>
  kubectl(cluster, args, input === undefined ? undefined : JSON.stringify(input));
const applyAll = (...items: readonly KubernetesObject[]) =>
  run(['apply', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });

/** Applies a policy as a user without rights but those for policies and some targets. Returns all that kubectl prints. */
async function applyAs(user: string, policy: KubernetesObject, ...flags: readonly string[]): Promise<string> {
  const args = ['--kubeconfig', cluster.kubeconfig, '--as', user, 'apply', '-f', '-', ...flags];
  const { output, errors } = await runProgramForOutputs(cluster.kubectl, args, JSON.stringify(policy));
  return `${output}${errors}`;
}

const on = (kind: string, name: string, more = {}) => ({ group: 'gateway.networking.k8s.io', kind, name, ...more });
const policyOf = (
  { group }: { readonly group: string },
  name: string,
  spec: object,
  inNamespace = namespace,
): KubernetesObject => ({
  apiVersion: `${group}/v1`,
  kind: 'TimeoutPolicy',
  metadata: { name, namespace: inNamespace },
  spec,
});

const kinds = {
  access: kindIn('access', { targetSelectors: true }),
  overrides: kindIn('overrides'),
  fixed: kindIn('fixed'),
  transitions: kindIn('transitions'),
};
const options: Readonly<Record<keyof typeof kinds, AdmissionPolicyOptions>> = {
  access: { targetAccess: true },
  overrides: { overrides: { namespaces: ['platform'], configMap: { name: 'who-overrides', namespace: 'platform' } } },
  fixed: { immutableTargets: true },
  transitions: { transitionWarnings: true },
};

describe('admission policies on a real API server', () => {
  beforeAll(async () => {
    for (const name of [namespace, 'platform']) await run(['create', 'namespace', name]);
    const groups = Object.values(kinds).map(({ group }) => group);
    const rule = (
      apiGroups: readonly string[],
      resources: readonly string[],
      resourceNames: readonly string[] = [],
    ) => ({
      apiGroups,
      resources,
      verbs: ['get', 'create', 'patch', 'update'],
      ...(resourceNames.length === 0 ? {} : { resourceNames }),
    });
    const role = (name: string, rules: readonly object[]): KubernetesObject[] => [
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: `guarded-${name}` },
        rules,
      } as unknown as KubernetesObject,
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: `guarded-${name}` },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `guarded-${name}` },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
      } as unknown as KubernetesObject,
    ];
    const gatewayApi = ['gateway.networking.k8s.io'];
    await applyAll(
      ...role('author', [rule(groups, ['timeoutpolicies']), rule(gatewayApi, ['gateways'], ['own'])]),
      ...role('owner', [
        rule(groups, ['timeoutpolicies']),
        rule(gatewayApi, ['gateways', 'httproutes']),
        rule(gatewayApi, ['gatewayclasses'], ['shared']),
      ]),
      ...Object.values(kinds).map((kind) => customResourceDefinition(kind).definition),
      ...Object.entries(options).flatMap(([name, checks]) =>
        admissionPolicies(kinds[name as keyof typeof kinds], checks).flatMap((it) => Object.values(it)),
      ),
    );
  });
  afterAll(async () => {
    await run(['delete', 'namespace', namespace, 'platform', '--ignore-not-found', '--wait=false']);
  });

  /** Waits until a policy of the API server is in force, which refuses what is given. */
  const refused = async (user: string, policy: KubernetesObject, message: string) =>
    vi.waitFor(async () => {
      // What is not refused yet must not be there the next time.
      expect(await applyAs(user, policy, '--dry-run=server')).toContain(message);
    }, patience);
  const accepted = async (user: string, policy: KubernetesObject) => {
    const printed = await vi.waitFor(async () => {
      const said = await applyAs(user, policy);
      expect(said).not.toContain('no matches for kind'); // The definition has only just come.
      return said;
    }, patience);
    expect(printed).toMatch(/(created|configured|unchanged)/);
    return printed;
  };

  describe('with targetAccess', () => {
    const policy = (name: string, spec: object) => policyOf(kinds.access, name, spec);

    it('refuse a policy for a Gateway that the user may not update, and say which', async () => {
      const spec = { targetRefs: [on('Gateway', 'own'), on('Gateway', 'foreign')], request: '1s' };
      const message =
        'you may not update Gateway foreign, a target of this policy; name another target, or ask for the permission';
      await refused('author', policy('access', spec), message);
    });

    it('accept a policy for targets that the user may update, as a whole, by section, and in other namespaces', async () => {
      await accepted('author', policy('own', { targetRefs: [on('Gateway', 'own', { sectionName: 'http' })] }));
      const targetRefs = [
        on('Gateway', 'any', { namespace: 'platform' }),
        on('HTTPRoute', 'any'),
        on('GatewayClass', 'shared'),
      ];
      await accepted('owner', policy('all', { targetRefs }));
      await refused('owner', policy('class', { targetRefs: [on('GatewayClass', 'other')] }), 'GatewayClass other');
    });

    it('check each of sixteen targets', async () => {
      const targetRefs = Array.from({ length: 16 }, (_, index) => on('HTTPRoute', `r${index}`));
      await accepted('owner', policy('sixteen', { targetRefs }));
      await refused(
        'owner',
        policy('last', { targetRefs: [...targetRefs.slice(1), on('GatewayClass', 'other')] }),
        'GatewayClass other',
      );
    });

    it('ask for the right to all objects where targets are selected', async () => {
      const targetSelectors = [{ kind: 'Gateway', matchLabels: { tier: 'one' } }];
      await refused('author', policy('selects', { targetSelectors }), 'you may not update all gateways');
      await accepted('owner', policy('selects', { targetSelectors }));
    });

    it('let metadata pass, no matter who may change the targets', async () => {
      const spec = { targetRefs: [on('HTTPRoute', 'theirs')] };
      await accepted('owner', policy('labelled', spec));
      const labelled = policy('labelled', spec);
      await accepted('author', { ...labelled, metadata: { ...labelled.metadata, labels: { seen: 'yes' } } });
    });
  });

  describe('with overrides', () => {
    const spec = (stanza: string) => ({ targetRefs: [on('Gateway', 'own')], [stanza]: { request: '1s' } });
    const message = 'or ask for the namespace to be listed in ConfigMap platform/who-overrides';

    it('refuse overrides from other namespaces, until the ConfigMap lists them', async () => {
      await refused('author', policyOf(kinds.overrides, 'over', spec('overrides')), message);
      await accepted('author', policyOf(kinds.overrides, 'over', spec('defaults')));
      await accepted('author', policyOf(kinds.overrides, 'over', spec('overrides'), 'platform'));
      const data = { namespaces: `platform\n${namespace}\n` };
      await run([
        'patch',
        'configmap',
        'who-overrides',
        '-n',
        'platform',
        '--type=merge',
        '-p',
        JSON.stringify({ data }),
      ]);
      await vi.waitFor(
        async () =>
          expect(await applyAs('author', policyOf(kinds.overrides, 'later', spec('overrides')))).toContain('created'),
        patience,
      );
    });
  });

  describe('with immutableTargets', () => {
    it('refuse other targets, and accept another spec for the same', async () => {
      const policy = (name: string, request: string) =>
        policyOf(kinds.fixed, 'fixed', { targetRefs: [on('Gateway', name)], request });
      await accepted('author', policy('own', '1s'));
      await accepted('author', policy('own', '2s'));
      await refused('author', policy('other', '2s'), 'the targets of a policy cannot change');
    });
  });

  describe('with transitionWarnings', () => {
    const policy = (spec: object) => policyOf(kinds.transitions, 'moves', spec);
    const [own, other] = [on('Gateway', 'own', { sectionName: 'http' }), on('Gateway', 'other')];

    it('warn of dropped targets and of new overrides, and accept them', async () => {
      await accepted('author', policy({ targetRefs: [own, other], defaults: { request: '1s' } }));
      await vi.waitFor(async () => {
        await accepted('author', policy({ targetRefs: [own, other], defaults: { request: '1s' } }));
        const printed = await accepted('author', policy({ targetRefs: [other], overrides: { request: '1s' } }));
        expect(printed).toMatch(/Warning: .*this policy no longer targets Gateway own#http/);
        expect(printed).toMatch(/Warning: .*this policy has overrides now, which prevail over more specific policies/);
      }, patience);
      expect(await accepted('author', policy({ targetRefs: [other], overrides: { request: '2s' } }))).not.toContain(
        'Warning',
      );
    });
  });
});
