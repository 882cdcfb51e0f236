import {
  type GroupKind,
  type Issue,
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  locatorOf,
  objectIn,
  specOf,
} from '@policy-machinery/resource';
import { type Definition, propertiesOf } from '../crd/definition.ts';
import { outsideKind } from '../tables/outside.ts';

/** A kind that looks like a policy kind, but has policies that are not attached. */
export interface UnreadKind extends GroupKind {
  /** The project that defines the kind, if known. */
  readonly system?: string;
  /** The policy label of its definition, as written: `Direct`. */
  readonly label?: string;
  /** The part that cannot be read, as a sentence. */
  readonly reason: string;
}

/** A field that names targets in some form: `targetRef`, `targetRefs`, `targetReference`, `targetSelectors`. */
const namesTargets = /^target(?:\w*Ref|Selectors$)/;

/**
 * Returns a kind that is not a policy kind here, but looks like one: by the policy label, by a field of its specs that names targets, or because it
 * is known.
 *
 * @param definition Its definition, if there is one.
 * @param objects The objects of the kind.
 */
export function unreadKind(
  { group, kind }: GroupKind,
  definition: Definition | undefined,
  objects: readonly KubernetesObject[],
): UnreadKind | undefined {
  const label = definition?.label;
  const outside = outsideKind({ group, kind });
  const found = fieldOfDefinition(definition) ?? objects.map(fieldOfObject).find((it) => it !== undefined);
  if (label === undefined && found === undefined && outside === undefined) return undefined;
  const { system } = outside ?? {};
  return {
    group,
    kind,
    ...(system === undefined ? {} : { system }),
    ...(label === undefined ? {} : { label }),
    reason: outside?.reason ?? (found === undefined ? noField : reasonOf(found)),
  };
}

/**
 * Returns a warning for each object of such a kind. Objects with references that have a version in place of a group, such as autoscalers,
 * are left out.
 */
export function unreadPolicies({ reason }: UnreadKind, objects: readonly KubernetesObject[]): readonly Issue[] {
  return objects.flatMap((object): readonly Issue[] => {
    const found = fieldOfObject(object);
    if (found?.hasVersion === true) return [];
    const pointer = found === undefined ? {} : { pointer: `/spec/${found.field}` };
    const message = `is not attached, so its effect is not known: ${reason}`;
    return [{ code: 'unread-policy', severity: 'warning', message, resource: locatorOf(object), ...pointer }];
  });
}

const noField = 'The definition has the policy label, but no field that names targets.';

/** A field that names targets, with the fields of its references. */
interface TargetField {
  readonly field: string;
  readonly names: readonly string[];
  readonly hasVersion: boolean;
}

function fieldOfDefinition(definition: Definition | undefined): TargetField | undefined {
  const fields = propertiesOf(definition?.spec);
  const field = Object.keys(fields).find((name) => namesTargets.test(name));
  if (field === undefined) return undefined;
  const { items } = objectIn(fields[field]);
  return targetField(field, propertiesOf(items ?? fields[field]));
}

function fieldOfObject(object: KubernetesObject): TargetField | undefined {
  const spec = specOf(object);
  const field = Object.keys(spec).find((name) => namesTargets.test(name) && isSet(spec[name]));
  if (field === undefined) return undefined;
  const value = spec[field];
  const first: unknown = Array.isArray(value) ? value.find((it) => isJsonObject(it)) : value;
  return targetField(field, objectIn(first));
}

function targetField(field: string, reference: JsonObject): TargetField {
  const names = Object.keys(reference);
  return { field, names, hasVersion: names.includes('apiVersion') && !names.includes('group') };
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

function reasonOf({ field, names }: TargetField): string {
  const lacking = ['group', 'kind', 'name'].filter((name) => !names.includes(name));
  const others = names.filter((name) => !['group', 'kind', 'name', 'namespace', 'sectionName'].includes(name));
  const without = lacking.length === 0 ? [] : [`lack ${lacking.join(', ')}`];
  const having = others.length === 0 ? [] : [`have ${others.join(', ')}`];
  const isForm = field === 'targetRef' || field === 'targetRefs';
  const what = [...without, ...having].join(' and ') || 'name nothing that is known';
  return isForm ? `References in spec.${field} ${what}.` : `Targets are named in spec.${field}, which is not read.`;
}
