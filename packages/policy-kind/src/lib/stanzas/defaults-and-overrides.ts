import { atomic, type Stanza } from '@policy-machinery/merge';
import { formatPointer, isJsonObject, type JsonObject } from '@policy-machinery/resource';
import { targetFields, without } from './bare-spec.ts';
import { clashes, type Found, type Place, partsOf } from './stanza-clashes.ts';
import type { Fault, LayerReading, StanzaReader } from './stanza-reader.ts';
import { shapeOf } from './stanza-shapes.ts';
import { checkStrategies, chooserFor, type Strategies, type StrategyOptions } from './strategy-choice.ts';

/** Options for `defaults` and `overrides`. */
export interface DefaultsAndOverridesOptions<Named extends Strategies = Strategies> extends StrategyOptions<Named> {
  /** How the stanzas are spelled: `defaults`/`overrides` (the default), `default`/`override`, or either. */
  readonly spelling?: 'plural' | 'singular' | 'either';
  /**
   * Which stanzas one policy may have together:
   * - `single` (default): one of defaults, overrides and a bare spec, as in current GEP-713.
   * - `defaults-and-overrides`: both stanzas, or a bare spec; the older GEP-713.
   * - `all`: all three, applied as defaults, bare spec, overrides; Kuadrant's first draft.
   */
  readonly together?: 'single' | 'defaults-and-overrides' | 'all';
  /** Whether each policy must have at least one stanza, as the policy attachment reference requires. Default no. */
  readonly requireStanza?: boolean;
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
 * Returns a reader for policies whose fields are in `defaults` or `overrides`, or bare at the top level of the spec. A bare
 * spec counts as defaults. The strategy is selected in the stanza or next to it.
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
): StanzaReader {
  const { strategies = { atomic }, strategyField = 'strategy', spelling = 'plural', together = 'single' } = options;
  const { requireStanza = false } = options;
  const known = { ...options, strategies };
  checkStrategies(known, ['defaults', 'overrides']);
  const wrappers = spelling === 'either' ? [...spellings.plural, ...spellings.singular] : spellings[spelling];
  const reserved = [...targetFields, ...wrappers.map(([field]) => field), strategyField];
  const selectedIn = (value: JsonObject) => (strategyField === false ? undefined : (value[strategyField] ?? undefined));

  const placeOf = (field: string | undefined, stanzas: readonly Stanza[]): Place => {
    const path = field === undefined ? [] : [field];
    const within = chooserFor(known, stanzas, [...path, strategyField].join('.'));
    const beside = chooserFor(known, stanzas, String(strategyField));
    return { field, stanzas, pointer: formatPointer(['spec', ...path]), within, beside };
  };
  const bare = placeOf(undefined, ['defaults', 'overrides']);
  const places = wrappers.map(([field, stanza]) => ({ field, place: placeOf(field, [stanza]) }));

  const addLayer = (layers: LayerReading[], spec: JsonObject, { place, value }: Found, faults: Fault[]): void => {
    const { field, pointer, within, beside } = place;
    if (!isJsonObject(value)) {
      faults.push({ message: `${field} must be an object with the fields of the policy`, pointer });
      return;
    }
    const outer = selectedIn(spec);
    const inner = field === undefined ? undefined : selectedIn(value);
    const { choice, fault } = inner === undefined && outer !== undefined ? beside(outer) : within(inner);
    const selection = () => (inner === undefined ? '/spec' : pointer) + formatPointer([String(strategyField)]);
    if (inner !== undefined && outer !== undefined && inner !== outer) {
      const message = `two strategies are selected, one in ${field} and one next to it; keep one`;
      faults.push({ message, pointer: selection() });
    } else if (fault !== undefined) {
      faults.push({ message: fault, pointer: choice === undefined ? pointer : selection() });
    }
    const proper = field === undefined ? value : without(value, [strategyField]);
    if (choice !== undefined) layers.push({ ...choice, spec: proper, pointer });
  };

  return {
    strategies,
    read(spec) {
      const wrapped: Found[] = [];
      for (const { field, place } of places) {
        const value = spec[field];
        if (value !== undefined && value !== null) wrapped.push({ place, value });
      }
      const proper = without(spec, reserved);
      const isBare = wrapped.length === 0 || Object.keys(proper).length > 0;
      const faults = clashes(wrapped, proper, together);
      if (requireStanza && wrapped.length === 0) {
        const names = wrappers.map(([field]) => field).join(' or ');
        faults.push({ message: `has no stanza; put its fields into ${names}`, pointer: '/spec' });
      }
      // Misplaced fields are reported only as misplaced.
      const unwrapped = isBare && faults.length === 0 ? [{ place: bare, value: proper }] : [];
      const layers: LayerReading[] = [];
      for (const part of [...partsOf('defaults', wrapped), ...unwrapped, ...partsOf('overrides', wrapped)]) {
        addLayer(layers, spec, part, faults);
      }
      return { layers, faults };
    },
    shape: shapeOf(wrappers, { ...known, together, requireStanza }),
  };
}
