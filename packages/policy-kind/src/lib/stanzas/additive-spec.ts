import { additive } from '@policy-machinery/merge';
import { formatPointer, type JsonValue, PolicyMachineryError } from '@policy-machinery/resource';
import { targetFields, without } from './bare-spec.ts';
import type { StanzaReader } from './stanza-reader.ts';

/** How the policies of an additive kind are grouped. */
export interface AdditiveSpecOptions<Group extends string> {
  /** The groups, in the order of effective specs. */
  readonly groups: readonly [Group, ...Group[]];
  /**
   * The field of the spec that names the group of the policy: `action`. It does not belong to the spec proper. Default: all policies
   * are in the same group.
   */
  readonly by?: string | undefined;
  /** The group of policies that name none. Default: the first one. */
  readonly otherwise?: NoInfer<Group> | undefined;
  /** The fields, besides `targetRef`, `targetRefs` and `targetSelectors`, where policies have their targets: `selector`. Default none. */
  readonly targetFields?: readonly string[] | undefined;
}

/** A stanza reader for policies that all stay. */
export interface AdditiveReader<Group extends string = string> extends StanzaReader {
  /** The groups, in the order of effective specs. */
  readonly groups: readonly Group[];
}

/**
 * The effective spec of an additive policy kind: the spec of each policy that counts, by group and by `namespace/name`. In a group,
 * the policies have the order of their levels, the least specific first, and on one level the order of the kind.
 */
export type AdditiveSpec<Group extends string, Spec> = {
  readonly [Name in Group]?: { readonly [policy: string]: Spec };
};

/**
 * Returns a reader for policies that do not compete: all that apply to a target count there, typed by an action or another field. No
 * policy loses anything to another.
 *
 * @param options The groups.
 * @returns The reader. Its policies cannot select a strategy.
 * @throws {PolicyMachineryError} `invalid-policy-kind`, if a group is listed twice.
 * @example
 * ```ts
 * additiveSpec({ by: 'action', groups: ['CUSTOM', 'DENY', 'ALLOW'], otherwise: 'ALLOW' });
 * ```
 */
export function additiveSpec<const Group extends string>({
  groups,
  by,
  otherwise = groups[0],
  targetFields: others = [],
}: AdditiveSpecOptions<Group>): AdditiveReader<Group> {
  const repeated = groups.find((group, place) => groups.indexOf(group) !== place);
  if (repeated !== undefined) {
    throw new PolicyMachineryError('invalid-policy-kind', `The group "${repeated}" is given twice; leave one out`);
  }
  const strategy = additive(...groups);
  const reserved = [...targetFields, ...others, by ?? false] as const;
  const groupIn = (value: JsonValue | undefined): Group | undefined =>
    value === undefined || value === null ? otherwise : groups.find((group) => group === value);
  return {
    groups,
    strategies: { additive: strategy },
    read(spec) {
      const group = by === undefined ? otherwise : groupIn(spec[by]);
      const choice = { strategy, stanza: 'defaults', dialectName: 'additive' } as const;
      const proper = without(spec, reserved);
      const layer = { ...choice, spec: proper, pointer: '/spec', group: group ?? otherwise };
      const message = `${by} must be one of ${groups.map((name) => `"${name}"`).join(', ')}`;
      return {
        layers: [layer],
        faults: group === undefined ? [{ message, pointer: formatPointer(['spec', String(by)]) }] : [],
      };
    },
    shape: {
      stanzas: [{ field: undefined, fields: {} }],
      fields: by === undefined ? {} : { [by]: { type: 'string', enum: [...groups], description } },
      exclusive: [],
      oneOf: [],
    },
  };
}

const description = 'The group of this policy. All policies of a group count; the groups have an order.';

/** Returns whether policies that a reader reads all stay. */
export function isAdditive(reader: StanzaReader): reader is AdditiveReader {
  return 'groups' in reader;
}
