import { describe, expectTypeOf, it } from 'vitest';
import { customStrategy, type Draft } from './custom.ts';
import { trace } from './origins.ts';
import type { MergeStrategy } from './strategy.ts';

interface Spec {
  readonly headers: readonly string[];
  readonly rules: readonly { readonly name: string; readonly tags?: readonly string[] }[];
}

describe('customStrategy', () => {
  it('gives recipes a draft that can be changed, and the established spec to read', () => {
    const strategy = customStrategy<Spec>({
      defaults: (draft, established) => {
        expectTypeOf(draft.headers).toEqualTypeOf<string[]>();
        expectTypeOf(established).toEqualTypeOf<Spec>();
        draft.headers.push(...established.headers);
        draft.rules[0] = { name: 'first', tags: [] };
        // @ts-expect-error The established spec cannot be changed.
        established.headers.push('x');
        // @ts-expect-error Header names are strings.
        draft.headers.push(1);
      },
      overrides: (_, established) => established,
    });
    expectTypeOf(strategy).toEqualTypeOf<MergeStrategy<Spec>>();
  });

  it('accepts recipes that return a new spec, and no other value', () => {
    customStrategy<Spec>({ defaults: (draft) => ({ ...draft, headers: [] }) });
    // @ts-expect-error Not a spec.
    customStrategy<Spec>({ defaults: () => ({ headers: [1] }) });
    // @ts-expect-error Recipes are synchronous.
    customStrategy<Spec>({ defaults: async (draft) => draft });
  });
});

describe('Draft', () => {
  it('makes fields and lists writable, however deep, and leaves scalars as they are', () => {
    expectTypeOf<Draft<Spec>>().toEqualTypeOf<{ headers: string[]; rules: { name: string; tags?: string[] }[] }>();
    expectTypeOf<Draft<'a' | 1 | null>>().toEqualTypeOf<'a' | 1 | null>();
  });
});

describe('trace', () => {
  it('infers the type of its origins', () => {
    expectTypeOf(trace({ a: 1 }, { policy: 'x' }).origins).toExtend<object>();
    expectTypeOf<Parameters<typeof trace<URL>>[1]>().toEqualTypeOf<URL>();
    // @ts-expect-error Specs are JSON.
    trace({ when: new Date() }, 'x');
  });
});
