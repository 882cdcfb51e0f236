import { type JsonObject, objectIn } from '@policy-machinery/resource';
import { propertiesOf } from './definition.ts';

/** The fields where specs name targets. */
export interface TargetFields {
  /** The form of a target in a policy, for probes: `targetRefs`, or `targetRef` if that is the only one. */
  readonly form: 'targetRef' | 'targetRefs';
  /** The schema of one reference. */
  readonly reference: JsonObject;
  /** The schema of the list; an empty one if there is none. */
  readonly list: JsonObject;
  /** Whether policies may also select targets. */
  readonly hasSelectors: boolean;
  /** Whether references may name a section. */
  readonly hasSections: boolean;
  /** Whether references may name a namespace. */
  readonly hasNamespace: boolean;
  /** Whether references may name sections by port. */
  readonly hasPorts: boolean;
  /** The fields of references and selectors that are not read. */
  readonly unread: readonly string[];
  /** How many targets a policy may name. */
  readonly maxTargets: number;
  /** How many selectors a policy may have. */
  readonly maxSelectors: number;
}

/** A limit for lists without one in the schema. */
const unlimited = 1000;

/**
 * Finds the fields where specs name targets as in GEP-713: `targetRefs` or `targetRef`, with a group, a kind and a name. The group
 * distinguishes them from references of autoscalers.
 *
 * @param spec The structural schema of `spec`.
 * @returns The fields; `undefined` if specs name no targets.
 */
export function targetFieldsOf(spec: JsonObject): TargetFields | undefined {
  const { targetRef, targetRefs, targetSelectors } = propertiesOf(spec);
  const list = objectIn(targetRefs);
  const items = objectIn(list.items);
  const [reference] = [items, objectIn(targetRef)].filter((schema) => isReference(schema));
  if (reference === undefined) return undefined;
  const fields = propertiesOf(reference);
  return {
    form: reference === items ? 'targetRefs' : 'targetRef',
    reference,
    list,
    hasSelectors: isReference(objectIn(objectIn(targetSelectors).items), ['kind']),
    hasSections: 'sectionName' in fields,
    hasNamespace: 'namespace' in fields,
    hasPorts: 'port' in fields,
    unread: [
      ...unreadIn(fields, [...common, 'name', 'namespace']),
      ...unreadIn(propertiesOf(objectIn(targetSelectors).items), [
        ...common,
        'matchLabels',
        'matchExpressions',
        'namespaces',
      ]),
    ],
    maxTargets: maxItemsOf(list),
    maxSelectors: maxItemsOf(objectIn(targetSelectors)),
  };
}

function maxItemsOf({ maxItems }: JsonObject): number {
  return typeof maxItems === 'number' && maxItems > 0 ? maxItems : unlimited;
}

const common = ['group', 'kind', 'sectionName', 'port'];

function unreadIn(fields: JsonObject, read: readonly string[]): readonly string[] {
  return Object.keys(fields).filter((field) => !read.includes(field));
}

function isReference(schema: JsonObject, fields: readonly string[] = ['group', 'kind', 'name']): boolean {
  const properties = propertiesOf(schema);
  return fields.every((field) => objectIn(properties[field]).type === 'string');
}

/** Returns the schemas where rules about targets may be: of the spec, of the list, and of a reference. */
export function rulePlaces(spec: JsonObject, { form, list, reference }: TargetFields) {
  const byName = (target: JsonObject): JsonObject => ({ [form]: form === 'targetRef' ? target : [target] });
  return [
    { schema: spec, selfOf: byName, isAbout: (rule: string) => /\btargetRefs?\b/.test(rule) },
    { schema: list, selfOf: (target: JsonObject) => [target], isAbout: () => form === 'targetRefs' },
    { schema: reference, selfOf: (target: JsonObject) => target, isAbout: () => true },
  ] as const;
}
