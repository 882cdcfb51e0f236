import type { KubernetesObject } from '@policy-machinery/resource';
import type { Workload } from '@policy-machinery/workload';
import { readResource } from '../../../../packages/topology/src/lib/changes/faulty-resources.ts';
import { Kinds } from '../../../../packages/topology/src/lib/model/kinds.ts';
import { nameSections } from '../../../../packages/topology/src/lib/targets/sections.ts';
import { asListed } from './as-listed.ts';
import { collectGarbage, medians, repeated, timedOnCpu } from './measure.ts';

/** The reads of a load, in its order. */
const reads = ['resources', 'sections', 'references', 'targetRefs', 'policies'] as const;

/** The name of a read. */
export type ReadName = (typeof reads)[number];

/** The CPU time that the readers of kinds take for a workload, in milliseconds: no load can take less. */
export interface Floor extends Readonly<Record<ReadName, number>> {
  /** `JSON.parse` of all resources in one text. */
  readonly parse: number;
  /** All reads. */
  readonly floor: number;
}

/** Reads a workload several times. Returns the median of each figure. */
export function measureFloor({ resources, ...kinds }: Workload, times: number): Floor {
  const text = JSON.stringify(asListed(resources));
  return medians(repeated(times, () => readOnce(kinds, text)));
}

function readOnce(kinds: Pick<Workload, 'targetKinds' | 'policyKinds'>, text: string): Floor {
  collectGarbage();
  const { ms: parse, result } = timedOnCpu((): readonly KubernetesObject[] => JSON.parse(text));
  const readers = readersOf(kinds, result);
  const costs = reads.map((name) => {
    collectGarbage();
    return [name, timedOnCpu(readers[name]).ms] as const;
  });
  const floor = costs.reduce((total, [, ms]) => total + ms, 0);
  return { parse, floor, ...(Object.fromEntries(costs) as Record<ReadName, number>) };
}

/** Returns functions that read all resources. Call them in the order of the reads. Each returns what it read. */
export function readersOf(
  { targetKinds, policyKinds }: Pick<Workload, 'targetKinds' | 'policyKinds'>,
  resources: readonly KubernetesObject[],
): Readonly<Record<ReadName, () => readonly unknown[]>> {
  const kinds = new Kinds(targetKinds, policyKinds);
  const targets = resources.flatMap((resource) => {
    const { target, sections } = kinds.of(resource) ?? {};
    return target === undefined || sections === undefined ? [] : [{ resource, target, sections }];
  });
  const policies = policyKinds.flatMap((kind) => {
    return resources.filter((it) => kinds.of(it)?.policy === kind).map((resource) => ({ kind, resource }));
  });
  let placed: readonly ReturnType<typeof nameSections>[] = [];
  return {
    resources: () => resources.map((resource) => readResource(resource, undefined, () => undefined)),
    sections: () => {
      placed = targets.map(({ sections, resource }) => nameSections(sections, { locator: '', resource }, []));
      return placed;
    },
    references: () =>
      targets.map(({ target, resource }, index) => {
        let count = 0;
        for (const _ of target.references(resource)) count += 1;
        for (const section of placed[index] ?? [])
          for (const _ of section.kind.references(section, resource)) count += 1;
        return count;
      }),
    targetRefs: () => policies.map(({ kind, resource }) => kind.targetRefs(resource)),
    policies: () => policies.map(({ kind, resource }) => kind.read(resource)),
  };
}
