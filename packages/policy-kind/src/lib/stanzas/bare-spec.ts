import { atomic, type Stanza } from '@policy-machinery/merge';
import { formatPointer, type JsonObject } from '@policy-machinery/resource';
import type { StanzaReader } from './stanza-reader.ts';
import {
  checkStrategies,
  chooserFor,
  type SpecOf,
  type Strategies,
  type StrategyOptions,
  strategyFields,
} from './strategy-choice.ts';

/** How a bare spec is read. */
export interface BareSpecOptions<Named extends Strategies = Strategies> extends StrategyOptions<Named> {
  /** The stanza that the spec of every policy counts as. Default: `defaults`. */
  readonly stanza?: Stanza | undefined;
}

/**
 * Returns a reader for policies with fields at the top level of the spec, next to `targetRefs`.
 *
 * @param options Strategies, and the stanza of the spec.
 * @returns The reader.
 * @throws {PolicyMachineryError} `invalid-policy-kind`, if strategies cannot be combined or do not fit.
 * @example
 * ```yaml
 * spec:
 *   targetRefs: [{ group: gateway.networking.k8s.io, kind: Gateway, name: edge }]
 *   timeout: 5s
 * ```
 */
export function bareSpec<Named extends Strategies>(options: BareSpecOptions<Named> = {}): StanzaReader<SpecOf<Named>> {
  const { strategies = { atomic }, strategyField = 'strategy', stanza = 'defaults' } = options;
  const completeOptions = { ...options, strategies };
  checkStrategies(completeOptions, [stanza]);
  const choose = chooserFor(completeOptions);
  const reserved = [...targetFields, strategyField];
  return {
    strategies,
    read(spec) {
      const selected = strategyField === false ? undefined : spec[strategyField];
      const { choice, fault } = choose(selected, [stanza]);
      const proper = without(spec, reserved);
      return {
        layers: choice === undefined ? [] : [{ ...choice, spec: proper, pointer: '/spec' }],
        faults:
          fault === undefined ? [] : [{ message: fault, pointer: formatPointer(['spec', String(strategyField)]) }],
      };
    },
    shape: {
      stanzas: [{ field: undefined, fields: {} }],
      fields: strategyFields(completeOptions, [stanza]),
      exclusive: [],
      oneOf: [],
    },
  };
}

/** The fields of every policy that do not belong to the spec proper. */
export const targetFields: readonly string[] = ['targetRef', 'targetRefs', 'targetSelectors'];

export function without(spec: JsonObject, fields: readonly (string | false)[]): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([key]) => !fields.includes(key)));
}
