import type { SpecShape } from '@policy-machinery/policy-kind';
import type { JsonObject } from '@policy-machinery/resource';
import { preserveUnknownFields } from '../structural/conversion.ts';
import { type Node, pick, propertiesOf, valueKeywords } from '../structural/keywords.ts';
import { celName, rulesOf, withRules } from './cel.ts';
import { agreements, atLeastOne, exclusions } from './stanza-rules.ts';
import type { TargetFields } from './target-fields.ts';

type Fields = Readonly<Record<string, Node>>;

/**
 * Returns the schema of `spec`: the targets, and the spec proper in all places that the dialect has for it.
 *
 * @param given The spec proper, structural.
 * @param shape The dialect, its fields structural.
 * @param targets The fields that name targets, and their rules.
 * @param lose Reports constraints that the schema lacks.
 * @returns A structural schema.
 */
export function specSchema(
  given: Node,
  shape: SpecShape,
  targets: TargetFields,
  lose: (message: string) => void,
): Node {
  const { nullable: _nullable, ...proper } = given;
  const bare = shape.stanzas.find(({ field }) => field === undefined);
  const wrappers = Object.fromEntries(
    shape.stanzas.flatMap(({ field, fields }) =>
      field === undefined ? [] : [[field, described(withFields(proper, fields), field)] as const],
    ),
  );
  const names = Object.keys(wrappers);
  const common = { ...targets.fields, ...shape.fields, ...wrappers };
  const atTop = bare === undefined ? {} : without({ ...bare.fields, ...propertiesOf(proper) }, Object.keys(common));
  const base = bare === undefined ? pick(proper, ['type', 'description']) : { ...proper, properties: atTop };
  tellWhatIsLost(proper, shape, lose);

  const { rules, schemas } = exclusions(shape, atTop);
  const isApart = shape.exclusive.some((group) => group.includes(undefined));
  const spec = unlessWrapped(withFields(base, common), names, isApart ? [] : Object.keys(atTop));
  return withRules({ ...spec, ...(schemas.length === 0 ? {} : { allOf: schemas }) }, [
    ...targets.rules,
    ...rules,
    ...agreements(shape),
    ...atLeastOne(shape),
  ]);
}

const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

function described({ type, ...node }: Node, stanza: string): Node {
  const order = stanza.startsWith('override') ? 'which prevail over' : 'which yield to';
  return {
    type: type ?? 'object',
    ...node,
    description: `The fields of the policy, ${order} those of more specific policies.`,
  };
}

/** Returns the spec proper with more fields. Its own fields stay unchanged. */
function withFields(node: Node, fields: Fields): Node {
  if (Object.keys(fields).length === 0) return node;
  const { additionalProperties, minProperties: _min, maxProperties: _max, properties, ...rest } = node;
  return {
    ...rest,
    properties: { ...fields, ...(properties as Fields | undefined) },
    ...(additionalProperties === undefined ? {} : { [preserveUnknownFields]: true }),
  };
}

function tellWhatIsLost(proper: Node, { stanzas }: SpecShape, lose: (message: string) => void): void {
  const isMap = 'additionalProperties' in proper;
  if (isMap) lose('fields without a name in the schema are kept, but not checked');
  if ('minProperties' in proper || 'maxProperties' in proper) {
    lose('the number of fields is not checked, because the stanzas are fields, too');
  }
  const isMixed = stanzas.length > 1 && stanzas.some(({ field }) => field === undefined);
  if (isMixed && (isMap || proper[preserveUnknownFields] === true)) {
    lose('fields that are not named are not kept apart from stanzas');
  }
}

/** Constraints on a bare spec, which do not apply to a spec with its fields in a stanza, unless it has others besides the stanza. */
function unlessWrapped(spec: Node, wrappers: readonly string[], names: readonly string[]): Node {
  if (wrappers.length === 0) return spec;
  const values = pick(spec, valueKeywords);
  const rest = Object.fromEntries(Object.entries(spec).filter(([keyword]) => !Object.hasOwn(values, keyword)));
  const rules = rulesOf(spec);
  const isWrapped = wrappers.map((field) => `has(self.${celName(field)})`).join(' || ');
  const guarded = rules.map((rule) => ({ ...rule, rule: `${isWrapped} || (${rule.rule})` }));
  const alone = names.length === 0 ? {} : { not: { anyOf: names.map(needed) } };
  return {
    ...rest,
    ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': guarded }),
    ...(Object.keys(values).length === 0
      ? {}
      : { anyOf: [...wrappers.map((field) => ({ ...needed(field), ...alone })), values] }),
  };
}

const needed = (field: string): JsonObject => ({ required: [field] });
