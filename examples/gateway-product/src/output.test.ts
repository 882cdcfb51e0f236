import { readFileSync } from 'node:fs';
import { describeOutput } from '@policy-machinery/golden-output';
import { describe, expect, it } from 'vitest';
import { story } from './story.ts';

describeOutput(
  new URL('../output.golden.txt', import.meta.url),
  'says what the controller has written after each step',
  story,
);

describe('the controller', () => {
  it('takes less than 120 lines beside the declarations of its kinds', () => {
    const text = readFileSync(new URL('product.ts', import.meta.url), 'utf8');
    expect(text.split('\n').length).toBeLessThan(120);
  });
});
