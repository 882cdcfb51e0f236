import { PolicyMachineryError } from './issue.ts';

/** One condition on labels. `Gt` and `Lt` compare integers and are known to the string form only. */
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

type Labels = Readonly<Record<string, string>>;

/**
 * Tells whether a selector selects an object with these labels, by the rules of Kubernetes: an absent selector selects
 * nothing, an empty one everything, and `NotIn` also selects objects without the label.
 *
 * @param selector The selector.
 * @param labels The labels of the object. Default none.
 * @returns Whether the object is selected.
 * @throws {PolicyMachineryError} `invalid-selector`, when a condition is malformed.
 * @example
 * ```ts
 * matchesSelector({ matchLabels: { env: 'prod' } }, { env: 'prod', team: 'cart' }); // true
 * ```
 */
export function matchesSelector(selector: LabelSelector | null | undefined, labels: Labels = {}): boolean {
  if (selector === null || selector === undefined) return false;
  return requirementsOf(selector).every((requirement) => meets(requirement, labels));
}

function requirementsOf(selector: LabelSelector): readonly LabelRequirement[] {
  const equalities = Object.entries(selector.matchLabels ?? {}).map(
    ([key, value]): LabelRequirement => ({ key, operator: 'In', values: [value] }),
  );
  return [...equalities, ...(selector.matchExpressions ?? [])];
}

function meets({ key, operator, values = [] }: LabelRequirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  const takesValues = operator !== 'Exists' && operator !== 'DoesNotExist';
  if (takesValues !== values.length > 0) {
    throw invalid(`"${key}": ${operator} takes ${takesValues ? 'at least one value' : 'no values'}`);
  }
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
    case 'Lt': {
      const [bound = ''] = values;
      if (values.length > 1 || !isInteger(bound)) throw invalid(`"${key}": ${operator} takes one integer`);
      if (value === undefined || !isInteger(value)) return false;
      return operator === 'Gt' ? BigInt(value) > BigInt(bound) : BigInt(value) < BigInt(bound);
    }
    default:
      throw invalid(`"${key}": operator "${String(operator)}" is not one of In, NotIn, Exists, DoesNotExist`);
  }
}

const isInteger = (text: string): boolean => /^-?\d+$/.test(text);

/** A label key: an optional DNS subdomain and a slash, then a name. */
const key = String.raw`(?:[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?\/)?[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?`;
const value = String.raw`(?:[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?)?`;

/** The string grammar as a table: each form of a requirement, and what it means. Tried in this order. */
const forms: readonly [RegExp, (key: string, value: string) => LabelRequirement][] = [
  [new RegExp(`^(${key})\\s+in\\s*\\((.*)\\)$`), (key, set) => ({ key, operator: 'In', values: valuesIn(set) })],
  [new RegExp(`^(${key})\\s+notin\\s*\\((.*)\\)$`), (key, set) => ({ key, operator: 'NotIn', values: valuesIn(set) })],
  [new RegExp(`^(${key})\\s*==?\\s*(${value})$`), (key, value) => ({ key, operator: 'In', values: [value] })],
  [new RegExp(`^(${key})\\s*!=\\s*(${value})$`), (key, value) => ({ key, operator: 'NotIn', values: [value] })],
  [new RegExp(`^(${key})\\s*>\\s*(-?\\d+)$`), (key, value) => ({ key, operator: 'Gt', values: [value] })],
  [new RegExp(`^(${key})\\s*<\\s*(-?\\d+)$`), (key, value) => ({ key, operator: 'Lt', values: [value] })],
  [new RegExp(`^(${key})$`), (key) => ({ key, operator: 'Exists' })],
  [new RegExp(`^!\\s*(${key})$`), (key) => ({ key, operator: 'DoesNotExist' })],
];

/**
 * Reads the string form of a selector, as in `kubectl get -l`: `env=prod,tier in (web, api),!canary`.
 *
 * @param text Requirements, separated by commas. An empty text selects everything.
 * @returns The selector.
 * @throws {PolicyMachineryError} `invalid-selector`, naming the requirement that cannot be read.
 */
export function parseSelector(text: string): LabelSelector {
  if (text.trim() === '') return {};
  return { matchExpressions: splitOutsideParentheses(text).map(parseRequirement) };
}

function parseRequirement(text: string): LabelRequirement {
  for (const [form, requirement] of forms) {
    const match = form.exec(text);
    if (match !== null) return requirement(match[1] ?? '', match[2] ?? '');
  }
  throw invalid(
    `"${text}" is not of the form key, !key, key=value, key!=value, key in (a,b), key notin (a,b), key>1, key<1`,
  );
}

function splitOutsideParentheses(text: string): string[] {
  return text.split(/,(?![^()]*\))/).map((part) => part.trim());
}

function valuesIn(set: string): string[] {
  const values = set.split(',').map((part) => part.trim());
  const wrong = values.find((part) => !new RegExp(`^${value}$`).test(part));
  if (wrong !== undefined) throw invalid(`"${wrong}" is no label value`);
  return values;
}

function invalid(message: string): PolicyMachineryError {
  return new PolicyMachineryError('invalid-selector', `Invalid label selector: ${message}`);
}
