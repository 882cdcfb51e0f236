import { Gateway, HTTPRoute } from '@policy-machinery/gateway-api';
import { type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import { type EditName, randomChanges, type Workload } from '@policy-machinery/workload';
import { Controller } from './controller.ts';
import { collectGarbage, median, timed } from './measure.ts';

/** One sort of change. */
interface ChangeSort {
  readonly what: string;
  readonly edits: readonly EditName[];
  /** What is edited, and all that the edit may refer to. */
  readonly among: (topology: Topology, resources: readonly KubernetesObject[]) => readonly KubernetesObject[];
}

const sorts = {
  policyOnRoute: {
    what: 'a policy edited on a route',
    edits: ['edit policy'],
    among: (topology) => policiesOn(topology, ({ kind }) => kind === HTTPRoute),
  },
  policyOnGateway: {
    what: 'a policy edited on a Gateway with about 100 routes',
    edits: ['edit policy'],
    among: (topology) => policiesOn(topology, hasAboutHundredRoutes),
  },
  route: { what: 'the backends of a route edited', edits: ['edit backends'], among: everything },
  parents: { what: 'a route moved to other Gateways', edits: ['move route'], among: everything },
  gateway: {
    what: 'a listener added to a Gateway, or removed',
    edits: ['add listener', 'remove listener'],
    among: everything,
  },
  namespace: { what: 'a label of a Namespace edited', edits: ['relabel namespace'], among: everything },
  grant: { what: 'a ReferenceGrant edited', edits: ['change grant'], among: everything },
} as const satisfies Readonly<Record<string, ChangeSort>>;

/** The name of a sort of change. */
export type ChangeName = keyof typeof sorts;

/** How long each change of each sort took, in milliseconds. */
export type ChangeTimes<Name extends ChangeName = ChangeName> = Readonly<Record<Name, readonly number[]>>;

/** What one sort of change takes. */
export interface MeasuredChange {
  readonly what: string;
  /** The median, in milliseconds. */
  readonly ms: number;
  /** Of how many changes. */
  readonly count: number;
}

/** Returns the median of each sort of change over several measurements. */
export function mediansOf(turns: readonly ChangeTimes[]): Readonly<Record<ChangeName, MeasuredChange>> {
  const measured = Object.entries<ChangeSort>(sorts).map(([name, { what }]) => {
    const times = turns.flatMap((turn) => turn[name as ChangeName]);
    return [name, { what, ms: median(times), count: times.length }] as const;
  });
  return Object.fromEntries(measured) as Record<ChangeName, MeasuredChange>;
}

/**
 * Measures changes of a cluster whose statuses are as they should be: to take in each, to find what applies then, and to
 * plan the statuses that follow. The plan is carried out before the next change comes.
 *
 * @param seed The same seed makes the same changes.
 * @param names The sorts to measure. Default: all.
 */
export function timeChanges<Name extends ChangeName = ChangeName>(
  workload: Workload,
  seed: number,
  names: readonly Name[] = Object.keys(sorts) as Name[],
): ChangeTimes<Name> {
  const controller = new Controller(workload);
  const now = new Map<string, KubernetesObject>();
  const note = (resources: Iterable<KubernetesObject>): void => {
    for (const resource of resources) now.set(locatorOf(resource), resource);
  };
  const abroad = randomChanges(workload.resources, {
    edits: ['add grant', 'edit backends abroad'],
    maxEdits: 1,
    seed,
  });
  for (let count = 0; count < 100; count += 1) abroad.next();
  note(abroad.resources);
  controller.topology.apply({ upsert: now.values() });
  controller.makeViews();
  note(controller.carryOut(controller.plan()));

  const measured = names.map((name) => {
    const { edits, among }: ChangeSort = sorts[name];
    const changes = randomChanges(among(controller.topology, [...now.values()]), { edits, maxEdits: 1, seed });
    const times: number[] = [];
    collectGarbage();
    for (let left = limits.ms; times.length < limits.atLeast || (left > 0 && times.length < limits.atMost); ) {
      const change = changes.next().value;
      const { ms, result: plan } = timed(() => controller.take(change));
      times.push(ms);
      left -= ms;
      const written = controller.carryOut(plan);
      changes.write(written);
      note([...change.upsert, ...written]);
    }
    // A controller has been running for longer: its code is fast.
    return [name, times.slice(Math.floor(times.length / 3))] as const;
  });
  return Object.fromEntries<readonly number[]>(measured) as ChangeTimes<Name>;
}

/** For how long changes of one sort are made, and how often. The first third is not counted. */
const limits = { atLeast: 3, atMost: 300, ms: 1_200 };

function everything(_: Topology, resources: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return resources;
}

/** Returns the policies on one target only, of a sort. */
export function policiesOn(topology: Topology, isMeant: (target: TargetNode) => boolean): readonly KubernetesObject[] {
  return topology.policies().flatMap(({ resource, attachments: [first, ...others] }) => {
    const isOne = first?.target !== undefined && others.length === 0 && isMeant(first.target);
    return isOne ? [resource] : [];
  });
}

/** Returns whether a target is a Gateway with about 100 routes. */
export function hasAboutHundredRoutes({ kind, sections }: TargetNode): boolean {
  if (kind !== Gateway) return false;
  const routes = new Set(sections.flatMap(({ linksTo }) => linksTo));
  return routes.size >= 80 && routes.size <= 125;
}
