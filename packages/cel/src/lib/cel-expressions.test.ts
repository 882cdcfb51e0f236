import { describe, expect, it } from 'vitest';
import { celExpressions } from './cel-expressions.ts';

const compile = celExpressions({
  route: {
    fields: {
      name: 'string',
      weight: 'int',
      labels: { map: 'string' },
      hosts: { list: { fields: { name: 'string' } } },
    },
  },
});
const route = { name: 'cart', weight: 3, labels: { app: 'shop' }, hosts: [{ name: 'a' }] };

describe('celExpressions', () => {
  it.each([
    ['route.name == "cart" && route.weight < 3.5', true],
    ['has(route.labels.app) && !has(route.labels.other)', true],
    ['route.hosts.exists(h, h.name == "b")', false],
  ])('evaluates %s', (expression, holds) => {
    expect(compile(expression).evaluate({ route })).toEqual({ holds });
  });

  it('says that a field is missing', () => {
    expect(compile('route.labels.other == "x"').evaluate({ route })).toMatchObject({ missing: true });
  });

  it.each([
    ['route.nam == "a"', 'at line 1, column 6: route has no field nam; use name, weight, labels, hosts'],
    ['has(route.nam)', 'route has no field nam'],
    ['route["nam"] == "a"', 'route has no field nam'],
    ['route.name.first == "a"', 'route.name is a string, and has no field first'],
    ['route.hosts.name == "a"', 'route.hosts is a list, and has no field name; use all or exists'],
    ['route.hosts.exists(h, h.nam == "a")', 'the value has no field nam'],
    ['route.weight == "3"', 'compare values of one type'],
    ['other.name == "a"', 'there is no variable other; use route'],
  ])('refuses %s', (expression, message) => {
    expect(() => compile(expression)).toThrow(message);
  });

  it('names what an expression reads, to the last field that is known by name', () => {
    expect(compile('route.labels.app == route.name && route.hosts.all(h, h.name != "")').reads).toEqual([
      ['route', 'labels', 'app'],
      ['route', 'name'],
      ['route', 'hosts'],
    ]);
  });

  it('reads no value of a field that an expression only asks for', () => {
    const { reads, evaluate } = compile('has(route.labels.app) == true');
    expect(reads).toEqual([['route', 'labels', 'app', '']]);
    expect(evaluate({ route: { labels: { app: 'cart' } } })).toEqual({ holds: true });
  });
});
