import { PolicyMachineryError, parsePointer } from '@policy-machinery/resource';
import { type FieldRule, type Meeting, unitLength } from './field-rule.ts';
import { mergeFields, settleRemovals } from './merge-fields.ts';
import type { TwoSidedStrategy } from './strategy.ts';

/** How specs are merged field by field. */
export interface FieldWiseOptions {
  /** How deep objects are merged; what lies deeper is replaced whole. Default: all the way. */
  readonly depth?: number;
  /**
   * What becomes of values that meet at certain paths, whatever the depth. The keys are JSON Pointers from the root of the
   * spec, in which `*` stands for any one key or index; of several that fit, the one that is literal for longer counts. Objects on
   * the way to such a path are merged.
   */
  readonly at?: Readonly<Record<string, Meeting>>;
  /** Whether `null` removes a field, as in RFC 7386. Default: it is a value like others. */
  readonly nullRemoves?: boolean;
}

/**
 * A strategy that merges field by field, by rules for certain paths. The leaf rules of the field are values of it
 * (X-11b).
 *
 * @param options The rules.
 * @returns The strategy, for defaults and for overrides.
 * @throws {TypeError} When a path is no JSON Pointer.
 * @throws {PolicyMachineryError} `invalid-strategy`, when the depth is less than 1: that is `atomic`.
 * @example
 * ```ts
 * fieldWise({ at: { '/labels': 'replace', '/backends': { keys: ['name'] } } });
 * ```
 */
export function fieldWise({
  depth = Number.POSITIVE_INFINITY,
  at = {},
  nullRemoves = false,
}: FieldWiseOptions = {}): TwoSidedStrategy {
  if (depth < 1) {
    throw new PolicyMachineryError(
      'invalid-strategy',
      `The depth of a merge is ${depth}; set at least 1, or use atomic`,
    );
  }
  const rule = ruleAt([patternsIn(at)], 0, depth, nullRemoves);
  return {
    granularity: 'Custom',
    defaults: (established, challenger) => mergeFields(established, challenger, rule),
    overrides: (established, challenger) => mergeFields(challenger, established, rule),
    unitAt: (path) => unitLength(rule, path),
    ...(nullRemoves ? { settle: (spec) => settleRemovals(spec, rule) } : {}),
  };
}

/** The top-level fields are merged, each as a whole: kgateway's shallow merge (G-07). */
export const shallow: TwoSidedStrategy = fieldWise({ depth: 1 });

/**
 * Named rules are merged, each as a whole: Kuadrant's `merge` (K-05).
 *
 * @param paths Where the rules are kept by their names: `limits`, or `rules.*` for the rules of each section of `rules`.
 * @returns The strategy. Other fields are replaced whole.
 * @example
 * ```ts
 * defaultsAndOverrides({ strategies: { atomic, merge: namedRules('limits') } });
 * ```
 */
export function namedRules(...paths: readonly string[]): TwoSidedStrategy {
  const at = Object.fromEntries(paths.map((path) => [`/${path.split('.').join('/')}`, 'merge'] as const));
  return fieldWise({ depth: 1, at });
}

/** Patterns as a tree: what they say of each path, and which lead further. */
interface Patterns {
  meeting?: Meeting;
  readonly beneath: Map<string, Patterns>;
}

function patternsIn(at: Readonly<Record<string, Meeting>>): Patterns {
  const root: Patterns = { beneath: new Map() };
  for (const [pointer, meeting] of Object.entries(at)) {
    let node = root;
    for (const key of parsePointer(pointer)) {
      const next = node.beneath.get(key) ?? { beneath: new Map() };
      node.beneath.set(key, next);
      node = next;
    }
    node.meeting = meeting;
  }
  return root;
}

/**
 * The rule at a path, given the patterns that fit it, the most literal one first. Where none says anything, nor any beneath
 * it, the depth decides.
 */
function ruleAt(fitting: readonly Patterns[], level: number, depth: number, nullRemoves: boolean): FieldRule {
  const stated = fitting.find(({ meeting }) => meeting !== undefined);
  const named = new Set(fitting.flatMap(({ beneath }) => [...beneath.keys()]));
  const known = new Map<string, FieldRule>();
  return {
    meeting: stated?.meeting ?? (named.size > 0 || level < depth ? 'merge' : 'replace'),
    nullRemoves,
    of(key) {
      const name = named.has(key) ? key : '*'; // One rule for all keys without a pattern.
      const there = known.get(name);
      if (there !== undefined) return there;
      const next = fitting.flatMap(({ beneath }) => [...new Set([beneath.get(name), beneath.get('*')])]);
      const rule = ruleAt(
        next.filter((it) => it !== undefined),
        level + 1,
        depth,
        nullRemoves,
      );
      known.set(name, rule);
      return rule;
    },
  };
}
