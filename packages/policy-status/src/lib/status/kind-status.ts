import type { ConditionUpdate } from '@policy-machinery/conditions';
import { isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import {
  isSectionKind,
  type SectionStatus,
  type StatusCondition,
  type StatusContext,
  type TargetNode,
  type TargetStatus,
} from '@policy-machinery/topology';
import { isEquivalent } from '../equivalent.ts';
import { type StatusEdit, setConditions, setParentConditions, withList } from './set-conditions.ts';
import type { StatusLocation } from './status-locations.ts';

/** Returns the status that the kind of an object defines, apart from policies; `undefined` if it defines none. */
export function kindStatusOf(node: TargetNode, context: StatusContext): TargetStatus | undefined {
  return isSectionKind(node.kind) ? undefined : node.kind.status?.of?.(node, context);
}

/** Returns where an object has conditions, by the status that its kind defines. */
export function placeOfKindStatus({ sections, parents }: TargetStatus): StatusLocation {
  if (parents !== undefined) return { object: 'parents' };
  return sections === undefined ? { object: 'conditions' } : { object: 'conditions', sections: 'listeners' };
}

/** Sets the status that the kind of an object defines. Conditions of others, and unknown ones, stay. */
export function setKindStatus(
  statusBefore: JsonObject,
  kindStatus: TargetStatus,
  { place, namespace, edit }: { readonly place: StatusLocation; readonly namespace: string; readonly edit: StatusEdit },
): JsonObject {
  let status = setKnownConditions(statusBefore, kindStatus.conditions ?? [], edit);
  status = withFields(status, kindStatus.fields);
  if (kindStatus.sections !== undefined && place.sections !== undefined) {
    status = setSections(status, place.sections, kindStatus.sections, edit);
  }
  if (kindStatus.parents === undefined || place.object !== 'parents') return status;
  const { types, entries } = kindStatus.parents;
  const byReference = new Map(entries.map(({ parentRef, conditions }) => [parentRef, known(conditions)]));
  const updatesOf = (parentRef: JsonObject) => byReference.get(parentRef) ?? [];
  return setParentConditions(status, [...byReference.keys()], namespace, updatesOf, {
    ...edit,
    owned: [...types, ...edit.retired],
  });
}

/** Returns the conditions with a known status; others may know the rest. */
export function known(conditions: readonly StatusCondition[]): readonly ConditionUpdate[] {
  return conditions.filter(({ status }) => status !== 'Unknown');
}

function setKnownConditions(holder: JsonObject, conditions: readonly StatusCondition[], edit: StatusEdit): JsonObject {
  const updates = known(conditions);
  return updates.length === 0 ? holder : setConditions(holder, updates, { ...edit, owned: [] });
}

function withFields(holder: JsonObject, fields: JsonObject = {}): JsonObject {
  const isRight = Object.entries(fields).every(([key, value]) => isEquivalent(holder[key], value));
  return isRight ? holder : { ...holder, ...fields };
}

/** Sets the entries of sections. Existing entries keep their order; entries of sections that no longer exist are removed. */
function setSections(
  status: JsonObject,
  field: string,
  sections: readonly SectionStatus[],
  edit: StatusEdit,
): JsonObject {
  const stored = status[field];
  const entries: readonly JsonValue[] = Array.isArray(stored) ? stored : [];
  const wanted = new Map(sections.map((section) => [section.name, section]));
  const kept = entries.flatMap((entry) => {
    const section = isJsonObject(entry) && typeof entry.name === 'string' ? wanted.get(entry.name) : undefined;
    if (section === undefined) return [];
    wanted.delete(section.name);
    return [sectionEntry(entry as JsonObject, section, edit)];
  });
  const added = [...wanted.values()].map((section) => sectionEntry({ name: section.name }, section, edit));
  const renewed = [...kept, ...added];
  for (const { conditions } of renewed.slice(mostSections)) edit.refused(conditions as unknown as ConditionUpdate[]);
  return withList(status, field, renewed.slice(0, mostSections));
}

/** The limit of Gateway API for the status of a Gateway. */
const mostSections = 64;

function sectionEntry(entry: JsonObject, { fields, conditions }: SectionStatus, edit: StatusEdit): JsonObject {
  const updated = setKnownConditions(withFields(entry, fields), conditions, edit);
  return Array.isArray(updated.conditions) ? updated : { ...updated, conditions: [] }; // An entry must have the list.
}
