import { contributors, listOrigins } from '@policy-machinery/merge';
import type { PolicyKind, SpecFault } from '@policy-machinery/policy-kind';
import type { Issue, JsonObject } from '@policy-machinery/resource';
import { groupedBy } from '@policy-machinery/resource/inner';
import { type ContextLayer, isOwnLayer, type TracedSpec } from '../fold/context-layer.ts';
import { isWithin } from '../support/pointers.ts';
import { settersOf } from './fields.ts';

/** A field that a fault is about, and a layer that set or removed it. */
interface Concerned<Spec> {
  readonly pointer: string;
  readonly layer: ContextLayer<Spec>;
  readonly removed: boolean;
}

const none: readonly never[] = [];

/**
 * Returns why a merged spec is refused, if no policy alone is refused for it: one issue for each policy that sets a field concerned. A spec that
 * comes from one layer has been checked with its policy.
 *
 * @param spec The effective spec, with the layers that set its fields.
 * @param check Returns the faults of a spec of the kind. Default: nothing is.
 */
export function refusalsOf<Spec>(spec: TracedSpec<Spec>, check: PolicyKind<Spec>['check']): readonly Issue[] {
  const layers = check === undefined ? none : contributors(spec.origins);
  if (check === undefined || layers.length < 2) return none;
  const faults = check(spec.value, spec.origins);
  if (faults.length === 0) return none;
  const earlierFaults = new Set(layers.flatMap((layer) => check(layer.spec as JsonObject, spec.origins)).map(keyOf));
  return faults.filter((fault) => !earlierFaults.has(keyOf(fault))).flatMap((fault) => issuesOf(fault, spec));
}

const keyOf = ({ pointer, message }: SpecFault): string => `${pointer} ${message}`;

function issuesOf<Spec>(fault: SpecFault, spec: TracedSpec<Spec>): readonly Issue[] {
  const named = concerned(fault.about ?? none, spec);
  const responsible =
    new Set(named.map(({ layer }) => layer.policy)).size > 1 ? named : concerned([fault.pointer], spec);
  if (responsible.some(({ layer }) => isOwnLayer(layer))) return none; // Targets' own values are not part of a policy.
  const byPolicy = groupedBy(responsible, ({ layer }) => layer.policy);
  const origins = [...byPolicy].map(([{ name }, fields]) => `${name} sets ${listed(fields)}`).join(', and ');
  const message = `the merged spec is refused: ${fault.message.replace(/\.$/, '')}; ${origins}`;
  return [...byPolicy].flatMap(([{ locator }, [first]]) =>
    first === undefined
      ? []
      : [
          {
            code: 'refused-when-merged',
            severity: 'error',
            message,
            resource: locator,
            pointer: first.layer.pointer + first.pointer,
          },
        ],
  );
}

/** Returns the fields at or below some pointers, with the layers that set them, or a field around them. */
function concerned<Spec>(pointers: readonly string[], spec: TracedSpec<Spec>): readonly Concerned<Spec>[] {
  const origins = listOrigins(spec.origins);
  return pointers.flatMap((pointer) => {
    const below = origins.filter((field) => isWithin(field.pointer, pointer));
    const fields = below.length > 0 ? below : [{ pointer, by: settersOf(spec, pointer), removed: false }];
    return fields.flatMap(({ pointer: fieldPointer, by, removed }) =>
      by.map((layer) => ({ pointer: fieldPointer, layer, removed })),
    );
  });
}

/** Longer lists do not help readers. */
const mostNamed = 5;

function listed(fields: readonly Concerned<unknown>[]): string {
  const pointers = [
    ...new Set(
      fields.map(({ pointer, removed }) => `${pointer === '' ? 'the rest' : pointer}${removed ? ' to nothing' : ''}`),
    ),
  ];
  return `${pointers.slice(0, mostNamed).join(', ')}${pointers.length > mostNamed ? ' and others' : ''}`;
}
