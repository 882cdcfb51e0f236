import { concernNames } from '@policy-machinery/policy-kind';
import { groupKindKey } from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import type { Evidence } from './author.ts';
import { type BackendPath, backendPaths } from './backends.ts';
import { type Cells, cellsOf } from './cell.ts';
import { conditionReader } from './conditions.ts';
import type { CoverageInput } from './facts.ts';
import { evidenceAlong, evidenceAt, type KindReader, kindReaders } from './kind-reader.ts';
import { type MeshPlaces, meshPlaces } from './mesh.ts';
import { answersItself, authorAt, listenerEvidence, ruleEvidence, unknownEvidence } from './own-evidence.ts';
import { placesIn, type RuleAtListener } from './rows.ts';
import { combineShares } from './shares.ts';
import { suspectsOf, suspectsOn, withoutReplaceable } from './suspects.ts';

/** Requests that one rule of a route takes from one listener, with how they meet each concern. */
export interface CoverageRow extends Omit<RuleAtListener, 'paths'> {
  /** The cells. Rows with the same answer share them. */
  readonly cells: Cells;
}

const withoutHttp = new Set(['TCPRoute', 'TLSRoute', 'UDPRoute']);

/**
 * Returns how the requests from outside meet each concern, such as authentication: the policy that puts it in force, or the policies that lost
 * and won it.
 *
 * @param input The topology, the policy kinds, and the effects of their fields.
 * @returns A row for each rule at each listener, Gateway by Gateway. O(rows), and one evaluation for each distinct effective policy.
 */
export function coverage(input: CoverageInput): readonly CoverageRow[] {
  const holds = conditionReader();
  const readers = kindReaders(input, holds);
  const own = { ...input, holds, isPolicy: isPolicyOf(input) };
  const suspects = suspectsOf(readers, holds);
  const meetsMesh = meshEvidence(input.topology, readers);
  const outside = readers.filter(({ effective }) => effective.topology === input.topology);
  const ofListener = remember((listener: TargetNode) => {
    if (!input.isAssumed?.(listener.object)) return listenerEvidence(listener, own);
    return unknownEvidence(concernNames, authorAt(listener.object), 'the Gateway is not in the input');
  });
  const answers = new Answers();
  return Array.from(placesIn(input.topology), ({ paths, ...place }) => {
    const { gateway, listener, route, rule } = place;
    const backends = backendPaths({ paths, rule, route });
    const isItself = answersItself(rule, input);
    const seesHttp = !withoutHttp.has(route.ref.kind);
    const parts = [
      ofListener(listener),
      rule === undefined ? [] : ruleEvidence(rule, own),
      ...outside.map((reader) => evidenceAlong(reader, backends)),
      ...meetsMesh(gateway, backends),
      suspectsOn(suspects, paths[0] ?? []),
    ].filter(({ length }) => length > 0);
    // For own fields, the answer depends on the route.
    const isOwn = parts.some((part) => part.some(({ author }) => author.target.object === route));
    const cells = answers.of(parts, `${isItself} ${seesHttp} ${isOwn ? route.locator : ''}`, () =>
      cellsOf({ evidence: withoutReplaceable(parts.flat()), route, answersItself: isItself, seesHttp }),
    );
    return { ...place, cells };
  });
}

/** Returns whether routes can name objects of a kind as policies, which the topology attaches. */
function isPolicyOf({ kinds }: CoverageInput) {
  const named = new Set(
    kinds.filter(({ effective }) => effective.kind.extensionRefs).map((it) => groupKindKey(it.effective.kind)),
  );
  return (kind: Parameters<typeof groupKindKey>[0]): boolean => named.has(groupKindKey(kind));
}

/** Returns the effects of the policies of meshes on requests: at the Gateway that they come through, and at the backend that they reach. */
function meshEvidence(topology: Topology, readers: readonly KindReader[]) {
  const meshReaders = readers.filter(({ effective }) => effective.topology !== topology);
  const meshes = new Map<Topology, MeshPlaces>();
  for (const { effective } of meshReaders) {
    if (!meshes.has(effective.topology)) meshes.set(effective.topology, meshPlaces(effective.topology));
  }
  return (gateway: TargetNode, backends: readonly BackendPath[]): readonly (readonly Evidence[])[] =>
    meshReaders.flatMap((reader) => {
      const places = meshes.get(reader.effective.topology);
      const proxy = places?.proxyOf(gateway);
      const atBackends = backends.map(({ backend, weight }) => ({
        weight,
        evidence: backend === undefined || places === undefined ? [] : atBackend(reader, places, backend),
      }));
      return [proxy === undefined ? [] : evidenceAt(reader, proxy), combineShares(atBackends)];
    });
}

function atBackend(reader: KindReader, places: MeshPlaces, backend: TargetNode): readonly Evidence[] {
  const waypoint = places.proxyOf(backend);
  const workloads = places.workloadsOf(backend);
  const atWorkloads = workloads.map((workload) => ({ weight: 1, evidence: evidenceAt(reader, workload) }));
  return [...(waypoint === undefined ? [] : evidenceAt(reader, waypoint)), ...combineShares(atWorkloads)];
}

function remember<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? find(key);
    known.set(key, value);
    return value;
  };
}

/** The cells of rows, each distinct answer once. */
class Answers {
  readonly #ids = new Map<object, number>();
  readonly #cells = new Map<string, Cells>();

  of(parts: readonly object[], more: string, find: () => Cells): Cells {
    const key = `${parts.map((part) => this.#idOf(part)).join(' ')} ${more}`;
    const cells = this.#cells.get(key) ?? find();
    this.#cells.set(key, cells);
    return cells;
  }

  #idOf(part: object): number {
    const id = this.#ids.get(part) ?? this.#ids.size;
    this.#ids.set(part, id);
    return id;
  }
}
