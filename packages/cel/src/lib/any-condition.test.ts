import type { Condition } from '@policy-machinery/policy-kind';
import { type JsonObject, PolicyMachineryError } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { celConditions } from './cel-conditions.ts';

const { compile } = celConditions({ steps: 10_000 });
const numRuns = 500;

/** Expressions that mostly compile, and mostly go wrong on most specs. */
const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const part = tie('expression');
  const leaf = fc.constantFrom(
    'spec',
    'self',
    'x',
    'spec.a',
    'spec.b.c',
    '1',
    '2u',
    '0.5',
    '"a"',
    'null',
    'true',
    '[]',
  );
  return {
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc.tuple(fc.constantFrom('!', '-', ''), part).map(([operator, operand]) => `${operator}(${operand})`),
      fc
        .tuple(part, fc.constantFrom('+', '-', '*', '/', '==', '!=', '<', '>=', '&&', '||', 'in'), part)
        .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      fc.tuple(part, part).map(([container, key]) => `(${container})[${key}]`),
      fc.tuple(part, part, part).map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
      fc
        .tuple(part, fc.constantFrom('all', 'exists', 'exists_one', 'map', 'filter'), part)
        .map(([range, macro, body]) => `(${range}).${macro}(x, ${body})`),
      fc
        .tuple(fc.constantFrom('size', 'string', 'int', 'type'), part)
        .map(([name, argument]) => `${name}(${argument})`),
      fc.tuple(part, part).map(([key, field]) => `{${key}: ${field}, "a": [${field}]}`),
      fc.tuple(part, part).map(([text, pattern]) => `(${text}).matches(${pattern})`),
    ),
  };
});

const specs = fc.oneof(
  fc.record({ a: fc.jsonValue(), b: fc.record({ c: fc.jsonValue() }) }) as fc.Arbitrary<JsonObject>,
  fc.anything({ withNullPrototype: true, withDate: true, withBigInt: true, withMap: true }) as fc.Arbitrary<JsonObject>,
);

/** The condition, unless it is refused in the one way in which it may be. */
function compiled(text: string): Condition | undefined {
  try {
    return compile(text);
  } catch (error) {
    expect(error).toBeInstanceOf(PolicyMachineryError);
    expect(error).toHaveProperty('code', 'invalid-condition');
    return undefined;
  }
}

describe('celConditions, of any condition and spec', () => {
  it('compiles it or throws invalid-condition, and never throws afterwards', () => {
    const texts = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), expression);
    fc.assert(
      fc.property(texts, specs, (text, spec) => {
        const result = compiled(text)?.(spec);
        if (result === undefined) return;
        if ('error' in result) expect(result).toEqual({ error: expect.any(String), missing: expect.any(Boolean) });
        else expect(result).toEqual({ holds: expect.any(Boolean) });
      }),
      { numRuns },
    );
  });

  it('gives the same result for the same spec', () => {
    fc.assert(
      fc.property(expression, specs, (text, spec) => {
        const condition = compiled(text);
        expect(condition?.(spec)).toEqual(condition?.(spec));
      }),
      { numRuns },
    );
  });
});
