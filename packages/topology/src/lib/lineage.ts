import {
  type GroupKind,
  type KubernetesObject,
  objectsIn,
  PolicyMachineryError,
  specOf,
  stringIn,
} from '@policy-machinery/resource';
import { defineTargetKind } from './model/define-target-kind.ts';
import type { TargetKind } from './model/target-kind.ts';
import { getOrInsert } from './support/get-or-insert.ts';

const group = 'lineage.example.com';

/** Resources of invented kinds, for trying out policies without a real API. */
export interface Lineage {
  readonly kinds: readonly TargetKind[];
  readonly resources: readonly KubernetesObject[];
  /**
   * Returns one of the kinds.
   *
   * @param letters The letters of the kind in lower case: `g`.
   * @throws {PolicyMachineryError} `invalid-lineage` if the lineage does not have such a kind.
   */
  readonly kind: (letters: string) => TargetKind;
}

/**
 * Returns a hierarchy in the notation of GEP-713's examples: `g1 > r1 > b1`. A name consists of the letters of a kind and a number; each
 * resource is below the one before. All are in the namespace `default`.
 *
 * @param paths Paths from the top down. The same name in several paths is one resource.
 * @returns The kinds and the resources.
 * @throws {PolicyMachineryError} `invalid-lineage` if a name is not letters and a number.
 * @example
 * ```ts
 * const { kinds, resources } = lineage('g1 > r1 > b1', 'g1 > r2 > b1');
 * const topology = createTopology({ targetKinds: kinds });
 * topology.apply({ upsert: resources });
 * ```
 */
export function lineage(...paths: readonly string[]): Lineage {
  const parents = new Map<string, Set<string>>();
  for (const path of paths) {
    const names = path.split('>').map((name) => name.trim());
    for (const [index, name] of names.entries()) {
      const above = getOrInsert(parents, name, () => new Set<string>());
      const parent = names[index - 1];
      if (parent !== undefined) above.add(parent);
    }
  }
  const kinds = new Map<string, TargetKind>();
  const resources = [...parents].map(([name, itsParents]): KubernetesObject => {
    const letters = lettersOf(name);
    const above = (kind: GroupKind) =>
      [...parents].some(([child, its]) => lettersOf(child) === letters && holds(its, kind));
    if (!kinds.has(letters)) kinds.set(letters, lineageKind(letters, above));
    const spec = { parents: [...itsParents].map((parent) => ({ kind: kindOf(lettersOf(parent)), name: parent })) };
    return { apiVersion: `${group}/v1`, kind: kindOf(letters), metadata: { name, namespace: 'default' }, spec };
  });
  const kind = (letters: string): TargetKind => {
    const letterKind = kinds.get(letters);
    if (letterKind !== undefined) return letterKind;
    throw new PolicyMachineryError(
      'invalid-lineage',
      `The lineage does not have the kind "${letters}"; use its kinds in paths`,
    );
  };
  return { kinds: [...kinds.values()], resources, kind };
}

/**
 * Returns the fields that target a resource of a lineage in a policy.
 *
 * @param name The name of the resource: `g1`.
 * @returns Group, kind and name.
 */
export function lineageRef(name: string): { readonly group: string; readonly kind: string; readonly name: string } {
  return { group, kind: kindOf(lettersOf(name)), name };
}

function holds(names: ReadonlySet<string>, kind: GroupKind): boolean {
  return kind.group === group && [...names].some((name) => kindOf(lettersOf(name)) === kind.kind);
}

function lineageKind(letters: string, isAbove: (kind: GroupKind) => boolean): TargetKind {
  return defineTargetKind({
    group,
    kind: kindOf(letters),
    mayReferTo: (kind, direction) => direction === 'up' && isAbove(kind),
    *references(resource) {
      for (const [index, parent] of objectsIn(specOf(resource).parents).entries()) {
        const [kind, name] = [stringIn(parent.kind), stringIn(parent.name)];
        if (kind === undefined || name === undefined) continue;
        yield { direction: 'up', to: { group, kind, name }, pointer: `/spec/parents/${index}` };
      }
    },
  });
}

function kindOf(letters: string): string {
  return letters.toUpperCase();
}

function lettersOf(name: string): string {
  const match = /^([a-z]+)\d+$/.exec(name);
  if (match?.[1] !== undefined) return match[1];
  throw new PolicyMachineryError(
    'invalid-lineage',
    `"${name}" is not a name in a lineage: write letters and a number, "g1"`,
  );
}
