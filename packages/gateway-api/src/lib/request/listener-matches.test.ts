import { describe, expect, it } from 'vitest';
import { route } from '../gateway-api.fixture.ts';
import { listenerMatches } from './listener-matches.ts';

describe('listenerMatches', () => {
  it('returns the conditions of all matches that can be read, those with the highest precedence first', () => {
    const routes = [
      route('HTTPRoute', 'cart', {
        hostnames: ['shop.example.com', 'example.org'],
        rules: [
          { matches: [{ path: { value: '/' } }, { path: { type: 'Exact', value: '/cart' }, method: 'GET' }] },
          {
            matches: [
              { path: 'cart' },
              'all',
              { path: { value: '/pay' }, headers: [{ name: 'X-Beta', value: 'yes' }] },
            ],
          },
        ],
      }),
    ];
    const { hostname, matches, isDecided } = listenerMatches({
      name: 'shop',
      port: 80,
      hostname: '*.example.com',
      routes,
    });
    expect({ hostname, isDecided }).toEqual({ hostname: '*.example.com', isDecided: true });
    expect(
      matches.map((it) => [
        it.hostname,
        `${it.match.ruleIndex}/${it.match.matchIndex}`,
        it.conditions.map(({ field, name, type, value, pointer }) => `${field}${name} ${type} ${value} ${pointer}`),
      ]),
    ).toEqual([
      [
        'shop.example.com',
        '0/1',
        ['path Exact /cart /spec/rules/0/matches/1/path', 'method Exact GET /spec/rules/0/matches/1/method'],
      ],
      [
        'shop.example.com',
        '1/2',
        [
          'path PathPrefix /pay /spec/rules/1/matches/2/path',
          'headerx-beta Exact yes /spec/rules/1/matches/2/headers/0',
        ],
      ],
      ['shop.example.com', '0/0', ['path PathPrefix / /spec/rules/0/matches/0/path']],
    ]);
  });

  it('asks for the method of gRPC calls, beside their path', () => {
    const calls = route('GRPCRoute', 'calls', { rules: [{ matches: [{ method: { service: 'shop.Cart' } }] }] });
    const { matches } = listenerMatches({ name: 'shop', port: 80, routes: [calls] });
    expect(
      matches.map(({ isCall, conditions }) => [isCall, conditions.map(({ field, value }) => `${field} ${value}`)]),
    ).toEqual([[true, ['method POST', 'service shop.Cart']]]);
  });
});
