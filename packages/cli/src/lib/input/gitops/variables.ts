import { isJsonObject, type KubernetesObject, objectIn, stringIn } from '@policy-machinery/resource';
import { hasVariableText } from './foreign.ts';

/** Kinds that are neither policies nor targets: their variables are not read. */
const unread = /^(ConfigMap|Secret|ExternalSecret|CustomResourceDefinition|HelmRelease|Kustomization)$/;

/** A text of an object that a renderer fills in. */
export interface Variable {
  /** The written text: `${SECRET_DOMAIN}`. */
  readonly text: string;
  /** Where it is, for people: `listener https`, or a path of fields. */
  readonly place: string;
}

/** Returns the first text of an object that a renderer fills in; `undefined` if it has none that matters. */
export function variableIn({ kind, metadata, spec }: KubernetesObject): Variable | undefined {
  if (unread.test(kind)) return undefined;
  const { name, namespace, labels } = metadata;
  return first({ name, namespace, labels }, ['metadata']) ?? first(objectIn(spec), []);
}

function first(value: unknown, path: readonly string[]): Variable | undefined {
  if (typeof value === 'string') {
    return hasVariableText(value) ? { text: variableOf(value), place: path.join('.') } : undefined;
  }
  if (Array.isArray(value)) {
    const entry = value.map((item, index) => [item, index] as const).find(([item]) => first(item, []) !== undefined);
    return entry && first(entry[0], itemPath(path, entry[0], entry[1]));
  }
  if (!isJsonObject(value)) return undefined;
  for (const [key, each] of Object.entries(value)) {
    const variable = first(each, [...path, key]);
    if (variable !== undefined)
      return path.at(-1)?.includes(' ') === true ? { ...variable, place: path.join('.') } : variable;
  }
  return undefined;
}

/** Returns the path of an item: of one with a name, `listener https` stands for `listeners.1`. */
function itemPath(path: readonly string[], item: unknown, index: number): readonly string[] {
  const [field = '', ...outer] = path.toReversed();
  const name = stringIn(objectIn(item).name);
  if (name === undefined || hasVariableText(name)) return [...path, String(index)];
  return [...outer.toReversed(), `${field.replace(/s$/, '')} ${name}`];
}

/** The texts that end variables, by the first character of these. */
const ends: Readonly<Record<string, string>> = { $: '}', '{': '}}', '<': '>' };

/** Returns the first variable of a text: `${A}`, `{{ .Values.a }}` or `<path:a>`. */
function variableOf(text: string): string {
  const start = text.search(/\$\{|\{\{|<[a-z]+:/);
  const end = ends[text[start] ?? ''] ?? '';
  const last = text.indexOf(end, start);
  return start < 0 || last < 0 ? text : text.slice(start, last + end.length);
}
