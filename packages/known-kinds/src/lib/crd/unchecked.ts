import { isJsonObject, type JsonObject, objectIn } from '@policy-machinery/resource';
import type { Patterns } from './patterns.ts';
import { type Rules, rulesOf } from './rules.ts';

/**
 * Returns the constraints of a schema that cannot be checked: CEL rules that use functions of Kubernetes or the former value, and patterns that
 * RE2 does not understand or would take too long for.
 *
 * @param schema A structural schema.
 * @param rules The compiled rules.
 * @param patterns The compiled patterns.
 * @returns The constraints as phrases, without duplicates: `the rule self == oldSelf`.
 */
export function uncheckedIn(schema: JsonObject, rules: Rules, patterns: Patterns): readonly string[] {
  const found = new Set<string>();
  const visit = (node: JsonObject): void => {
    for (const { rule } of rulesOf(node)) if (!rules.isKnown(rule)) found.add(`the rule ${rule}`);
    const { pattern } = node;
    if (typeof pattern === 'string' && !patterns.isKnown(pattern)) found.add(`the pattern ${pattern}`);
    const fields = Object.values(objectIn(node.properties));
    const alternatives = [node.allOf, node.anyOf, node.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
    for (const inner of [...fields, ...alternatives, node.items, node.additionalProperties, node.not]) {
      if (isJsonObject(inner)) visit(inner);
    }
  };
  visit(schema);
  return [...found];
}
