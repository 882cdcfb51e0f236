import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { everyRequestMeets } from '@policy-machinery/guarantees';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createFixtures } from '@policy-machinery/testing';
import { createTopology, defineTargetKind } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AdmissionOptions, createAdmission } from '../../index.ts';
import type { Admission, Sender } from './admission.ts';
import { webhookPath } from './webhook-path.ts';
import { ConflictPolicy, reviewOf, TimeoutPolicy } from './world.fixture.ts';

const policyKinds = [TimeoutPolicy, ConflictPolicy] as const;

/** A kind with references that can form a cycle. */
const Tunnel = defineTargetKind({
  group: 'net.example.com',
  kind: 'Tunnel',
  *references({ spec }) {
    const { namespace, name } = spec as { readonly namespace: string; readonly name: string };
    yield { direction: 'down', to: { group: 'net.example.com', kind: 'Tunnel', namespace, name }, pointer: '/spec' };
  },
});

const tunnel = (from: string, to: string): KubernetesObject => ({
  apiVersion: 'net.example.com/v1',
  kind: 'Tunnel',
  metadata: { name: `${from}-tunnel`, namespace: from },
  spec: { namespace: to, name: `${to}-tunnel` },
});

const infra = createFixtures({ namespace: 'infra' });
const allowedRoutes = { namespaces: { from: 'All' } };
const edge = infra.gateway('edge', { listeners: [{ name: 'http', allowedRoutes }] });

/** The tenants, with the words that each of their objects consists of. Both know the Gateway, which is in a third namespace. */
const tenants = ['shop', 'bank'] as const;
type Tenant = (typeof tenants)[number];

const namesOf = (tenant: Tenant) => fc.constantFrom(`${tenant}-a`, `${tenant}-b`);
const valuesOf = (tenant: Tenant) =>
  fc.record({ request: fc.constant(`${tenant}-1s`), idle: fc.constant(`${tenant}-2s`) }, { requiredKeys: [] });

function objectsOf(tenant: Tenant): fc.Arbitrary<KubernetesObject> {
  const fixtures = createFixtures({ namespace: tenant });
  const route = (name: string, matches: readonly string[]) =>
    fixtures.httpRoute(name, { parents: [edge], hostnames: [`${tenant}.example.com`], rules: [{ matches }] });
  const routes = fc
    .tuple(namesOf(tenant), fc.subarray(['/', `/${tenant}`], { minLength: 1 }))
    .map((parts) => route(...parts));
  const policies = fc
    .tuple(fc.constantFrom(...policyKinds), namesOf(tenant), namesOf(tenant), valuesOf(tenant), fc.boolean())
    .map(([kind, name, on, spec, isDefault]) =>
      fixtures.policy(kind, name, {
        on: route(on, ['/']),
        spec: isDefault && kind === TimeoutPolicy ? { defaults: spec } : spec,
      }),
    );
  return fc.oneof(routes, policies);
}

/** Policies of the owner of the Gateway, which name nothing of the tenants. */
const housePolicies = fc
  .tuple(
    fc.constantFrom(...policyKinds),
    fc.constantFrom('house-a', 'house-b'),
    fc.constantFrom('defaults', 'overrides'),
  )
  .map(([kind, name, stanza]) => {
    const values = { request: 'house-1s' };
    return infra.policy(kind, name, { on: edge, spec: kind === TimeoutPolicy ? { [stanza]: values } : values });
  });

/** What each world has, so that many changes are in conflict. */
const base: readonly KubernetesObject[] = [
  edge,
  infra.policy(ConflictPolicy, 'house-0', { on: edge, spec: { request: 'house-1s' } }),
  ...tenants.flatMap((tenant) => {
    const fixtures = createFixtures({ namespace: tenant });
    const route = fixtures.httpRoute(`${tenant}-a`, { parents: [edge], hostnames: [`${tenant}.example.com`] });
    const spec = { request: `${tenant}-1s` };
    return [route, fixtures.policy(ConflictPolicy, `${tenant}-0`, { on: route, spec })];
  }),
];

