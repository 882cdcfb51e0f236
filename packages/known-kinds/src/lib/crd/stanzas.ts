import { atomic, type MergeStrategy, patch } from '@policy-machinery/merge';
import { bareSpec, defaultsAndOverrides, type Profile } from '@policy-machinery/policy-kind';
import { type JsonObject, objectIn } from '@policy-machinery/resource';
import { propertiesOf } from './definition.ts';

/** The stanzas and strategies in a schema. */
export interface StanzasReading {
  /** The rules for reading and merging policies, if the schema has exactly the words of GEP-713. */
  readonly profile: Profile | undefined;
  /** The name of a dialect that the schema resembles, to be tried by people who know the kind. */
  readonly resembles: string | undefined;
  /** The structural schema of the spec proper: the content of a stanza, without targets and strategies. */
  readonly proper: JsonObject;
}

const targetFields = ['targetRef', 'targetRefs', 'targetSelectors'];
const strategies: Readonly<Record<string, MergeStrategy>> = { atomic, patch };

/**
 * Reads the stanzas of a schema. Merging is known only if policies select a strategy of GEP-713 by its name. Anything else must be declared:
 * the same field names have other meanings in other systems.
 *
 * @param spec The structural schema of `spec`.
 * @returns The stanzas and strategies.
 */
export function stanzasOf(spec: JsonObject): StanzasReading {
  const fields = propertiesOf(spec);
  const plural = ['defaults', 'overrides'].filter((name) => isObject(fields[name]));
  const singular = ['default', 'override'].filter((name) => isObject(fields[name]));
  const stanzas = [...plural, ...singular];
  const [first] = stanzas;
  const places = [spec, ...stanzas.map((name) => fields[name])];
  const [names] = places.flatMap((place) => enumOf(propertiesOf(place).strategy));
  const bare = without(spec, [...targetFields, ...stanzas, ...(names === undefined ? [] : ['strategy'])]);
  const proper = first === undefined ? bare : without(objectIn(fields[first]), ['strategy']);
  const known = Object.fromEntries((names ?? []).flatMap((name) => entryOf(name)));
  if (names !== undefined && names.length > 0 && Object.keys(known).length === names.length) {
    const spelling = plural.length === 0 ? 'singular' : singular.length === 0 ? 'plural' : 'either';
    // The schema itself refuses stanzas that exclude each other.
    const reader =
      first === undefined
        ? bareSpec({ strategies: known })
        : defaultsAndOverrides({ strategies: known, spelling, together: 'all' });
    return { profile: { stanzas: reader, sameLevel: 'established-challenger' }, resembles: undefined, proper };
  }
  return { profile: undefined, resembles: resemblance(names, plural, singular, fields), proper };
}

function entryOf(name: string): readonly (readonly [string, MergeStrategy])[] {
  const strategy = Object.hasOwn(strategies, name) ? strategies[name] : undefined;
  return strategy === undefined ? [] : [[name, strategy]];
}

function resemblance(
  names: readonly string[] | undefined,
  plural: readonly string[],
  singular: readonly string[],
  fields: JsonObject,
): string | undefined {
  if ('mergeType' in fields) return 'envoy-gateway';
  if (names?.includes('merge') === true) return 'kuadrant';
  if (plural.length > 0) return 'gep713';
  return singular.length > 0 ? 'gep713-experimental' : undefined;
}

function isObject(schema: unknown): boolean {
  return objectIn(schema).type === 'object';
}

/** Returns the values of an enumeration of texts, in a list; an empty list if there is none. */
function enumOf(schema: unknown): readonly (readonly string[])[] {
  const { enum: values } = objectIn(schema);
  return Array.isArray(values) && values.every((value) => typeof value === 'string') ? [values] : [];
}

export function withoutTargets(spec: JsonObject): JsonObject {
  return without(spec, targetFields);
}

/**
 * Returns the schema of an object without some of its fields. Constraints on the object as a whole are left out if they may be about these: of its
 * CEL rules, those that speak of them.
 */
function without(schema: JsonObject, names: readonly string[]): JsonObject {
  const { required, properties: _properties, type, description, ...rest } = schema;
  const kept = Object.entries(propertiesOf(schema)).filter(([name]) => !names.includes(name));
  const needed = Array.isArray(required) ? required.filter((name) => !names.includes(String(name))) : [];
  const isAbout = (rule: string) => (rule.match(/\w+/g) ?? []).some((word) => names.includes(word));
  const all = rest['x-kubernetes-validations'];
  const rules = Array.isArray(all) ? all.filter((rule) => !isAbout(String(objectIn(rule).rule))) : [];
  const preserve = 'x-kubernetes-preserve-unknown-fields';
  return {
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...(rest[preserve] === undefined ? {} : { [preserve]: rest[preserve] }),
    ...(rest.additionalProperties === undefined ? {} : { additionalProperties: rest.additionalProperties }),
    ...(needed.length === 0 ? {} : { required: needed }),
    ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
    properties: Object.fromEntries(kept),
  };
}
