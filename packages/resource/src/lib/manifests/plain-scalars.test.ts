import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { plainKey, plainValue } from './plain-scalars.ts';

/** Texts with the JSON that kubectl reads them as, or `null` where it refuses them. */
const vectors: Record<'values' | 'keys', Record<string, Record<string, unknown> | null>> = JSON.parse(
  readFileSync(new URL('../../../vectors/kubectl-yaml.json', import.meta.url), 'utf8'),
);

/** The texts that are one plain scalar: the others begin with an indicator, or contain one. */
const isPlain = (text: string): boolean => !/^(?:[*&!|>'"%@`#[{]|[-?:]$|\.\.\.$|---)|: |:$/.test(text);

describe('plainValue', () => {
  it('reads values as kubectl does, for thousands of texts', () => {
    const texts = Object.entries(vectors.values).filter(([text]) => isPlain(text.slice(3, -1)));
    const wrong = texts.filter(([text, answer]) => {
      const value = plainValue(text.slice(3, -1));
      const isJson = typeof value !== 'number' || Number.isFinite(value);
      return answer === null ? isJson : !Object.is(value, answer.a);
    });
    expect(texts.length).toBeGreaterThan(4_000);
    expect(wrong).toEqual([]);
  });

  it('takes time that grows with the text', () => {
    expect(plainValue(`0x${'1'.repeat(1_000_000)}`)).toMatch(/^0x1/);
    expect(plainValue('1'.repeat(400))).toBe('1'.repeat(400));
  });
});

describe('plainKey', () => {
  it('reads keys as kubectl does, numbers and booleans included', () => {
    const texts = Object.entries(vectors.keys).filter(([text]) => isPlain(text.slice(0, -4)));
    const wrong = texts.filter(([text, answer]) => {
      const key = plainKey(text.slice(0, -4));
      return answer === null ? key !== undefined && key !== '<<' : !(key !== undefined && Object.hasOwn(answer, key));
    });
    expect(texts.length).toBeGreaterThan(900);
    expect(wrong).toEqual([]);
  });
});
