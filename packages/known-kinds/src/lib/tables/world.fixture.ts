import { type EffectivePolicy, effectivePolicies } from '@policy-machinery/effective-policy';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import { reportPolicies } from '@policy-machinery/policy-status';
import type { Issue, KubernetesObject, ObjectMeta } from '@policy-machinery/resource';
import { createTopology, formatTarget } from '@policy-machinery/topology';
import { findPolicyKinds, type TopologyKinds } from '../find/find-policy-kinds.ts';

/** What people get for some resources, with the kinds of the table. */
export interface World {
  /** The effective specs, by target: `HTTPRoute a/r#main`. Contexts of one target are told apart by their number: `HTTPRoute a/r#main (2)`. */
  readonly specs: Readonly<Record<string, unknown>>;
  /** The outcomes, by policy: `a/p`. */
  readonly outcomes: Readonly<Record<string, string>>;
  /** The messages about the policies. */
  readonly messages: Readonly<Record<string, string>>;
  readonly issues: readonly Issue[];
  readonly effective: readonly EffectivePolicy<unknown>[];
  /** The ancestors that statuses have entries for, by policy: `Gateway a/g`. */
  readonly ancestors: Readonly<Record<string, readonly string[]>>;
}

/** Computes what applies to some resources, with the kinds that are found in the table. */
export function worldOf(...resources: readonly KubernetesObject[]): World {
  return worldWith((kind) => kind, ...resources);
}

/** Computes the same with kinds that differ from those of the table. */
export function worldWith(alter: Alter, ...resources: readonly KubernetesObject[]): World {
  const found = findPolicyKinds({ resources });
  const worlds = [found, ...(found.mesh === undefined ? [] : [found.mesh])].map((kinds) =>
    worldIn(kinds, resources, alter),
  );
  return {
    specs: Object.assign({}, ...worlds.map(({ specs }) => specs)),
    outcomes: Object.assign({}, ...worlds.map(({ outcomes }) => outcomes)),
    messages: Object.assign({}, ...worlds.map(({ messages }) => messages)),
    ancestors: Object.assign({}, ...worlds.map(({ ancestors }) => ancestors)),
    issues: worlds.flatMap(({ issues }) => issues),
    effective: worlds.flatMap(({ effective }) => effective),
  };
}

type Alter = (kind: PolicyKind<unknown>) => PolicyKind<unknown>;

function worldIn({ kinds, targetKinds }: TopologyKinds, resources: readonly KubernetesObject[], alter: Alter): World {
  const policyKinds = kinds.map(({ kind }) => alter(kind));
  const topology = createTopology({ targetKinds, policyKinds });
  topology.apply({ upsert: resources });
  const views = policyKinds.map((kind) => effectivePolicies(topology, kind));
  const effective = views.flatMap((view) => [...view]);
  const specs: Record<string, unknown> = {};
  for (const { target, spec } of effective) {
    const name = formatTarget(target);
    const same = Object.keys(specs).filter((key) => key === name || key.startsWith(`${name} (`)).length;
    specs[same === 0 ? name : `${name} (${same + 1})`] = spec;
  }
  const reports = views.flatMap((view) => reportPolicies(view)).map((report) => ({ ...report, name: nameOf(report) }));
  return {
    specs,
    outcomes: Object.fromEntries(reports.map(({ name, outcome }) => [name, outcome])),
    messages: Object.fromEntries(reports.map(({ name, message }) => [name, message])),
    ancestors: Object.fromEntries(
      reports.map(({ name, ancestors }) => [
        name,
        ancestors.map(({ ancestorRef: { kind, namespace, name: of } }) => `${kind} ${namespace ?? ''}/${of}`),
      ]),
    ),
    issues: [...topology.issues, ...views.flatMap(({ issues }) => issues)],
    effective,
  };
}

function nameOf({ policy }: ReturnType<typeof reportPolicies>[number]): string {
  const { namespace, name } = policy.resource.metadata;
  return `${namespace ?? 'default'}/${name}`;
}

type Meta = Partial<ObjectMeta> & { readonly age?: number };

/**
 * Returns an object.
 *
 * @param type Its version and kind: `gateway.networking.k8s.io/v1 Gateway`.
 * @param path Its namespace and name: `a/g`.
 * @param meta `age` is how many seconds it was created after the first objects.
 */
export function object(type: string, path: string, spec: unknown, { age = 0, ...meta }: Meta = {}): KubernetesObject {
  const [apiVersion = '', kind = ''] = type.split(' ');
  const [name = '', namespace] = path.split('/').reverse();
  const creationTimestamp = new Date(Date.UTC(2026, 0, 1) + age * 1000).toISOString().replace('.000Z', 'Z');
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }), creationTimestamp, ...meta };
  return { apiVersion, kind, metadata, ...(spec === undefined ? {} : { spec }) };
}

const gatewayApi = 'gateway.networking.k8s.io';

export const namespace = (name: string, labels: Record<string, string> = {}): KubernetesObject =>
  object('v1 Namespace', name, undefined, { labels });

/** A Gateway with HTTP listeners, by name and port, that take routes of all namespaces. */
export const gateway = (path: string, listeners: Readonly<Record<string, number>> = { http: 80 }): KubernetesObject =>
  object(`${gatewayApi}/v1 Gateway`, path, {
    gatewayClassName: 'c',
    listeners: Object.entries(listeners).map(([name, port]) => ({
      name,
      port,
      protocol: 'HTTP',
      allowedRoutes: { namespaces: { from: 'All' } },
    })),
  });

/** An HTTPRoute below the Gateway `a/g`, with these rules. */
export const route = (path: string, rules: readonly object[] = [{ name: 'main' }], meta: Meta = {}): KubernetesObject =>
  object(
    `${gatewayApi}/v1 HTTPRoute`,
    path,
    { parentRefs: [{ name: 'g', namespace: 'a' }], hostnames: [`${path.replace('/', '.')}.example`], rules },
    meta,
  );

/** A reference to a Gateway API object: `ref('Gateway', 'g')`. */
export const ref = (kind: string, name: string, more: object = {}) => ({ group: gatewayApi, kind, name, ...more });
