import { describe, expect, it } from 'vitest';
import { closestNames } from './closest.ts';

describe('closestNames', () => {
  it.each([
    ['a letter is missing', 'checkou', ['cart', 'checkout'], ['checkout']],
    ['a letter is too much', 'carts', ['cart', 'checkout'], ['cart']],
    ['letters are swapped', 'chekcout', ['cart', 'checkout'], ['checkout']],
    ['letters of a short name are swapped', 'shpo', ['shop', 'ship'], ['shop']],
    ['letters of a very short name are swapped', 'ba', ['ab'], ['ab']],
    ['the case differs', 'CART', ['cart'], ['cart']],
    ['a short name differs in one letter', 'ab', ['ac', 'cd'], ['ac']],
    ['the closest comes first', 'orders', ['order-s2', 'order'], ['order', 'order-s2']],
    ['a name is there several times', 'cart', ['cart', 'cart'], ['cart']],
    ['only the domain is shared', 'pay.example.com', ['cart.example.com'], []],
    ['a letter of a domain is missing', 'cart.exmple.com', ['cart.example.com'], ['cart.example.com']],
    ['nothing is close', 'search', ['cart', 'checkout'], []],
  ])('when %s', (_when, word, names, expected) => {
    expect(closestNames(word, names)).toEqual(expected);
  });
});
