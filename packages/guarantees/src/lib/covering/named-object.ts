import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import type { ConcernField } from '@policy-machinery/policy-kind';
import { type JsonObject, objectIn, specOf, stringIn, valueAt } from '@policy-machinery/resource';
import type { Evidence } from './author.ts';
import type { Holds } from './conditions.ts';
import type { CoverageInput } from './facts.ts';
import { fieldStates } from './field-states.ts';
import { weakest } from './strength.ts';

/**
 * Returns the effect of a field in force that names a deciding object: at most as much as that object. It is not known if the object is not
 * in the input.
 *
 * @param evidence The effect of the field by itself.
 * @param effective The effective policy with the field.
 * @param input Finds objects, and the effects of the fields of their kinds.
 */
export function withNamedObject(
  evidence: Evidence,
  { spec }: EffectivePolicy<unknown>,
  fields: readonly ConcernField[],
  { find, factsOf }: Pick<CoverageInput, 'find' | 'factsOf'>,
  holds: Holds,
): Evidence {
  const { concern, state, author } = evidence;
  const { names } = fields.find((it) => it.concern === concern && it.pointer === author.pointer) ?? {};
  const reference: JsonObject = names === undefined ? {} : objectIn(valueAt(objectIn(spec), names.pointer));
  const name = stringIn(reference.name);
  if (state !== 'in-force' || names === undefined || name === undefined) return evidence;
  const { group, kind } = names;
  const namespace = stringIn(reference.namespace) ?? author.name.split('/', 1)[0] ?? '';
  const object = find({ group, kind, namespace, name });
  const subject = `${kind} ${namespace}/${name}`;
  if (object === undefined) {
    const because = `it names ${subject}, which is not in this input`;
    return { ...evidence, state: 'unknown', strength: 'unknown', because };
  }
  const deciding = { ...evidence, rules: { ...evidence.rules, [subject]: specOf(object) } };
  const decided = fieldStates(factsOf({ group, kind })?.fields ?? [], specOf(object), holds).get(concern);
  const strength = weakest([evidence.strength, decided?.strength ?? 'full']);
  return strength === evidence.strength ? deciding : { ...deciding, strength, because: `${subject} decides` };
}
