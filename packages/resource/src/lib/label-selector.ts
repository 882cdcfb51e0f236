import { PolicyMachineryError } from './issue.ts';
import { isJsonObject } from './json.ts';

/** One condition on labels. `Gt` and `Lt` compare integers; Kubernetes supports them only in the string form. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  readonly values?: readonly string[];
}

/** A label selector as in resources. All of its conditions must hold; an empty selector selects everything. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelRequirement[];
}

/**
 * Returns whether a selector matches an object with these labels, by the rules of Kubernetes: an absent selector matches
 * nothing, an empty one matches everything, and `NotIn` also matches objects without the label.
 *
 * @param selector The selector. It may come from a resource that was never validated.
 * @param labels The labels of the object. Default none.
 * @returns Whether the object is selected.
 * @throws {PolicyMachineryError} `invalid-selector`, if a condition is malformed, for any labels.
 * @example
 * ```ts
 * matchesSelector({ matchLabels: { env: 'prod' } }, { env: 'prod', team: 'cart' }); // true
 * ```
 */
export function matchesSelector(
  selector: LabelSelector | null | undefined,
  labels?: Readonly<Record<string, string>> | null,
): boolean {
  return selectorTest(selector)(labels);
}

/** Returns whether an object with these labels is selected. */
export type SelectorTest = (labels?: Readonly<Record<string, string>> | null) => boolean;

/**
 * Prepares a selector for many objects: see {@link matchesSelector}.
 *
 * @param selector The selector. It may come from a resource that was never validated.
 * @returns The test; each call takes O(conditions), regardless of the number of values.
 * @throws {PolicyMachineryError} `invalid-selector`, if a condition is malformed.
 */
export function selectorTest(selector: LabelSelector | null | undefined): SelectorTest {
  if (selector === null || selector === undefined) return () => false;
  const conditions = readConditions(selector);
  return (labels) => conditions.every(({ key, holds }) => holds(labelIn(labels, key)));
}

/** The label with the Namespace's name, which the API server sets on each Namespace and manifests usually lack. */
export const namespaceNameLabel = 'kubernetes.io/metadata.name';

/** Returns whether a Namespace is selected, by its name and labels; `undefined` if that depends on labels that are not known. */
export type NamespaceSelectorTest = (
  name: string,
  labels: Readonly<Record<string, string>> | undefined,
) => boolean | undefined;

/**
 * Prepares a selector of Namespaces. Its name is a label of each Namespace, so conditions on the name need no other labels.
 *
 * @param selector The selector. It may come from a resource that was never validated.
 * @returns The test. `labels` are the labels of the Namespace; `undefined` if they are not known.
 * @throws {PolicyMachineryError} `invalid-selector`, if a condition is malformed.
 */
export function namespaceSelectorTest(selector: LabelSelector | null | undefined): NamespaceSelectorTest {
  if (selector === null || selector === undefined) return () => false;
  const conditions = readConditions(selector);
  const onName = conditions.filter(({ key }) => key === namespaceNameLabel);
  const others = conditions.filter(({ key }) => key !== namespaceNameLabel);
  return (name, labels) => {
    if (!onName.every(({ holds }) => holds(name))) return false;
    if (others.length === 0) return true;
    return labels && others.every(({ key, holds }) => holds(labelIn(labels, key)));
  };
}

interface LabelCondition {
  readonly key: string;
  readonly holds: (value: string | undefined) => boolean;
}

function readConditions(selector: LabelSelector): readonly LabelCondition[] {
  const { equalities, expressions } = conditionsOf(selector);
  const wanted = Object.entries<unknown>(equalities);
  for (const [key, value] of wanted) {
    if (typeof value !== 'string') throw invalidSelector(`"${key}": its values are not a list of strings; quote them`);
  }
  const equal = wanted.map(([key, value]) => ({ key, holds: (label: string | undefined) => label === value }));
  const required = expressions.map((expression) => {
    const { key, operator, values = [] } = requirementIn(expression);
    return { key, holds: operators[operator].test(values) };
  });
  return [...equal, ...required];
}

function labelIn(labels: Readonly<Record<string, string>> | null | undefined, key: string): string | undefined {
  return labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
}

interface Operator {
  readonly takes: string;
  readonly accepts: (values: readonly string[]) => boolean;
  /** Returns a test of a label against these values. */
  readonly test: (values: readonly string[]) => (value: string | undefined) => boolean;
}

const some = { takes: 'at least one value', accepts: (values: readonly string[]) => values.length > 0 };
const none = { takes: 'no values', accepts: (values: readonly string[]) => values.length === 0 };
const oneInteger = {
  takes: 'one integer',
  accepts: ([value = '', ...more]: readonly string[]) => integerIn(value) !== undefined && more.length === 0,
};

/** Parses an integer of 64 bits, as Kubernetes does. */
function integerIn(text: string | undefined): bigint | undefined {
  if (text === undefined || text.length > maxDigits || !/^-?\d+$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** The maximal length of a label. */
const maxDigits = 63;

function isAmong(values: readonly string[]): (value: string | undefined) => boolean {
  const among = new Set<string | undefined>(values);
  return (value) => among.has(value);
}

function compared(holds: (value: bigint, bound: bigint) => boolean): Operator['test'] {
  return ([text]) => {
    const bound = integerIn(text);
    return (label) => {
      const value = integerIn(label);
      return value !== undefined && bound !== undefined && holds(value, bound);
    };
  };
}

const operators: Readonly<Record<LabelRequirement['operator'], Operator>> = {
  In: { ...some, test: isAmong },
  NotIn: {
    ...some,
    test: (values) => {
      const isIn = isAmong(values);
      return (value) => !isIn(value);
    },
  },
  Exists: { ...none, test: () => (value) => value !== undefined },
  DoesNotExist: { ...none, test: () => (value) => value === undefined },
  Gt: { ...oneInteger, test: compared((value, bound) => value > bound) },
  Lt: { ...oneInteger, test: compared((value, bound) => value < bound) },
};

function conditionsOf(selector: LabelSelector) {
  if (!isJsonObject(selector)) throw invalidSelector('it is not an object');
  const matchLabels: unknown = selector.matchLabels ?? {};
  const matchExpressions: unknown = selector.matchExpressions ?? [];
  if (!isJsonObject(matchLabels)) throw invalidSelector('matchLabels is not an object');
  if (!Array.isArray(matchExpressions)) throw invalidSelector('matchExpressions is not a list');
  return { equalities: matchLabels, expressions: matchExpressions as readonly unknown[] };
}

function requirementIn(value: unknown): LabelRequirement {
  if (!isJsonObject(value) || typeof value.key !== 'string') throw invalidSelector('a condition lacks its key');
  const { key, operator, values } = value as Partial<LabelRequirement> & { readonly key: string };
  if (operator === undefined || !Object.hasOwn(operators, operator)) {
    throw invalidSelector(`"${key}": its operator is not one of ${Object.keys(operators).join(', ')}`);
  }
  const texts: unknown = values ?? [];
  if (!Array.isArray(texts) || texts.some((text) => typeof text !== 'string')) {
    throw invalidSelector(`"${key}": its values are not a list of strings; quote them`);
  }
  const { accepts, takes } = operators[operator];
  if (!accepts(texts)) throw invalidSelector(`"${key}": ${operator} takes ${takes}`);
  return { key, operator, values: texts };
}

export function invalidSelector(message: string): PolicyMachineryError {
  return new PolicyMachineryError('invalid-selector', `Invalid label selector: ${message}`);
}
