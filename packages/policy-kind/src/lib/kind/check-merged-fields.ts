import type { MergeStrategy } from '@policy-machinery/merge';
import { formatPointer, type Issue, PolicyMachineryError, parsePointer } from '@policy-machinery/resource';
import type { Strategies } from '../stanzas/strategy-choice.ts';
import { type DeclaredFields, type DeclaredPlace, isWhole } from './declared-fields.ts';

/**
 * Checks that a schema suits the strategies of its kind. Schemas that do not declare their fields are not checked.
 *
 * @returns Warnings about fields that are merged one by one, although each policy must set them, or although they have a default: no policy ever inherits
 * the former, and none gets the latter.
 * @throws {PolicyMachineryError} `invalid-policy-kind`, if a strategy has a rule for a field that the schema does not have, or a key that the items of a
 * list lack.
 */
export function checkMergedFields(kind: string, fields: DeclaredFields, strategies: Strategies): readonly Issue[] {
  const { spec } = fields;
  if (spec === undefined) return [];
  const issues = new Map<string, Issue>();
  for (const [name, strategy] of Object.entries(strategies)) {
    const [fault] = ruleFaults(strategy, fields, spec);
    if (fault !== undefined) {
      throw new PolicyMachineryError('invalid-policy-kind', `The strategy ${name} of ${kind} ${fault}`);
    }
    for (const issue of fieldIssues(strategy, fields, spec, []))
      issues.set(issue.message, { ...issue, resource: kind });
  }
  return [...issues.values()];
}

function ruleFaults({ rules = {} }: MergeStrategy, fields: DeclaredFields, spec: DeclaredPlace): readonly string[] {
  return Object.entries(rules).flatMap(([pointer, rule]) => {
    let place: DeclaredPlace = spec;
    for (const [depth, key] of parsePointer(pointer).entries()) {
      const next = fields.below(place, key);
      if (next === 'open') return [];
      if (next === 'missing') return [absence(pointer, depth, fields.namesAt(place))];
      place = next;
    }
    return typeof rule === 'object' && 'keys' in rule ? keyFaults(rule.keys, fields, place, pointer) : [];
  });
}

function absence(pointer: string, depth: number, names: readonly string[]): string {
  const place = depth === 0 ? 'the spec' : formatPointer(parsePointer(pointer).slice(0, depth));
  const remedy =
    names.length === 0 ? `${place} does not have fields` : `the fields of ${place} are ${names.join(', ')}`;
  return `has a rule for ${pointer}, which is not in the schema; ${remedy}`;
}

function keyFaults(keys: readonly string[], fields: DeclaredFields, list: DeclaredPlace, pointer: string) {
  const item = fields.below(list, '*');
  if (typeof item === 'string') return [];
  const names = fields.namesAt(item).join(', ');
  return keys
    .filter((key) => fields.below(item, key) === 'missing')
    .map((key) => `merges the items of ${pointer} by ${key}, which they do not have; use one of ${names}`);
}

function fieldIssues(
  strategy: MergeStrategy,
  fields: DeclaredFields,
  place: DeclaredPlace,
  path: readonly string[],
): readonly Issue[] {
  if (!mergesBelow(strategy, path) || path.length > maxDepth) return [];
  return fields.namesAt(place).flatMap((name) => {
    const [field, fieldPath] = [fields.below(place, name), [...path, name]];
    if (typeof field === 'string') return [];
    if (!isWhole(field) && mergesBelow(strategy, fieldPath)) return fieldIssues(strategy, fields, field, fieldPath);
    const pointer = formatPointer(fieldPath);
    if (field.some((schema) => schema.default !== undefined)) {
      const message = `no policy gets the default of ${pointer}, because it would count as set; remove the default from the schema`;
      return [{ code: 'unused-default', severity: 'warning', message }];
    }
    if (path.length > 0 || !isRequired(place, name)) return [];
    const message = `each policy must set ${pointer}, so no policy inherits it; make it optional in the schema`;
    return [{ code: 'required-field', severity: 'warning', message }];
  });
}

/** Schemas may contain themselves. */
const maxDepth = 16;

/** Returns whether all values must have a field. Branches of a union may differ. */
function isRequired(place: DeclaredPlace, name: string): boolean {
  const isUnion = place.some(({ anyOf, oneOf }) => anyOf !== undefined || oneOf !== undefined);
  return !isUnion && place.some(({ required }) => Array.isArray(required) && required.includes(name));
}

/** Returns whether a strategy merges the fields of the value at a path one by one. */
function mergesBelow({ granularity, unitAt }: MergeStrategy, path: readonly string[]): boolean {
  if (unitAt === undefined) return granularity === 'Patch';
  return granularity !== 'Atomic' && unitAt([...path, '*']) > path.length;
}
