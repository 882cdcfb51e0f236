import { describe, expect, it } from 'vitest';
import { BodyBudget } from './body-budget.ts';

const begun = (budget: BodyBudget, refused: string[], name: string) => budget.begin(() => void refused.push(name));

describe('the bytes of all bodies', () => {
  it('are limited: the largest body that still arrives gives way, whoever sends the last byte', () => {
    const refused: string[] = [];
    const budget = new BodyBudget(100);
    const large = begun(budget, refused, 'large');
    const small = begun(budget, refused, 'small');
    large.add(80);
    small.add(30);
    expect([refused, large.isRefused, small.isRefused]).toEqual([['large'], true, false]);
  });

  it('count until a body is answered, and a body that has arrived does not give way', () => {
    const refused: string[] = [];
    const budget = new BodyBudget(100);
    const arrived = begun(budget, refused, 'arrived');
    arrived.add(90);
    arrived.complete();
    begun(budget, refused, 'second').add(20);
    expect(refused).toEqual(['second']);
    arrived.release();
    begun(budget, refused, 'third').add(95);
    expect(refused).toEqual(['second']);
  });
});
