import { describe, expect, it } from 'vitest';
import { attackBars, attackTable, growthOf } from './attack-table.ts';

const run = (bytes: number, apply: number, memory = 100) => ({ bytes, memory, stages: { issues: 1, apply } });
const quadratic = {
  name: 'a',
  measured: [
    { size: 100, run: run(250_000, 100) },
    { size: 200, run: run(500_000, 400) },
  ],
};
const tooLarge = { name: 'b', measured: [{ size: 1, run: run(1_200_000, 9_000, 900) }] };
const failed = { name: 'c', measured: [{ size: 1, run: undefined }] };

describe('growthOf', () => {
  it('is the growth of the worst stage as a power of the size', () => {
    expect(growthOf(quadratic.measured)).toBe('n^2.0');
  });

  it('is absent for stages that take almost no time', () => {
    expect(
      growthOf([
        { size: 1, run: run(1, 1) },
        { size: 2, run: run(2, 20) },
      ]),
    ).toBe('');
  });
});

describe('attackTable', () => {
  it('has a row for the largest input of each attack, the worst first', () => {
    const [, , first, second, third] = attackTable([quadratic, failed, tooLarge], 10).split('\n');
    expect(first).toContain('failed');
    expect(second).toContain('| b ');
    expect(third?.split(/ *\| */).slice(1, -1)).toEqual(['a', '500 kB', 'apply', '40', 'n^2.0', '100']);
  });

  it('has only the attacks with the most CPU, if it is to have fewer', () => {
    const attacks = Array.from({ length: 5 }, (_, index) => ({
      name: `attack ${index}`,
      measured: [{ size: 1, run: run(1, 100 + index) }],
    }));
    const [, , ...rows] = attackTable(attacks, 10, 3).split('\n');
    expect(rows).toHaveLength(3);
    expect(rows[0]).toContain('attack 4');
  });
});

describe('attackBars', () => {
  it('take the worst of the inputs of at most 1 MB', () => {
    expect(attackBars([quadratic, tooLarge], 10).map(({ value }) => value)).toEqual([40, 100]);
  });

  it('are missed by inputs that fail', () => {
    expect(attackBars([failed], 10).every(({ value, limit }) => value > limit)).toBe(true);
  });
});
