import { type EffectivePolicies, effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi, traceRequest } from '@policy-machinery/gateway-api';
import { planStatus, reportPolicies } from '@policy-machinery/policy-status';
import { impact } from '@policy-machinery/policy-status/impact';
import type { KubernetesObject } from '@policy-machinery/resource';
import { parseManifests } from '@policy-machinery/resource/manifests';
import { createTopology, type Topology, toDot, toMermaid } from '@policy-machinery/topology';
import type { Attack } from './attack.ts';

/** What stages work on. */
interface Scene {
  readonly attack: Attack;
  readonly hostile: readonly KubernetesObject[];
  readonly topology: Topology;
  readonly views: readonly EffectivePolicies<unknown>[];
}

const planning = { controllerName: 'attacks.example.com/controller', now: new Date('2026-01-01T00:00:00Z') };

/** What is done with the resources of an attack. Each stage is measured by itself; what none has asked for, none computes. */
const stages = {
  /** Reads them from YAML, each a document. */
  read: ({ hostile }) => parseManifests(hostile.map((it) => JSON.stringify(it)).join('\n---\n'), { onIssue() {} }),
  apply: ({ topology, hostile }) => topology.apply({ upsert: hostile }),
  /** Reads all that is wrong with the resources, and which references lead nowhere. */
  issues: ({ topology }) => [topology.issues, topology.unresolved, topology.refused],
  draw: ({ topology }) => [toMermaid(topology), toDot(topology)],
  trace: ({ topology, attack: { request = {} } }) => {
    const { client, ...rest } = request;
    return traceRequest(topology, rest, client === undefined ? {} : { client });
  },
  specs: ({ views }) => views.map((view) => Array.from(view, ({ spec }) => spec)),
  reports: ({ views }) => views.map((view) => reportPolicies(view)),
  plan: ({ views }) => planStatus(views, planning),
  explain: ({ views, attack: { explain = '' } }) => views.map((view) => view.explain(explain)),
  impact: ({ views, attack: { impact: remove = [] } }) => views.map((view) => impact(view, { remove })),
  /** Applies one small change to all that there is now, and plans what follows from it. */
  change: ({ topology, views, attack, hostile }) => {
    topology.apply({ upsert: [attack.change ?? annotated(hostile.at(-1))].filter((it) => it !== undefined) });
    return planStatus(views, { ...planning, changes: views.map((view) => view.takeChanges()) });
  },
} satisfies Readonly<Record<string, (scene: Scene) => unknown>>;

/** The name of a stage. */
export type StageName = keyof typeof stages;

/** The stages of attacks that do not say otherwise. */
export const usualStages: readonly StageName[] = ['apply', 'issues', 'specs', 'reports', 'plan', 'change'];

/** What the stages of an attack have cost at one size. */
export interface AttackRun {
  /** Characters of the attacker's resources in JSON. */
  readonly bytes: number;
  /** CPU time by stage, in milliseconds. */
  readonly stages: Partial<Record<StageName, number>>;
}

/** Runs the stages of an attack, in this process. */
export function runStages(attack: Attack, size: number): AttackRun {
  const text = JSON.stringify(attack.hostile(size));
  const hostile: readonly KubernetesObject[] = JSON.parse(text);
  const topology = createTopology({ targetKinds: attack.targetKinds ?? gatewayApi(), policyKinds: attack.kinds });
  topology.apply({ upsert: attack.given ?? [] });
  let views: readonly EffectivePolicies<unknown>[] | undefined;
  const scene: Scene = {
    attack,
    hostile,
    topology,
    get views() {
      views ??= attack.kinds.map((kind) => effectivePolicies(topology, kind));
      return views;
    },
  };
  const costs = (attack.stages ?? usualStages).map((stage) => [stage, cpuTime(() => stages[stage](scene))] as const);
  return { bytes: text.length, stages: Object.fromEntries(costs) };
}

/** CPU time in milliseconds, that of all threads: other processes make no difference to it. */
export function cpuTime(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function annotated(resource: KubernetesObject | undefined): KubernetesObject | undefined {
  return resource && { ...resource, metadata: { ...resource.metadata, annotations: { changed: 'yes' } } };
}
