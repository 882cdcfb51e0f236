import { isJsonObject, type JsonValue } from '@policy-machinery/resource';

/**
 * Formats a value of a field in one line, as YAML.
 *
 * @param value The value; `undefined` is `null`.
 * @returns A string unchanged, and everything else in the flow style of YAML: `[{ name: a,
 * uri: https://a.example.com }]`.
 */
export function formatValue(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : flow(value ?? null);
}

function flow(value: JsonValue): string {
  if (typeof value === 'string') return isPlain(value) ? value : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, each]) => `${flow(key)}: ${flow(each)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Words that are not strings in YAML 1.1 or 1.2 without quotes. */
const reserved = /^(?:null|true|false|yes|no|on|off|y|n|~|\.inf|\.nan)$/i;

/** Returns whether a string is the same without quotes in a list or a map of YAML. */
function isPlain(text: string): boolean {
  if (/^\d+(?:ms|[smhd])$/.test(text)) return true;
  return /^[A-Za-z_/](?:[\w/.@+=~%^*()?!;$<> -]|:(?=[\w/.]))*$/.test(text) && !/ $/.test(text) && !reserved.test(text);
}
