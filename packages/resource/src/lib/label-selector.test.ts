import { describe, expect, it } from 'vitest';
import { type LabelSelector, matchesSelector, PolicyMachineryError } from '../index.ts';
import { namespaceSelectorTest, selectorTest } from '../inner.ts';

const labels = { env: 'prod', tier: 'web', replicas: '3' };

const only = (key: string, operator: string, ...values: string[]): LabelSelector =>
  ({ matchExpressions: [{ key, operator, values }] }) as LabelSelector;

describe('matchesSelector', () => {
  it('selects nothing without a selector, and everything with an empty one', () => {
    expect(matchesSelector(undefined, labels)).toBe(false);
    expect(matchesSelector(null, labels)).toBe(false);
    expect(matchesSelector({}, labels)).toBe(true);
    expect(matchesSelector({}, undefined)).toBe(true);
    expect(matchesSelector({ matchLabels: {}, matchExpressions: [] }, null)).toBe(true);
  });

  it.each<[LabelSelector, boolean]>([
    [{ matchLabels: { env: 'prod' } }, true],
    [{ matchLabels: { env: 'prod', tier: 'api' } }, false],
    [{ matchLabels: { region: 'eu' } }, false],
    [only('env', 'In', 'dev', 'prod'), true],
    [only('env', 'In', 'dev'), false],
    [only('region', 'In', 'eu'), false],
    [only('env', 'NotIn', 'dev'), true],
    [only('env', 'NotIn', 'dev', 'prod'), false],
    [only('region', 'NotIn', 'eu'), true],
    [only('env', 'Exists'), true],
    [only('region', 'Exists'), false],
    [only('env', 'DoesNotExist'), false],
    [only('region', 'DoesNotExist'), true],
    [only('replicas', 'Gt', '2'), true],
    [only('replicas', 'Gt', '3'), false],
    [only('replicas', 'Lt', '10'), true],
    [only('replicas', 'Lt', '-10'), false],
    [only('env', 'Gt', '2'), false],
    [only('replicas', 'Lt', '9223372036854775807'), true],
    [only('region', 'Lt', '2'), false],
    [{ matchLabels: { env: 'prod' }, ...only('tier', 'NotIn', 'web') }, false],
  ])('%j selects: %s', (selector, selected) => {
    expect(matchesSelector(selector, labels)).toBe(selected);
  });

  it.each(['constructor', 'toString', '__proto__'])('knows no label %s but an own one', (key) => {
    expect(matchesSelector(only(key, 'Exists'), labels)).toBe(false);
    expect(matchesSelector(only(key, 'Exists'), JSON.parse(`{"${key}":"a"}`))).toBe(true);
  });

  it.each([
    ['In takes at least one value', only('env', 'In')],
    ['NotIn takes at least one value', only('env', 'NotIn')],
    ['Exists takes no values', only('env', 'Exists', 'a')],
    ['DoesNotExist takes no values', only('env', 'DoesNotExist', 'a')],
    ['Gt takes one integer', only('env', 'Gt', '1', '2')],
    ['Lt takes one integer', only('env', 'Lt', 'many')],
    ['Gt takes one integer', only('env', 'Gt', '9223372036854775808')],
    ['Gt takes one integer', only('env', 'Gt', '9'.repeat(1000))],
    ['its operator is not one of In, NotIn, Exists, DoesNotExist, Gt, Lt', only('env', 'in', 'a')],
    ['its operator is not one of', only('env', 'constructor')],
    ['its values are not a list of strings', { matchLabels: { env: 1 } }],
    ['its values are not a list of strings', { matchExpressions: [{ key: 'env', operator: 'In', values: 'prod' }] }],
    ['a condition lacks its key', { matchExpressions: [null] }],
    ['a condition lacks its key', { matchExpressions: [{ operator: 'Exists' }] }],
    ['matchLabels is not an object', { matchLabels: 'env=prod' }],
    ['matchExpressions is not a list', { matchExpressions: { key: 'env', operator: 'Exists' } }],
    ['it is not an object', 'env=prod'],
  ])('reports for any labels that %s: %j', (message, selector) => {
    for (const some of [labels, {}, undefined]) {
      const attempt = () => matchesSelector(selector as LabelSelector, some);
      expect(attempt).toThrow(PolicyMachineryError);
      expect(attempt).toThrow(message);
    }
  });

  it('checks every condition, even after a failing one', () => {
    const selector = { matchLabels: { env: 'dev' }, ...only('tier', 'In') };
    expect(() => matchesSelector(selector, labels)).toThrow('In takes at least one value');
  });
});

describe('selectorTest', () => {
  it('reads the values of a condition once for any number of objects', () => {
    let reads = 0;
    const values = new Proxy(
      Array.from({ length: 100 }, (_, place) => `v${place}`),
      {
        get(target, key) {
          reads += 1;
          return Reflect.get(target, key);
        },
      },
    );
    const isSelected = selectorTest({ matchExpressions: [{ key: 'k', operator: 'In', values }] });
    const once = reads;
    expect(Array.from({ length: 100 }, () => isSelected({ k: 'v99' })).every(Boolean)).toBe(true);
    expect([isSelected({ k: 'v100' }), isSelected(), reads - once]).toEqual([false, false, 0]);
  });
});

describe('namespaceSelectorTest', () => {
  const name = 'kubernetes.io/metadata.name';

  it.each<[string, object, boolean | undefined, boolean]>([
    ['no conditions', {}, true, true],
    ['its name', { matchLabels: { [name]: 'shop' } }, true, true],
    ['its name among others', only(name, 'In', 'a', 'shop'), true, true],
    ['another name', { matchLabels: { [name]: 'bank' } }, false, false],
    ['any name but its own', only(name, 'NotIn', 'shop'), false, false],
    ['a name at all', only(name, 'Exists'), true, true],
    ['its name and a label', { matchLabels: { [name]: 'shop', team: 'blue' } }, undefined, true],
    ['another name and a label', { matchLabels: { [name]: 'bank', team: 'blue' } }, false, false],
    ['the absence of a label', only('team', 'DoesNotExist'), undefined, false],
  ])('answers for %s without labels if the name is enough', (_, selector, unknown, known) => {
    expect(namespaceSelectorTest(selector)('shop', undefined)).toBe(unknown);
    expect(namespaceSelectorTest(selector)('shop', { team: 'blue' })).toBe(known);
  });

  it('takes the name for the label, whatever the labels say', () => {
    expect(namespaceSelectorTest({ matchLabels: { [name]: 'bank' } })('shop', { [name]: 'bank' })).toBe(false);
  });

  it('refuses a malformed condition', () => {
    expect(() => namespaceSelectorTest({ matchLabels: { a: 1 } } as object)).toThrow('not a list of strings');
  });
});
