import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EffectivePolicy, effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayStatus, routeStatuses } from '@policy-machinery/gateway-api';
import { findPolicyKinds } from '@policy-machinery/known-kinds';
import { type PolicyReport, planStatus, reportPolicies } from '@policy-machinery/policy-status';
import {
  formatLocator,
  type Issue,
  type JsonObject,
  type KubernetesObject,
  objectsIn,
  type ResourceRef,
  refOf,
} from '@policy-machinery/resource';
import { createTopology, type StatusCondition, type TargetNode, type Topology } from '@policy-machinery/topology';
import { runWith } from '../../../../packages/cli/src/lib/run.fixture.ts';

/** Returns the lines of a place: `effective`, `lint`, `request https://shop.example.com`. */
export type Lines = (place: string) => Promise<readonly string[]>;

/** Returns what the library and the command answer about the objects of a file. The library is called once. */
export function linesOf(file: string, objects: readonly KubernetesObject[]): Lines {
  const library = libraryLines(objects);
  return async (place) => {
    const [name = '', ...rest] = place.split(' ');
    const lines = library[name];
    if (lines !== undefined) return lines;
    const ask = commands[name];
    if (ask === undefined) throw new Error(`The place ${place} of expect.json is not known`);
    return ask(file, rest.join(' '));
  };
}

const commands: Readonly<Record<string, (file: string, argument: string) => Promise<readonly string[]>>> = {
  lint: async (file) => {
    const { stdout } = await runWith(['lint', '-A', '-f', file, '-o', 'json']);
    return objectsIn((JSON.parse(stdout) as JsonObject).items).map((item) => issueLine(item as unknown as Issue));
  },
  request: async (file, url) => squeezed(await runWith(['request', url, '-f', file])),
  verify: async (file, expression) => {
    const folder = mkdtempSync(join(tmpdir(), 'guarantee-'));
    const guarantee = { apiVersion: 'verify.policy-machinery/v1alpha1', kind: 'Guarantee', metadata: { name: 'it' } };
    const path = join(folder, 'guarantee.yaml');
    writeFileSync(path, JSON.stringify({ ...guarantee, spec: { holds: expression } }));
    const lines = squeezed(await runWith(['verify', path, '-f', file]));
    rmSync(folder, { recursive: true });
    return lines;
  },
};

/** Returns the lines of an answer, each blank as one. */
function squeezed({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): readonly string[] {
  return `${stdout}${stderr}`.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim());
}

function libraryLines(objects: readonly KubernetesObject[]): Readonly<Record<string, readonly string[]>> {
  const found = findPolicyKinds({ resources: objects });
  const worlds = [found, ...(found.mesh === undefined ? [] : [found.mesh])].map(({ kinds, targetKinds }) => {
    const topology = createTopology({ targetKinds, policyKinds: kinds.map(({ kind }) => kind) });
    topology.apply({ upsert: objects });
    return {
      kinds,
      topology,
      views: kinds.map(({ kind, viewOptions }) => effectivePolicies(topology, kind, viewOptions)),
    };
  });
  const views = worlds.flatMap((world) => world.views);
  const topologies = worlds.slice(0, 1).map(({ topology }) => topology);
  const refs = objects.map((object) => refOf(object, 'Namespaced'));
  return {
    effective: views.flatMap((view) => [...view].map((each) => effectiveLine(view.kind.kind, each))),
    reports: views.flatMap((view) => reportPolicies(view).map(reportLine)),
    issues: worlds.flatMap(({ topology, views }) =>
      [...topology.issues, ...views.flatMap(({ issues }) => issues)].map(issueLine),
    ),
    routes: topologies.flatMap((topology) => refs.flatMap((ref) => routeLines(topology, ref))),
    gateways: topologies.flatMap((topology) => refs.flatMap((ref) => gatewayLines(topology, ref))),
    kinds: worlds.flatMap(({ kinds }) =>
      kinds.map(({ kind, foundBy, merging, notes }) => `${kind.kind}(${foundBy},${merging}) ${notes.join(' ')}`),
    ),
    status: views.flatMap((view) =>
      planStatus(view, { controllerName: 'example.com/controller', now: new Date(0) }).writes.map(
        ({ locator, result }) => `${locator} ${sortedJson(result.status)}`,
      ),
    ),
  };
}

function effectiveLine(kind: string, { target, ancestors, spec, origins }: EffectivePolicy<unknown>): string {
  const by = origins.map(({ pointer, by }) => `${pointer}:${by.map(({ policy }) => policy.name).join('+')}`);
  const above = ancestors.map((node) => `${node.ref.kind.toLowerCase()}:${pathOf(node)}`);
  return `${kind} ${target.locator} via [${above.join(' ')}] = ${sortedJson(spec)}  <${by.sort().join(' ')}>`;
}

function pathOf({ locator }: TargetNode): string {
  return locator.slice(locator.indexOf(':') + 1);
}

function reportLine({ policy, outcome, ancestors }: PolicyReport): string {
  const each = ancestors.map(
    ({ ancestorRef: { kind, namespace = policy.resource.metadata.namespace, name, sectionName }, outcome }) => {
      const section = sectionName === undefined ? '' : `#${sectionName}`;
      return `${kind}:${namespace}/${name}${section}=${outcome}`;
    },
  );
  return `${policy.locator} ${outcome} [${each.join('; ')}]`;
}

function issueLine({ severity, code, resource = '', pointer = '', message }: Issue): string {
  return `${severity} ${code} ${resource} ${pointer}: ${message}`;
}

function routeLines(topology: Topology, ref: ResourceRef): readonly string[] {
  if (!ref.kind.endsWith('Route')) return [];
  return routeStatuses(topology, ref).map(
    ({ parentRef: { kind = 'Gateway', namespace = ref.namespace, name, sectionName }, conditions }) => {
      const section = sectionName === undefined ? '' : `#${sectionName}`;
      return [formatLocator(ref), `${kind}:${namespace}/${name}${section}`, conditionsOf(conditions)].join(' ');
    },
  );
}

function gatewayLines(topology: Topology, ref: ResourceRef): readonly string[] {
  if (!['Gateway', 'ListenerSet', 'XListenerSet'].includes(ref.kind)) return [];
  const status = gatewayStatus(topology, ref);
  if (status === undefined) return [];
  const locator = formatLocator(ref);
  const listeners = status.listeners.map(({ name, attachedRoutes, conditions }) =>
    [`${locator}#${name}`, `routes=${attachedRoutes}`, conditionsOf(conditions)].join(' '),
  );
  return [[locator, conditionsOf(status.conditions)].join(' '), ...listeners];
}

function conditionsOf(conditions: readonly StatusCondition[]): string {
  return conditions
    .map(({ type, status, reason }) => `${type}=${status}/${reason}`)
    .sort()
    .join(' ');
}

/** Returns JSON with the keys of each object in order. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
