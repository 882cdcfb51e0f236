import { ancestorKey, type ParentReference } from '@policy-machinery/conditions';
import type { WrittenEntry } from './written.ts';

/** As many entries as a status has room for (GEP-713). */
const maxAncestors = 16;

/** The condition that Envoy Gateway sets when it leaves out entries, because there are too many. */
const aggregated = 'Aggregated';

/** Returns whether a status may lack entries that do not fit. */
export function isFull(written: readonly WrittenEntry[]): boolean {
  return written.length >= maxAncestors || written.some(({ conditions }) => conditions.some(isAggregated));
}

const isAggregated = ({ type, status }: { type: string; status?: string }) => type === aggregated && status === 'True';

/** Returns whether an entry says that the policy is not accepted. */
export function isRefused({ conditions }: WrittenEntry): boolean {
  return conditions.some(({ type, status }) => type === 'Accepted' && status === 'False');
}

/**
 * Returns whether two references are to the same ancestor. Systems differ in how they name one: a Gateway, its listener, or one entry for each
 * of its listeners. So a section and its object are the same ancestor, and two sections of one object are not.
 *
 * @param namespace The namespace of the policy, which references may leave out.
 */
export function isSameAncestor(
  one: ParentReference | undefined,
  other: ParentReference | undefined,
  namespace: string,
): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (keyOf(one, namespace) === keyOf(other, namespace)) return true;
  const isOfObject = one.sectionName === undefined || other.sectionName === undefined;
  return isOfObject && keyOf(objectOf(one), namespace) === keyOf(objectOf(other), namespace);
}

function objectOf({ sectionName: _section, port: _port, ...object }: ParentReference): ParentReference {
  return object;
}

function keyOf(ref: ParentReference, namespace: string): string | undefined {
  return ancestorKey(ref, namespace)?.text;
}
