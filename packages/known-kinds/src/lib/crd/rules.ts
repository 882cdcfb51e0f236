import { celConditions } from '@policy-machinery/cel';
import type { Condition, ConditionLanguage, SpecFault } from '@policy-machinery/policy-kind';
import {
  formatPointer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectIn,
  objectsIn,
  stringIn,
} from '@policy-machinery/resource';

/** The result of a rule: whether the rule holds, or that it cannot be evaluated. */
export type RuleAnswer = 'holds' | 'fails' | 'unknown';

/** The CEL rules of CustomResourceDefinitions. Each is compiled once. */
export class Rules {
  readonly #compiled = new Map<string, Condition | undefined>();
  /** The answers of each rule, by its input: policies often have the same values. */
  readonly #answers = new Map<string, Map<string, RuleAnswer>>();
  #language: ConditionLanguage | undefined;

  /**
   * Evaluates a rule.
   *
   * @param rule The rule: `self.kind == 'Gateway'`.
   * @param self The value that the rule is about.
   * @returns The answer; `unknown` for rules that use functions of Kubernetes, `oldSelf`, or fields that the value does not have.
   */
  answer(rule: string, self: JsonValue): RuleAnswer {
    const read = readBy(rule, self);
    if (read.length > longestKept) return this.#evaluated(rule, self);
    const answers = this.#answers.get(rule) ?? new Map<string, RuleAnswer>();
    this.#answers.set(rule, answers);
    const known = answers.get(read);
    if (known !== undefined) return known;
    if (answers.size >= mostKept) answers.clear();
    const answer = this.#evaluated(rule, self);
    answers.set(read, answer);
    return answer;
  }

  #evaluated(rule: string, self: JsonValue): RuleAnswer {
    const result = this.#conditionOf(rule)?.({ value: self });
    if (result === undefined || 'error' in result) return 'unknown';
    return result.holds ? 'holds' : 'fails';
  }

  /** Returns whether a rule can be evaluated at all. */
  isKnown(rule: string): boolean {
    return this.#conditionOf(rule) !== undefined;
  }

  /** Returns a rule as a condition. A condition can read only `spec`, so a macro over one item gives the value the rule's name for it. */
  #conditionOf(rule: string): Condition | undefined {
    if (this.#compiled.has(rule)) return this.#compiled.get(rule);
    let condition: Condition | undefined;
    try {
      this.#language ??= celConditions(); // Most schemas do not have rules.
      condition = this.#language.compile(`[spec.value].all(self, (${rule}\n))`);
    } catch {
      condition = undefined;
    }
    this.#compiled.set(rule, condition);
    return condition;
  }
}

/** Answers are kept for this many values of each rule, and for values of this many characters. */
const mostKept = 1000;
const longestKept = 2000;

/** Returns the part of a value that a rule reads, as text: the fields that it names, or everything if it reads the value in another way. */
function readBy(rule: string, self: JsonValue): string {
  if (!isJsonObject(self) || /\bself\b(?!\.[A-Za-z]\w*\b(?!\())/.test(rule)) return JSON.stringify(self);
  return JSON.stringify(namesIn(rule).map((name) => (Object.hasOwn(self, name) ? [self[name]] : [])));
}

/** Returns the names of the fields that a rule speaks of. */
function namesIn(rule: string): readonly string[] {
  return [...new Set([...rule.matchAll(/\bself\.([A-Za-z_]\w*)/g)].map(([, name = '']) => name))];
}

export function rulesOf(schema: unknown): readonly { readonly rule: string; readonly message: string }[] {
  return objectsIn(objectIn(schema)['x-kubernetes-validations']).flatMap(({ rule, message }) => {
    const text = stringIn(rule);
    return text === undefined ? [] : [{ rule: text, message: stringIn(message)?.trim() ?? `must fulfil ${text}` }];
  });
}

/**
 * Evaluates the CEL rules of a schema, and the keys of its lists.
 *
 * @param value The value, with its defaults.
 * @param schema Its structural schema.
 * @param rules The compiled rules.
 * @param path The path to the value.
 * @returns The faults. Rules that cannot be evaluated count as held.
 */
export function* ruleFaults(
  value: JsonValue,
  schema: JsonObject,
  rules: Rules,
  path: readonly string[] = [],
): Generator<SpecFault> {
  yield* ownFaults(value, schema, rules, path);
  if (Array.isArray(value)) {
    const items = objectIn(schema.items);
    for (const [index, item] of value.entries()) yield* ruleFaults(item, items, rules, [...path, String(index)]);
  } else if (isJsonObject(value)) {
    const properties = objectIn(schema.properties);
    for (const [key, inner] of Object.entries(value)) {
      const field = Object.hasOwn(properties, key) ? properties[key] : schema.additionalProperties;
      if (isJsonObject(field)) yield* ruleFaults(inner, field, rules, [...path, key]);
    }
  }
}

/** Evaluates the CEL rules of a value itself, and the keys of a list, without the rules of its fields and items. */
export function* ownFaults(
  value: JsonValue,
  schema: JsonObject,
  rules: Rules,
  path: readonly string[],
): Generator<SpecFault> {
  for (const { rule, message } of rulesOf(schema)) {
    if (rules.answer(rule, value) === 'fails')
      yield { message, pointer: formatPointer(path), about: fieldsIn(rule, path) };
  }
  if (Array.isArray(value)) yield* repetitions(value, schema, path);
}

/** Returns the fields of the value that a rule speaks of. */
function fieldsIn(rule: string, path: readonly string[]): readonly string[] {
  return namesIn(rule).map((name) => formatPointer([...path, name]));
}

/** Returns the repeated items of a list that is a map or a set. */
function* repetitions(list: readonly JsonValue[], schema: JsonObject, path: readonly string[]): Generator<SpecFault> {
  const form = schema['x-kubernetes-list-type'];
  if (form !== 'map' && form !== 'set') return;
  const names = schema['x-kubernetes-list-map-keys'];
  const keys = Array.isArray(names) ? names.map(String) : [];
  const seen = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    const identity = form === 'set' ? item : keys.map((key) => objectIn(item)[key] ?? null);
    const text = JSON.stringify(identity);
    const first = seen.get(text);
    if (first === undefined) seen.set(text, index);
    else yield { message: `repeats item ${first}; keep one of them`, pointer: formatPointer([...path, String(index)]) };
  }
}
