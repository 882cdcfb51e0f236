import { PolicyMachineryError } from './issue.ts';
import { isJsonObject } from './json.ts';

/** One condition on labels. `Gt` and `Lt` compare integers; Kubernetes knows them in the string form only. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  readonly values?: readonly string[];
}

/** A label selector as resources write it. All of its conditions must hold; an empty one selects everything. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelRequirement[];
}

/**
 * Tells whether a selector selects an object with these labels, by the rules of Kubernetes: an absent selector selects
 * nothing, an empty one everything, and `NotIn` also selects objects without the label.
 *
 * @param selector The selector. It may come from a resource that nobody has validated.
 * @param labels The labels of the object. Default none.
 * @returns Whether the object is selected.
 * @throws {PolicyMachineryError} `invalid-selector`, when a condition is malformed, whatever the labels are.
 * @example
 * ```ts
 * matchesSelector({ matchLabels: { env: 'prod' } }, { env: 'prod', team: 'cart' }); // true
 * ```
 */
export function matchesSelector(
  selector: LabelSelector | null | undefined,
  labels?: Readonly<Record<string, string>> | null,
): boolean {
  if (selector === null || selector === undefined) return false;
  let isSelected = true;
  const { equalities, expressions } = conditionsOf(selector);
  for (const key of Object.keys(equalities)) {
    const value = equalities[key];
    if (typeof value !== 'string') throw invalidSelector(`"${key}": its values are no list of strings; quote them`);
    isSelected &&= labelIn(labels, key) === value;
  }
  for (const expression of expressions) {
    const { key, operator, values = [] } = requirementIn(expression);
    isSelected &&= operators[operator].holds(labelIn(labels, key), values);
  }
  return isSelected;
}

function labelIn(labels: Readonly<Record<string, string>> | null | undefined, key: string): string | undefined {
  return labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
}

interface Operator {
  readonly takes: string;
  readonly accepts: (values: readonly string[]) => boolean;
  readonly holds: (value: string | undefined, values: readonly string[]) => boolean;
}

const some = { takes: 'at least one value', accepts: (values: readonly string[]) => values.length > 0 };
const none = { takes: 'no values', accepts: (values: readonly string[]) => values.length === 0 };
const oneInteger = {
  takes: 'one integer',
  accepts: ([value = '', ...more]: readonly string[]) => isInteger(value) && more.length === 0,
};

const isInteger = (text: string): boolean => /^-?\d+$/.test(text);

const operators: Readonly<Record<LabelRequirement['operator'], Operator>> = {
  In: { ...some, holds: (value, values) => value !== undefined && values.includes(value) },
  NotIn: { ...some, holds: (value, values) => value === undefined || !values.includes(value) },
  Exists: { ...none, holds: (value) => value !== undefined },
  DoesNotExist: { ...none, holds: (value) => value === undefined },
  Gt: { ...oneInteger, holds: (value, [bound = '']) => isInteger(value ?? '') && BigInt(value ?? '') > BigInt(bound) },
  Lt: { ...oneInteger, holds: (value, [bound = '']) => isInteger(value ?? '') && BigInt(value ?? '') < BigInt(bound) },
};

function conditionsOf(selector: LabelSelector) {
  if (!isJsonObject(selector)) throw invalidSelector('it is no object');
  const matchLabels: unknown = selector.matchLabels ?? {};
  const matchExpressions: unknown = selector.matchExpressions ?? [];
  if (!isJsonObject(matchLabels)) throw invalidSelector('matchLabels is no object');
  if (!Array.isArray(matchExpressions)) throw invalidSelector('matchExpressions is no list');
  return { equalities: matchLabels, expressions: matchExpressions as readonly unknown[] };
}

function requirementIn(value: unknown): LabelRequirement {
  if (!isJsonObject(value) || typeof value.key !== 'string') throw invalidSelector('a condition has no key');
  const { key, operator, values } = value as Partial<LabelRequirement> & { readonly key: string };
  if (operator === undefined || !Object.hasOwn(operators, operator)) {
    throw invalidSelector(`"${key}": its operator is not one of ${Object.keys(operators).join(', ')}`);
  }
  const texts: unknown = values ?? [];
  if (!Array.isArray(texts) || texts.some((text) => typeof text !== 'string')) {
    throw invalidSelector(`"${key}": its values are no list of strings; quote them`);
  }
  const { accepts, takes } = operators[operator];
  if (!accepts(texts)) throw invalidSelector(`"${key}": ${operator} takes ${takes}`);
  return { key, operator, values: texts };
}

/** The error for a selector that cannot be understood. */
export function invalidSelector(message: string): PolicyMachineryError {
  return new PolicyMachineryError('invalid-selector', `Invalid label selector: ${message}`);
}
