import { describe, expect, it } from 'vitest';
import { policy, refTo, resource, worldOf } from '../worlds.fixture.ts';
import { Questions } from './question.ts';
import { Suggestions } from './suggestions.ts';

const { report } = worldOf([
  resource('HTTPRoute', 'cart', { rules: [{ name: 'pay' }] }),
  resource('HTTPRoute', 'card', { rules: [{}] }),
  policy('TimeoutPolicy', 'cart-timeouts', [refTo('HTTPRoute', 'cart')], { request: '1s' }),
]);
const questions = new Questions(report);

describe('a question', () => {
  it.each([
    ['HTTPRoute shop/cart', { about: 'target' }],
    ['  httproute   SHOP/cart#pay ', { about: 'target' }],
    ['TimeoutPolicy shop/cart-timeouts', { about: 'policy' }],
    ['HTTPRoute shop/other', { about: 'nothing' }],
    ['', { about: 'nothing' }],
    ['GET nowhere', { about: 'nothing' }],
    ['GET https://', { about: 'nothing' }],
  ])('%j is understood', (text, question) => {
    expect(questions.read(text)).toMatchObject(question);
  });

  it.each([
    ['https://a.example.com', { method: 'GET', host: 'a.example.com', path: '/', headers: [] }, 443],
    [
      'post http://a.example.com:8080/cart?x=1',
      { method: 'POST', host: 'a.example.com', path: '/cart?x=1', port: 8080 },
      80,
    ],
    [
      `GET https://a.example.com/ -H "x-canary: yes" -H 'x-user:me' -H x-odd`,
      {
        headers: [
          ['x-canary', 'yes'],
          ['x-user', 'me'],
        ],
      },
      443,
    ],
  ])('%j is a request', (text, request, usualPort) => {
    expect(questions.read(text)).toMatchObject({ about: 'request', request, usualPort });
  });

  it('is read in bounded time if it is almost a request', () => {
    const text = `GET https://a.example.com/${' -H "a"'.repeat(200)} !`;
    expect(questions.read(text).about).toBe('nothing');
  });
});

describe('suggestions', () => {
  const textsFor = (text: string, most = 8) => new Suggestions(report).for(text, most).map((it) => it.text);

  it('are names that contain all words: first those that begin with the first word, then the shorter ones', () => {
    expect(textsFor('cart')).toEqual([
      'HTTPRoute shop/cart',
      'HTTPRoute shop/cart#pay',
      'TimeoutPolicy shop/cart-timeouts',
    ]);
    expect(textsFor('CART time')).toEqual(['TimeoutPolicy shop/cart-timeouts']);
    expect(textsFor('pay')).toEqual(['HTTPRoute shop/cart#pay']);
  });

  it('begin with routes, of names that fit as well', () => {
    expect(textsFor('shop', 3).map((text) => text.split(' ')[0])).toEqual(['HTTPRoute', 'HTTPRoute', 'HTTPRoute']);
  });

  it('are at most as many as asked for, and none without a text', () => {
    expect(textsFor('shop', 2)).toHaveLength(2);
    expect(textsFor(' ')).toEqual([]);
    expect(textsFor('elsewhere')).toEqual([]);
  });
});
