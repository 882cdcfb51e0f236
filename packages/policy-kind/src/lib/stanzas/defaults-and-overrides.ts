import { atomic, type Stanza } from '@policy-machinery/merge';
import { formatPointer, isJsonObject, type JsonObject } from '@policy-machinery/resource';
import { targetFields, without } from './bare-spec.ts';
import { clashes, type Found, repeated } from './stanza-clashes.ts';
import type { Fault, LayerReading, StanzaReader } from './stanza-reader.ts';
import { shapeOf } from './stanza-shapes.ts';
import { checkStrategies, chooserFor, type SpecOf, type Strategies, type StrategyOptions } from './strategy-choice.ts';

/** Options for `defaults` and `overrides`. */
export interface DefaultsAndOverridesOptions<Named extends Strategies = Strategies> extends StrategyOptions<Named> {
  /** How the stanzas are spelled: `defaults`/`overrides` (the default), `default`/`override`, or either. */
  readonly spelling?: 'plural' | 'singular' | 'either' | undefined;
  /**
   * Which stanzas one policy may have together:
   * - `single` (default): one of defaults, overrides and a bare spec, as in current GEP-713.
   * - `defaults-and-overrides`: both stanzas, or a bare spec; the older GEP-713.
   * - `all`: all three, applied as defaults, bare spec, overrides; Kuadrant's first draft.
   */
  readonly together?: 'single' | 'defaults-and-overrides' | 'all' | undefined;
  /** Whether each policy must have at least one stanza, as the policy attachment reference requires. Default no. */
  readonly requireStanza?: boolean | undefined;
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

/**
 * Returns a reader for policies with fields in `defaults` or `overrides`, or bare at the top level of the spec. A bare spec
 * counts as defaults. The strategy is selected in the stanza or next to it.
 *
 * @param options Strategies, spelling, and which stanzas may occur together.
 * @returns The reader.
 * @throws {PolicyMachineryError} `invalid-policy-kind`, if strategies cannot be combined or do not fit.
 * @example
 * ```yaml
 * spec:
 *   targetRefs: [{ group: gateway.networking.k8s.io, kind: Gateway, name: edge }]
 *   overrides:
 *     strategy: patch
 *     timeout: 5s
 * ```
 */
export function defaultsAndOverrides<Named extends Strategies>(
  options: DefaultsAndOverridesOptions<Named> = {},
): StanzaReader<SpecOf<Named>> {
  const { strategies = { atomic }, strategyField = 'strategy', spelling = 'plural', together = 'single' } = options;
  const { requireStanza = false } = options;
  const completeOptions = { ...options, strategies };
  checkStrategies(completeOptions, ['defaults', 'overrides']);
  const wrappers = spelling === 'either' ? [...spellings.plural, ...spellings.singular] : spellings[spelling];
  const reserved = [...targetFields, ...wrappers.map(([field]) => field), strategyField];
  const layerOf = layerReader(chooserFor(completeOptions), strategyField);
  return {
    strategies,
    read(spec) {
      const proper = without(spec, reserved);
      const { wrapped, defaults, overrides } = stanzasIn(spec, wrappers);
      const isBare = wrapped.length === 0 || Object.keys(proper).length > 0;
      const bare: Found[] = isBare ? [{ field: undefined, stanzas: ['defaults', 'overrides'], value: proper }] : [];
      const faults = [...repeated(defaults), ...repeated(overrides), ...clashes(wrapped, proper, together)];
      if (requireStanza && wrapped.length === 0) {
        const names = wrappers.map(([field]) => field).join(' or ');
        faults.push({ message: `needs a stanza; put its fields into ${names}`, pointer: '/spec' });
      }
      // Misplaced fields are reported only as misplaced.
      const parts = [...defaults, ...(faults.length > 0 ? [] : bare), ...overrides];
      return { layers: parts.flatMap((part) => layerOf(spec, part, faults)), faults };
    },
    shape: shapeOf(wrappers, { ...completeOptions, together, requireStanza }),
  };
}

/** Returns a function that reads the layer of one stanza. */
function layerReader(choose: ReturnType<typeof chooserFor>, strategyField: string | false) {
  const selectedIn = (value: JsonObject) => (strategyField === false ? undefined : (value[strategyField] ?? undefined));

  return (spec: JsonObject, { field, stanzas, value }: Found, faults: Fault[]): LayerReading[] => {
    const path = field === undefined ? ['spec'] : ['spec', field];
    if (!isJsonObject(value)) {
      const message = `${field} must be an object with the fields of the policy`;
      faults.push({ message, pointer: formatPointer(path) });
      return [];
    }
    const outer = selectedIn(spec);
    const inner = field === undefined ? undefined : selectedIn(value);
    const place = [...(inner === undefined ? ['spec'] : path), String(strategyField)];
    const [, ...named] = inner === undefined && outer === undefined ? [...path, String(strategyField)] : place;
    const { choice, fault } = choose(inner ?? outer, stanzas, named.join('.'));
    const isAmbiguous = inner !== undefined && outer !== undefined && inner !== outer;
    if (isAmbiguous) {
      const message = `two strategies are selected, one in ${field} and one next to it; keep one`;
      faults.push({ message, pointer: formatPointer(place) });
    } else if (fault !== undefined) {
      faults.push({ message: fault, pointer: formatPointer(choice === undefined ? path : place) });
    }
    const proper = field === undefined ? value : without(value, [strategyField]);
    return choice === undefined ? [] : [{ ...choice, spec: proper, pointer: formatPointer(path) }];
  };
}

/** Returns the stanzas of a spec in the order of the wrappers, and by their meaning. */
function stanzasIn(spec: JsonObject, wrappers: readonly (readonly [field: string, stanza: Stanza])[]) {
  const wrapped = wrappers.flatMap(([field, stanza]): Found[] => {
    const value = spec[field];
    return value === undefined || value === null ? [] : [{ field, stanzas: [stanza], value }];
  });
  const of = (stanza: Stanza) => wrapped.filter(({ stanzas }) => stanzas[0] === stanza);
  return { wrapped, defaults: of('defaults'), overrides: of('overrides') };
}
