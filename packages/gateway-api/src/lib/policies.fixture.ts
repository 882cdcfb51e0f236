import { type EffectivePolicy, effectivePolicies } from '@policy-machinery/effective-policy';
import { patch } from '@policy-machinery/merge';
import {
  bareSpec,
  definePolicyKind,
  type kgateway,
  type kuadrant,
  type PolicyKind,
} from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import {
  createTopology,
  formatPath,
  formatTarget,
  type Path,
  type TargetKind,
  type Topology,
} from '@policy-machinery/topology';
import { z } from 'zod';
import type { GatewayApiOptions } from './attachment/options.ts';
import { gatewayApi } from './gateway-api.ts';
import { Gateway } from './kinds/gateway.ts';
import { GatewayClass } from './kinds/gateway-class.ts';
import { Namespace } from './kinds/namespace.ts';
import { HTTPRoute } from './kinds/route.ts';
import { Service } from './kinds/service.ts';
import { ServiceFrontend } from './kinds/service-frontend.ts';

/** A schema that accepts any spec: these tests are about the policies on a path. */
const anySpec = z.record(z.string(), z.unknown());
type AnySpec = z.infer<typeof anySpec>;

const ingressTargets = [
  GatewayClass,
  Namespace,
  Gateway,
  Gateway.sections.listener,
  HTTPRoute,
  HTTPRoute.sections.rule,
  Service,
  Service.sections.port,
];

type Change = Partial<ReturnType<typeof kgateway> | ReturnType<typeof kuadrant>> & {
  readonly namespaceLevels?: readonly TargetKind[];
};

/** Returns a kind whose policies are merged field by field, the most specific first. */
export const paintPolicy = (change: Change = {}, options: GatewayApiOptions = {}): PolicyKind<AnySpec> =>
  definePolicyKind({
    group: 'example.com',
    version: 'v1',
    kind: 'PaintPolicy',
    scope: 'Cluster',
    targets: options.mesh ? [...ingressTargets, ServiceFrontend] : ingressTargets,
    effectiveTargets: [HTTPRoute.sections.rule, Service.sections.port],
    spec: anySpec,
    stanzas: bareSpec({ strategies: { patch } }),
    ...change,
  });

/** Returns a policy for a target `Kind namespace/name#section`, or `Kind name`. It sets a field of its own name. */
export function paint(name: string, target: string, spec: object = { [name]: true }): KubernetesObject {
  const [kind = '', place = ''] = target.split(' ');
  const [whole = '', sectionName] = place.split('#');
  const [namespace, of] = whole.includes('/') ? whole.split('/') : [undefined, whole];
  const targetRef = {
    group: groups[kind] ?? 'gateway.networking.k8s.io',
    kind,
    name: of,
    ...(namespace === undefined ? {} : { namespace }),
    ...(sectionName === undefined ? {} : { sectionName }),
  };
  return {
    apiVersion: 'example.com/v1',
    kind: 'PaintPolicy',
    metadata: { name, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { targetRefs: [targetRef], ...spec },
  };
}

const groups: Readonly<Record<string, string>> = { Namespace: '', Service: '', ServiceFrontend: ServiceFrontend.group };

/** Returns a topology with paint policies, and their effective policies. */
export function painted(kind: PolicyKind<AnySpec>, options: GatewayApiOptions, resources: readonly KubernetesObject[]) {
  const topology: Topology = createTopology({ targetKinds: gatewayApi(options), policyKinds: [kind] });
  topology.apply({ upsert: resources });
  return { topology, effective: effectivePolicies(topology, kind) };
}

/** Returns the levels of a context, least specific first. */
export const levelsOf = ({ levels }: EffectivePolicy<AnySpec>): readonly string[] =>
  levels.map(({ target }) => formatTarget(target));

/** Returns the effective spec on every path to a target. */
export function specsTo(policies: readonly EffectivePolicy<AnySpec>[]): Readonly<Record<string, AnySpec>> {
  const all = policies.flatMap((policy) =>
    [...policy.paths()].map((path: Path) => [formatPath(path), policy.spec] as const),
  );
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}
