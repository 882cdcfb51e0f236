import { describe, expect, it } from 'vitest';
import { TargetQueue } from './target-queue.ts';

const targets = Array.from({ length: 10_000 }, (_, index) => `t${index}`);
const isBad = (target: string) => Number(target.slice(1)) % 100 === 0;

describe('TargetQueue', () => {
  it('finds the 100 of 10,000 targets that make a call throw, and is through with the others in 20 calls for each of these', () => {
    const queue = new TargetQueue();
    for (const target of targets) queue.add(target);
    const done = new Set<string>();
    let calls = 0;
    for (let called = queue.takeFresh(); called.length > 0; called = queue.takeFresh()) {
      calls += 1;
      const [only = ''] = called;
      if (!called.some(isBad)) {
        for (const target of called) done.add(target);
        queue.succeeded(called);
      } else if (called.length > 1) queue.split(called);
      else queue.failed(only, 0, { isAlone: true });
    }
    expect(done.size).toBe(9900);
    expect([...queue.failing.keys()].every(isBad)).toBe(true);
    expect(queue.failing.size).toBe(100);
    expect(calls).toBeLessThan(20 * 100);
  });

  it('tries each target that fails after a separate delay, twice as long each time', () => {
    const queue = new TargetQueue();
    for (const target of ['a', 'b']) queue.add(target);
    expect(queue.takeFresh()).toEqual(['a', 'b']);
    queue.failed('a', 0);
    queue.failed('b', 0, { retryIn: 100 });
    expect(queue.takeDue(4)).toEqual([]);
    expect(queue.takeDue(5)).toEqual(['a']);
    queue.failed('a', 5);
    expect([queue.nextDue, queue.takeDue(14)]).toEqual([15, []]);
    expect(queue.takeDue(100)).toEqual(['a', 'b']);
  });

  it('calls alone for targets that have thrown, and at once for targets that have changed in the meantime', () => {
    const queue = new TargetQueue();
    for (const target of ['a', 'b', 'c']) {
      queue.add(target);
      expect(queue.takeFresh()).toEqual([target]);
      queue.failed(target, 0, { isAlone: true });
    }
    queue.add('c');
    expect(queue.takeFresh()).toEqual([]);
    expect([queue.takeDue(0), queue.takeDue(0)]).toEqual([['c'], []]);
    expect([queue.takeDue(5), queue.takeDue(5)]).toEqual([['a'], ['b']]);
  });

  it('never has a target in two calls', () => {
    const queue = new TargetQueue();
    queue.add('a');
    expect(queue.takeFresh()).toEqual(['a']);
    queue.add('a');
    expect([queue.takeFresh(), queue.takeAll()]).toEqual([[], []]);
    queue.succeeded(['a']);
    expect(queue.takeFresh()).toEqual(['a']);
  });
});
