import type { PolicyKind } from '@policy-machinery/policy-kind';
import {
  type Issue,
  isJsonObject,
  type JsonValue,
  type KubernetesObject,
  objectIn,
  parsePointer,
  specOf,
} from '@policy-machinery/resource';
import { type Definition, propertiesOf } from '../crd/definition.ts';

/** A reference or selector of some policies that has a field which is not read. */
export interface UnreadReference {
  readonly field: string;
  /** The first policy with such a reference. */
  readonly policy: KubernetesObject;
}

/** The fields that all kinds read. Policies without others are not looked at twice. */
const common = {
  references: new Set(['group', 'kind', 'name', 'namespace', 'sectionName']),
  selectors: new Set(['group', 'kind', 'sectionName', 'matchLabels', 'matchExpressions', 'namespaces']),
};

/**
 * Returns the fields of references and selectors that are not read and that may change the targets of a policy. Fields that the definition does not
 * have change nothing: API servers drop them.
 *
 * @param kind The kind of the policies.
 * @param policies All policies of the kind.
 * @param definition Its definition, if there is one.
 * @returns Each field once.
 */
export function unreadReferenceFields(
  kind: PolicyKind<unknown>,
  policies: readonly KubernetesObject[],
  definition: Definition | undefined,
): readonly UnreadReference[] {
  const found = new Map<string, KubernetesObject>();
  for (const policy of policies) {
    if (!hasOtherFields(policy)) continue;
    const issues = [...kind.targetRefs(policy).issues, ...(kind.targetSelectors?.(policy).issues ?? [])];
    for (const field of issues.flatMap((issue) => unreadField(issue, definition))) {
      if (!found.has(field)) found.set(field, policy);
    }
  }
  return [...found].map(([field, policy]) => ({ field, policy }));
}

function hasOtherFields(policy: KubernetesObject): boolean {
  return Object.entries(specOf(policy)).some(
    ([field, value]) =>
      field.startsWith('target') && hasOthers(value, field === 'targetSelectors' ? 'selectors' : 'references'),
  );
}

function hasOthers(value: JsonValue | undefined, form: keyof typeof common): boolean {
  if (Array.isArray(value)) return value.some((entry) => hasOthers(entry, form));
  return isJsonObject(value) && Object.keys(value).some((field) => !common[form].has(field));
}

function unreadField({ code, pointer = '' }: Issue, definition: Definition | undefined): readonly string[] {
  if (code !== 'unread-field') return [];
  const [, form = '', ...path] = parsePointer(pointer);
  const field = path.at(-1) ?? form;
  if (definition === undefined) return [field];
  const { items, ...single } = objectIn(propertiesOf(definition.spec)[form]);
  return field in propertiesOf(items ?? single) ? [field] : [];
}

/** Returns the note on a kind with such references. */
export function unreadNote(references: readonly UnreadReference[]): string {
  const shown = references.slice(0, 5).map(({ field, policy: { metadata } }) => {
    const name = [metadata.namespace, metadata.name].filter((part) => part !== undefined).join('/');
    return `${field.length > 40 ? `${field.slice(0, 40)}…` : field} (${name})`;
  });
  const more = references.length > shown.length ? ' and others' : '';
  return `Not read: ${shown.join(', ')}${more} in references, so these policies may have other targets.`;
}
