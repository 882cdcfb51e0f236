import { effectivePolicies } from '@policy-machinery/effective-policy';
import { findPolicyKinds, type TopologyKinds } from '@policy-machinery/known-kinds';
import { concernsOf } from '@policy-machinery/known-kinds/concerns';
import type { ConcernName, PolicyKind } from '@policy-machinery/policy-kind';
import { formatLocator, locatorOf } from '@policy-machinery/resource';
import { parseManifests } from '@policy-machinery/resource/manifests';
import { createTopology } from '@policy-machinery/topology';
import type { Cell } from './cell.ts';
import { type CoverageRow, coverage } from './coverage.ts';

/** Returns the coverage of manifests, with the kinds that they use. */
export function coverageOf(manifests: string, yours: readonly PolicyKind<unknown>[] = []): readonly CoverageRow[] {
  const { resources: objects } = parseManifests(manifests);
  const { mesh, ...found } = findPolicyKinds({ resources: objects, yours });
  const [outside, ...meshes] = [found, ...(mesh === undefined ? [] : [mesh])].map((kinds: TopologyKinds) => {
    const policyKinds = kinds.kinds.map(({ kind }) => kind);
    const topology = createTopology({ targetKinds: kinds.targetKinds, policyKinds });
    topology.apply({ upsert: objects });
    const covering = kinds.kinds.map(({ kind, merging }) => ({
      effective: effectivePolicies(topology, kind),
      isMerged: merging === 'known',
    }));
    return { topology, covering };
  });
  if (outside === undefined) throw new Error('there is no topology');
  const known = new Map(objects.map((object) => [locatorOf(object), object]));
  return coverage({
    topology: outside.topology,
    kinds: [outside, ...meshes].flatMap(({ covering }) => covering),
    factsOf: concernsOf,
    find: (ref) => known.get(formatLocator(ref)),
  });
}

/** Returns a cell in one line: `lost SecurityPolicy shop/own /jwt → SecurityPolicy shop/cors`. */
export function cellText(rows: readonly CoverageRow[], concern: ConcernName, place = 0): string {
  const row = rows[place];
  if (row === undefined) throw new Error(`there is no row ${place}`);
  return textOf(row.cells.get(concern) ?? { state: 'none' });
}

function textOf({ state, strength, by, to }: Cell): string {
  const author = by === undefined ? '' : `${by.kind} ${by.name} ${by.pointer}`.trim();
  const winner = to === undefined ? '' : `→ ${to.kind} ${to.name}`;
  return [state, strength ?? '', author, winner].filter((text) => text !== '').join(' ');
}
