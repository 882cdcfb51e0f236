import { isJsonObject, type JsonObject, type JsonValue, objectsIn } from '@policy-machinery/resource';
import type { UsageError } from '../model/usage-error.ts';
import type { PolicyTestCase, YamlPath } from './case.ts';

/** The fields that a case can have, by the field that determines its type. */
const fieldsOf = {
  target: ['target', 'policy', 'via', 'spec', 'exactly', 'setBy'],
  outcome: ['outcome'],
  request: ['request', 'takenBy', 'meets'],
  change: ['change', 'then'],
} as const;

type Type = keyof typeof fieldsOf;

/**
 * Reads the cases of a list.
 *
 * @param list The value to read, which should be a list of cases.
 * @param path The path of the list in the file.
 * @param fail Returns an error that names a position in the file.
 * @returns The cases.
 * @throws {UsageError} If a case does not have the documented form.
 */
export function readCases(
  list: JsonValue | undefined,
  path: YamlPath,
  fail: (path: YamlPath, message: string) => UsageError,
): readonly PolicyTestCase[] {
  if (!Array.isArray(list)) throw fail(path, 'must be a list of cases');
  return list.map((value: JsonValue, index) => {
    const at = [...path, index];
    if (!isJsonObject(value)) throw fail(at, 'must be a case: an object with target, outcome, request or change');
    return readCase(value, at, (more, message) => fail([...at, ...more], message));
  });
}

type Fail = (path: YamlPath, message: string) => UsageError;

export function isTexts(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

function readCase(value: JsonObject, path: YamlPath, fail: Fail): PolicyTestCase {
  const types = (Object.keys(fieldsOf) as Type[]).filter((type) => value[type] !== undefined);
  const [type] = types;
  if (type === undefined || types.length > 1) {
    throw fail([], 'a case has exactly one of target, outcome, request and change');
  }
  const allowed: readonly string[] = ['name', ...fieldsOf[type]];
  const unknown = Object.keys(value).find((key) => !allowed.includes(key));
  if (unknown !== undefined) throw fail([unknown], `is unknown beside ${type}; a case has ${allowed.join(', ')}`);
  const expects = readers[type](value, fail, path);
  return { name: typeof value.name === 'string' ? value.name : defaultName(value, type), path, expects };
}

/** Returns the name of a case without one. */
function defaultName(value: JsonObject, type: Type): string {
  const subject = value[type];
  if (typeof subject === 'string') return typeof value.policy === 'string' ? `${value.policy} of ${subject}` : subject;
  const { policy, url } = isJsonObject(subject) ? subject : {};
  return `${type} ${String(policy ?? url ?? '')}`.trim();
}

type Reader = (value: JsonObject, fail: Fail, path: YamlPath) => PolicyTestCase['expects'];

const readers: Readonly<Record<Type, Reader>> = {
  target(value, fail) {
    const { spec, via, exactly = false, setBy = {} } = value;
    if (spec !== undefined && spec !== null && !isJsonObject(spec)) throw fail(['spec'], 'must be an object, or null');
    if (typeof exactly !== 'boolean') throw fail(['exactly'], 'must be true or false');
    const [target, policy] = [textIn(value, 'target', fail), textIn(value, 'policy', fail)];
    return {
      type: 'target',
      target,
      policy,
      ...(via === undefined ? {} : { via: textIn(value, 'via', fail) }),
      ...(spec === undefined ? {} : { spec }),
      isExact: exactly,
      setBy: textsIn(setBy, (path, message) => fail(['setBy', ...path], message)),
    };
  },
  outcome(value, fail) {
    const outcome = objectIn(value, 'outcome', ['policy', 'is'], fail);
    const within: Fail = (path, message) => fail(['outcome', ...path], message);
    return { type: 'outcome', policy: textIn(outcome, 'policy', within), is: textIn(outcome, 'is', within) };
  },
  request(value, fail) {
    const request = objectIn(value, 'request', ['url', 'method', 'headers'], fail);
    const within: Fail = (path, message) => fail(['request', ...path], message);
    const headers = textsIn(request.headers ?? {}, (path, message) => within(['headers', ...path], message));
    const { takenBy, meets = {} } = value;
    if (!isJsonObject(meets)) throw fail(['meets'], 'must have specs by policy kind');
    const notAnObject = Object.keys(meets).find((kind) => !isJsonObject(meets[kind]));
    if (notAnObject !== undefined) throw fail(['meets', notAnObject], 'must be a spec, {} for any');
    return {
      type: 'request',
      url: textIn(request, 'url', within),
      ...(request.method === undefined ? {} : { method: textIn(request, 'method', within) }),
      headers: Object.entries(headers).map(([name, text]) => `${name}: ${text}`),
      ...(takenBy === undefined ? {} : { takenBy: takenBy === null ? null : textIn(value, 'takenBy', fail) }),
      meets: meets as Readonly<Record<string, JsonObject>>,
    };
  },
  change(value, fail, path) {
    const change = objectIn(value, 'change', ['remove', 'apply'], fail);
    const { remove = [], apply = [] } = change;
    if (!isTexts(remove)) throw fail(['change', 'remove'], 'must be a list of names, such as RetryPolicy shop/careful');
    if (!Array.isArray(apply) || objectsIn(apply).length !== apply.length) {
      throw fail(['change', 'apply'], 'must be a list of objects');
    }
    const cases = readCases(value.then, [...path, 'then'], (at, message) => fail(at.slice(path.length), message));
    if (cases.length === 0) throw fail(['then'], 'expects nothing; add a case');
    const nested = cases.find(({ expects }) => expects.type === 'change');
    if (nested !== undefined)
      throw fail(nested.path.slice(path.length), 'a change cannot be in another one; write both into one');
    return { type: 'change', remove, apply: objectsIn(apply), cases };
  },
};

function objectIn(value: JsonObject, key: string, keys: readonly string[], fail: Fail): JsonObject {
  const inner = value[key];
  if (!isJsonObject(inner)) throw fail([key], `must be an object with ${keys.join(', ')}`);
  const unknown = Object.keys(inner).find((each) => !keys.includes(each));
  if (unknown !== undefined) throw fail([key, unknown], `is unknown; ${key} has ${keys.join(', ')}`);
  return inner;
}

function textIn(value: JsonObject, key: string, fail: Fail): string {
  const text = value[key];
  if (typeof text !== 'string' || text === '') throw fail([key], 'must be a text');
  return text;
}

function textsIn(value: JsonValue, fail: Fail): Readonly<Record<string, string>> {
  if (!isJsonObject(value)) throw fail([], 'must be an object with texts');
  return Object.fromEntries(Object.keys(value).map((key) => [key, textIn(value, key, fail)]));
}
