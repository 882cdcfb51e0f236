import { PolicyMachineryError, parsePointer } from '@policy-machinery/resource';
import { type FieldRule, type FieldStrategy, unitLength } from './field-rule.ts';
import { mergeFields, withRemovals } from './merge-fields.ts';
import type { TwoSidedStrategy } from './strategy.ts';

/** Options for merging specs field by field. */
export interface FieldWiseOptions {
  /** Objects are merged down to this depth; deeper values are replaced as wholes. Default: unlimited. */
  readonly depth?: number | undefined;
  /**
   * The merge rules for values at certain paths, regardless of the depth. The keys are JSON Pointers from the root of the spec,
   * where `*` matches any single key or index. If several match, the one with the longest literal beginning applies. Objects on the
   * way to such a path are merged. The rule for the items of a list that is merged by key is at `/list/*`: `'replace'` takes each
   * item as a whole. Default: items are merged.
   */
  readonly at?: Readonly<Record<string, FieldStrategy>> | undefined;
  /** Whether `null` removes a field, as in RFC 7386. Default: `null` is a value like others. */
  readonly nullRemoves?: boolean | undefined;
}

/**
 * Returns a strategy that merges field by field, with rules for certain paths.
 *
 * @param options The rules.
 * @returns The strategy, for defaults and for overrides.
 * @throws {TypeError} If a path is not a JSON Pointer.
 * @throws {PolicyMachineryError} `invalid-strategy`, if the depth is less than 1, which would be `atomic`, or if a list is merged by no keys.
 * @example
 * ```ts
 * fieldWise({ at: { '/labels': 'replace', '/backends': { keys: ['name'] } } });
 * ```
 */
export function fieldWise({
  depth = Number.POSITIVE_INFINITY,
  at = {},
  nullRemoves = false,
}: FieldWiseOptions = {}): TwoSidedStrategy<unknown> {
  if (depth < 1) {
    throw new PolicyMachineryError(
      'invalid-strategy',
      `The depth of a merge is ${depth}; set at least 1, or use atomic`,
    );
  }
  for (const [path, how] of Object.entries(at)) {
    if (typeof how !== 'object' || !('keys' in how) || how.keys.length > 0) continue;
    const message = `The list at ${path} needs keys to merge its items by; name at least one, or use append, union or replace`;
    throw new PolicyMachineryError('invalid-strategy', message);
  }
  const rule = ruleAt([patternsIn(at)], 0, depth, nullRemoves);
  return {
    granularity: 'Custom',
    defaults: (established, challenger) => mergeFields(established, challenger, rule),
    overrides: (established, challenger) => mergeFields(challenger, established, rule),
    unitAt: (path) => unitLength(rule, path),
    rules: at,
    ...(nullRemoves ? { withRemovals: (spec) => withRemovals(spec, rule) } : {}),
  };
}

/** Merges the top-level fields, each as a whole: kgateway's shallow merge. */
export const shallow: TwoSidedStrategy<unknown> = fieldWise({ depth: 1 });

/**
 * Returns a strategy that merges named rules, each as a whole: Kuadrant's `merge`.
 *
 * @param pointers JSON Pointers to the named rules: `/limits`, or `/rules/*` for the rules of each field of `rules`.
 * @returns The strategy. Other fields are replaced as wholes.
 * @throws {TypeError} If a path is not a JSON Pointer.
 * @example
 * ```ts
 * defaultsAndOverrides({ strategies: { atomic, merge: namedRules('/limits') } });
 * ```
 */
export function namedRules(...pointers: readonly string[]): TwoSidedStrategy<unknown> {
  return fieldWise({ depth: 1, at: Object.fromEntries(pointers.map((pointer) => [pointer, 'merge'] as const)) });
}

/** Patterns as a tree: the rule of each path, and the patterns that continue. */
interface Patterns {
  meeting?: FieldStrategy;
  readonly below: Map<string, Patterns>;
}

function patternsIn(strategies: Readonly<Record<string, FieldStrategy>>): Patterns {
  const root: Patterns = { below: new Map() };
  for (const [pointer, meeting] of Object.entries(strategies)) {
    let node = root;
    for (const key of parsePointer(pointer)) {
      const next = node.below.get(key) ?? { below: new Map() };
      node.below.set(key, next);
      node = next;
    }
    node.meeting = meeting;
  }
  return root;
}

/**
 * Returns the rule at a path, given the matching patterns, the most literal one first. If neither they nor any below them has a
 * rule, the depth decides; items of a list that is merged by key are merged.
 */
function ruleAt(
  fitting: readonly Patterns[],
  level: number,
  depth: number,
  nullRemoves: boolean,
  isItem = false,
): FieldRule {
  const stated = fitting.find(({ meeting }) => meeting !== undefined);
  const named = new Set(fitting.flatMap(({ below }) => [...below.keys()]));
  const rulesByName = new Map<string, FieldRule>();
  const strategy = stated?.meeting ?? (isItem || named.size > 0 || level < depth ? 'merge' : 'replace');
  return {
    strategy,
    nullRemoves,
    of(key) {
      const name = named.has(key) ? key : '*'; // One rule for all keys without a pattern.
      const existingRule = rulesByName.get(name);
      if (existingRule !== undefined) return existingRule;
      const next = fitting.flatMap(({ below }) => [...new Set([below.get(name), below.get('*')])]);
      const rule = ruleAt(
        next.filter((it) => it !== undefined),
        level + 1,
        depth,
        nullRemoves,
        typeof strategy === 'object' && 'keys' in strategy,
      );
      rulesByName.set(name, rule);
      return rule;
    },
  };
}