/** A world of both tenants, and a change of one object: words of other namespaces than its own are hidden. */
const changes = fc.record({
  objects: fc.array(fc.oneof(...tenants.map(objectsOf), housePolicies), { maxLength: 5 }),
  changed: fc.oneof(...tenants.map(objectsOf), housePolicies),
  isDeleted: fc.boolean(),
});

const guarantees = [
  everyRequestMeets({ name: 'guarantee-timed', kind: 'TimeoutPolicy' }),
  { name: 'guarantee-untimed', holds: '!has(policies.TimeoutPolicy)' },
];

function admissionFor(objects: readonly KubernetesObject[], options: Partial<AdmissionOptions> = {}) {
  const topology = createTopology({ targetKinds: [...gatewayApi(), Tunnel], policyKinds });
  const byLocator = new Map(
    [...base, ...objects].map((it) => [`${it.kind} ${it.metadata.namespace}/${it.metadata.name}`, it]),
  );
  topology.apply({ upsert: byLocator.values() });
  const views = policyKinds.map((kind) => effectivePolicies<unknown>(topology, kind));
  return createAdmission({ views, manyTargets: 1, ...options });
}

const server: Sender = { isApiServer: true };
const path = webhookPath({ ...TimeoutPolicy, versions: ['v1'], plural: 'timeoutpolicies' });

/** Returns the answer for a sender. */
async function answerTo(
  admission: Admission,
  { changed, isDeleted }: { readonly changed: KubernetesObject; readonly isDeleted: boolean },
  sender: Sender,
): Promise<string> {
  const request = isDeleted ? ({ operation: 'DELETE', object: null, oldObject: changed } as const) : {};
  const body = JSON.stringify(reviewOf(changed, request));
  const headers = { 'content-type': 'application/json' };
  const response = await admission.fetch(
    new Request(`https://webhook${path}`, { method: 'POST', headers, body }),
    sender,
  );
  expect(response.status).toBe(200);
  return response.text();
}

describe('an answer to an admission request', () => {
  it.each(['nothing', 'conflicts', 'broken-guarantees'] as const)(
    'omits texts of objects for everyone, and for the API server those of another namespace (refuse: %s)',
    async (refuse) => {
      const told = { anyone: 0, server: 0, refused: 0 };
      await fc.assert(
        fc.asyncProperty(changes, async ({ objects, ...change }) => {
          const admission = admissionFor(objects, { refuse, guarantees });
          const forAnyone = await answerTo(admission, change, {});
          expect(forAnyone).not.toMatch(/shop|bank|infra|edge|house|guarantee-/);
          const forServer = await answerTo(admission, change, server);
          const own = change.changed.metadata.namespace;
          for (const namespace of ['shop', 'bank', 'house']) {
            if (namespace !== (own === 'infra' ? 'house' : own)) expect(forServer).not.toContain(namespace);
          }
          told.anyone += Number(forAnyone.includes('names only for the API server'));
          told.refused += Number(forAnyone.includes('"allowed":false'));
          told.server += Number(/shop|bank/.test(forServer));
        }),
        { numRuns: Number(process.env.PROPERTY_RUNS ?? 40) / 4 },
      );
      expect(told.anyone).toBeGreaterThan(2);
      expect(told.server).toBeGreaterThan(2);
      expect(told.refused > 0).toBe(refuse !== 'nothing');
    },
  );

  it('does not name the objects of a cycle, which may be in any namespace', async () => {
    const admission = admissionFor([tunnel('bank', 'shop'), tunnel('infra', 'bank')]);
    const change = { changed: tunnel('shop', 'infra'), isDeleted: false };
    const [forAnyone, forServer] = [await answerTo(admission, change, {}), await answerTo(admission, change, server)];
    expect(forAnyone).toContain(
      'This change was not reviewed: its object is invalid (the reason only for the API server).',
    );
    expect(forServer).toContain('This change was not reviewed: its references would form a cycle.');
    const seesAll = admissionFor([tunnel('bank', 'shop'), tunnel('infra', 'bank')], { names: 'all' });
    expect(await answerTo(seesAll, change, server)).toContain('→');
  });
});
