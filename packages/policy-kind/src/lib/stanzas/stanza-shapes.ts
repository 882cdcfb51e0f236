import type { Stanza } from '@policy-machinery/merge';
import type { SpecShape } from './spec-shape.ts';
import { chooseStrategy, type StrategyOptions, strategyFields } from './strategy-choice.ts';

type Wrapper = readonly [field: string, stanza: Stanza];

/** Which stanzas may occur together, as in `defaultsAndOverrides`. */
interface Rules extends StrategyOptions {
  readonly together: 'single' | 'defaults-and-overrides' | 'all';
  readonly requireStanza: boolean;
}

/** Returns the shape of specs with `defaults` and `overrides`, given the names of their fields. */
export function shapeOf(allWrappers: readonly Wrapper[], { together, requireStanza, ...options }: Rules): SpecShape {
  const wrappers = allWrappers.filter(
    ([, stanza]) => chooseStrategy(options, undefined, [stanza]).choice !== undefined,
  );
  const fields = wrappers.map(([field]) => field);
  const bare = requireStanza && together !== 'all' ? [] : [undefined];
  const spellings = (['defaults', 'overrides'] as const)
    .map((stanza) => wrappers.flatMap(([field, of]) => (of === stanza ? [field] : [])))
    .filter(({ length }) => length > 1);
  const exclusive = {
    single: [[...bare, ...fields]],
    'defaults-and-overrides': [...bare.flatMap((top) => fields.map((field) => [top, field])), ...spellings],
    all: spellings,
  };
  return {
    stanzas: [
      ...bare.map((field) => ({ field, fields: {} })),
      ...wrappers.map(([field, stanza]) => ({ field, fields: strategyFields(options, [stanza]) })),
    ],
    fields: strategyFields(options, ['defaults', 'overrides']),
    exclusive: exclusive[together],
    oneOf: requireStanza ? fields : [],
  };
}
