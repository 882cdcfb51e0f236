import { atomic, type Stanza } from '@policy-machinery/merge';
import { formatPointer, isJsonObject, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import { targetFields, without } from './bare-spec.ts';
import type { Block, Fault, StanzaReader } from './stanza-reader.ts';
import { checkStrategies, chooseStrategy, type StrategyOptions } from './strategy-choice.ts';

/** How `defaults` and `overrides` are read. */
export interface DefaultsAndOverridesOptions extends StrategyOptions {
  /** How the stanzas are spelled: `defaults`/`overrides`, `default`/`override`, or either (the default). */
  readonly spelling?: 'plural' | 'singular' | 'either';
  /**
   * What may stand together in one policy:
   * - `single` (default): one of defaults, overrides and a bare spec, as current GEP-713 has it.
   * - `defaults-and-overrides`: both stanzas, or a bare spec; the older GEP-713.
   * - `all`: all three, applied as defaults, bare spec, overrides; Kuadrant's first draft.
   */
  readonly together?: 'single' | 'defaults-and-overrides' | 'all';
}

const spellings = {
  plural: [
    ['defaults', 'defaults'],
    ['overrides', 'overrides'],
  ],
  singular: [
    ['default', 'defaults'],
    ['override', 'overrides'],
  ],
} as const satisfies Record<string, readonly (readonly [string, Stanza])[]>;

interface Found {
  readonly field: string | undefined;
  readonly stanzas: readonly Stanza[];
  readonly value: JsonValue;
}

/**
 * The fields that set the policy are in `defaults` or `overrides`, or bare at the top of the spec; a bare spec counts as
 * defaults (M-22, M-23). The strategy is selected in the stanza or beside it.
 *
 * @param options Strategies, spelling, and what may stand together.
 * @returns The reader.
 * @throws {PolicyMachineryError} `invalid-policy-kind`, for strategies that cannot be combined.
 * @example
 * ```yaml
 * spec:
 *   targetRefs: [{ group: gateway.networking.k8s.io, kind: Gateway, name: edge }]
 *   overrides:
 *     strategy: patch
 *     timeout: 5s
 * ```
 */
export function defaultsAndOverrides(options: DefaultsAndOverridesOptions = {}): StanzaReader {
  const { strategies = { atomic }, defaultStrategy, strategyField = 'strategy' } = options;
  const { spelling = 'either', together = 'single' } = options;
  checkStrategies({ strategies, ...(defaultStrategy === undefined ? {} : { defaultStrategy }) });
  const wrappers = spelling === 'either' ? [...spellings.plural, ...spellings.singular] : spellings[spelling];
  const reserved = [...targetFields, ...wrappers.map(([field]) => field), strategyField];

  const blockOf = (spec: JsonObject, { field, stanzas, value }: Found, faults: Fault[]): Block[] => {
    const path = field === undefined ? ['spec'] : ['spec', field];
    if (!isJsonObject(value)) {
      faults.push({
        message: `${field} must be an object with the fields of the policy`,
        pointer: formatPointer(path),
      });
      return [];
    }
    const [outer, inner] = strategyField === false ? [] : [spec[strategyField], value[strategyField]];
    const pointer = formatPointer([...(inner === undefined ? ['spec'] : path), String(strategyField)]);
    if (field !== undefined && inner !== undefined && outer !== undefined && inner !== outer) {
      faults.push({ message: `two strategies are selected, one in ${field} and one beside it; keep one`, pointer });
      return [];
    }
    const choice = chooseStrategy(strategies, inner ?? outer, stanzas, defaultStrategy);
    if (typeof choice === 'string') {
      faults.push({ message: choice, pointer });
      return [];
    }
    const proper = field === undefined ? without(spec, reserved) : without(value, [strategyField]);
    return [{ ...choice, spec: proper, pointer: formatPointer(path) }];
  };

  return {
    strategies,
    read(spec) {
      const wrapped = wrappers.flatMap(([field, stanza]): Found[] => {
        const value = spec[field];
        return value === undefined ? [] : [{ field, stanzas: [stanza], value }];
      });
      const isBare = wrapped.length === 0 || Object.keys(spec).some((key) => !reserved.includes(key));
      const bare: Found[] = isBare ? [{ field: undefined, stanzas: ['defaults', 'overrides'], value: spec }] : [];
      const [defaults, overrides] = (['defaults', 'overrides'] as const).map((stanza) =>
        wrapped.filter(({ stanzas }) => stanzas[0] === stanza),
      ) as [Found[], Found[]];

      const faults = clashes(defaults, overrides, bare, together);
      const found = faults.length > 0 ? [] : [...defaults, ...bare, ...overrides];
      return { blocks: found.flatMap((part) => blockOf(spec, part, faults)), faults };
    },
  };
}

/** What stands together that must not. */
function clashes(
  defaults: readonly Found[],
  overrides: readonly Found[],
  bare: readonly Found[],
  together: DefaultsAndOverridesOptions['together'],
): Fault[] {
  for (const same of [defaults, overrides]) {
    if (same.length > 1) {
      const [first, second] = same.map(({ field }) => field);
      return [
        { message: `both ${first} and ${second} are set, which mean the same; keep one`, pointer: `/spec/${second}` },
      ];
    }
  }
  const wrapped = [...defaults, ...overrides].map(({ field }) => field);
  if (together !== 'all' && bare.length > 0 && wrapped.length > 0) {
    const message = `fields stand beside ${wrapped.join(' and ')}; move them into it, or remove it`;
    return [{ message, pointer: '/spec' }];
  }
  if (together === 'single' && wrapped.length > 1) {
    const message = `both ${wrapped.join(' and ')} are set; keep one, and use a second policy for the other`;
    return [{ message, pointer: `/spec/${wrapped[1]}` }];
  }
  return [];
}
