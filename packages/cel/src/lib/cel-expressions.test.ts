import { describe, expect, it } from 'vitest';
import { celExpressions } from './cel-expressions.ts';
import type { CelTest } from './tested-parts.ts';

const compile = celExpressions({
  route: {
    fields: {
      name: 'string',
      weight: 'int',
      state: { oneOf: ['open', 'closed'] },
      labels: { map: 'string' },
      hosts: { list: { fields: { name: 'string' } } },
    },
  },
});
const route = { name: 'cart', weight: 3, state: 'open', labels: { app: 'shop' }, hosts: [{ name: 'a' }] };

describe('celExpressions', () => {
  it.each([
    ['route.name == "cart" && route.weight < 3.5', true],
    ['has(route.labels.app) && !has(route.labels.other)', true],
    ['route.hosts.exists(h, h.name == "b")', false],
    ['route.state == "open" && route.state != "closed" && route.state != route.name', true],
    ['route.state in ["closed"] || "o" == "open"', false],
  ])('evaluates %s', (expression, holds) => {
    expect(compile(expression).evaluate({ route })).toEqual({ holds });
  });

  it('says that a field is missing', () => {
    expect(compile('route.labels.other == "x"').evaluate({ route })).toMatchObject({ missing: true });
  });

  it.each([
    [
      'route.nam == "a"',
      'at line 1, column 6: route does not have the field nam; use name, weight, state, labels, hosts',
    ],
    ['has(route.nam)', 'route does not have the field nam'],
    ['"nam" in route', 'route does not have the field nam; use name'],
    ['route["nam"] == "a"', 'route does not have the field nam'],
    ['route.name.first == "a"', 'route.name is a string, which does not have the field first'],
    ['route.hosts.name == "a"', 'route.hosts is a list, which does not have the field name; use all or exists'],
    ['route.hosts.exists(h, h.nam == "a")', 'the value does not have the field nam'],
    ['route.weight == "3"', 'compare values of one type'],
    ['route.state != "opened"', 'route.state is never "opened"; use "open", "closed"'],
    ['"opened" == route["state"]', 'route.state is never "opened"; use "open", "closed"'],
    ['!(route.state in ["open", "opened"])', 'route.state is never "opened"; use "open", "closed"'],
    ['route.state == 1', 'route.state is a string, and the value a int; compare values of one type'],
    ['route.state.first == "a"', 'route.state is a string, which does not have the field first'],
    ['other.name == "a"', 'unknown variable other; use route'],
  ])('refuses %s', (expression, message) => {
    expect(() => compile(expression)).toThrow(message);
  });

  it('names the fields that an expression reads, to the last one that is known by name', () => {
    expect(compile('route.labels.app == route.name && route.hosts.all(h, h.name != "")').reads).toEqual([
      ['route', 'labels', 'app'],
      ['route', 'name'],
      ['route', 'hosts'],
    ]);
  });

  it.each([
    ['has(route.labels) == true', [['route', 'labels', '']]],
    ['"labels" in route', [['route', 'labels', '']]],
    ['has(route.labels.app)', [['route', 'labels', 'app', '']]],
    ['"app" in route.labels', [['route', 'labels']]],
  ])('reads no value of a field that an expression only asks for: %s', (expression, expected) => {
    const { reads, evaluate } = compile(expression);
    expect(reads).toEqual(expected);
    expect(evaluate({ route: { labels: { app: 'cart' } } })).toEqual({ holds: true });
    expect(evaluate({ route: {} })).not.toEqual({ holds: true });
  });
});

describe('tests of a variable that is not known', () => {
  const fault = ({ value }: CelTest) => (value?.startsWith('/') === false ? 'a path begins with /' : undefined);
  const request = {
    parts: {
      path: { example: '/cart', under: '/admin', fault },
      method: { example: 'GET' },
      header: { example: 'red', named: 'x-team' },
    },
    instead: { pathType: 'match.pathType' },
  };
  const compileTests = celExpressions({ route: { fields: { name: 'string' } } }, {}, { request });

  /** The tests that an expression makes if all are answered with one answer, and its result. */
  const run = (expression: string, answer: boolean) => {
    const asked: string[] = [];
    const result = compileTests(expression).evaluate({ route: { name: 'cart' } }, (test) => {
      const { part, name, operator, value } = test;
      asked.push([part, ...(name === '' ? [] : [name]), operator, value].join(' '));
      return answer;
    });
    return { asked, result };
  };

  it.each<[string, boolean, readonly string[], boolean]>([
    ['request.path == "/a"', true, ['path == /a'], true],
    ['"/a" != request.path', true, ['path == /a'], false],
    ['request.path.under("/a")', false, ['path under /a'], false],
    ['request.method in ["GET", "HEAD"]', false, ['method == GET', 'method == HEAD'], false],
    ['request.method in ["GET", "HEAD"]', true, ['method == GET'], true],
    ['request.header("h") == route.name', true, ['header h == cart'], true],
    ['request.header(route.name) != null', true, ['header cart == '], false],
    ['request.path.under("/" + route.name)', true, ['path under /cart'], true],
    ['["/a", "/b"].exists(p, request.path == p)', false, ['path == /a', 'path == /b'], false],
    ['["a"].exists(request, request == "a")', false, [], true],
  ])('asks for %s, answered with %s', (expression, answer, asked, holds) => {
    expect(run(expression, answer)).toEqual({ asked, result: { holds } });
  });

  it('names no test among the paths that an expression reads', () => {
    expect(compileTests('request.path == route.name || request.method == "GET"').reads).toEqual([['route', 'name']]);
  });

  it.each([
    ['request.pathType == "Exact"', 'at line 1, column 8: request does not have pathType; use match.pathType'],
    ['request.host == "a"', 'request does not have host; use path, method, header'],
    [
      'request.path.startsWith("/a")',
      'request.path can only be tested; write request.path == "/cart", request.path in ["/cart"], request.path.under("/admin")',
    ],
    ['request.method.under("GET")', 'request.method can only be tested; write request.method == "GET"'],
    ['request.header == "a"', 'write request.header("x-team") == "red", request.header("x-team") in ["red"]'],
    ['request.path("a") == "a"', 'request.path can only be tested'],
    ['has(request.path)', 'request.path can only be tested'],
    ['request.path == request.path', 'request.path can only be tested'],
    ['request == route', 'only parts of request can be tested, such as request.path'],
    ['request["path"] == "/a"', 'only parts of request can be tested'],
    ['request.path == "a"', 'a path begins with /'],
    ['request.path in ["/a", "b"]', 'a path begins with /'],
    ['request.path == 1', 'request.path is a string; compare it with a string'],
    ['request.path == null', 'request.path is a string; compare it with a string'],
    ['request.header("h") == request.header("g")', 'request.header can only be tested'],
  ])('refuses %s', (expression, message) => {
    expect(() => compileTests(expression)).toThrow(message);
  });

  it.each([
    ['request.path == route.name', 'a path begins with /'],
    ['request.path in [route.name, "/a"]', 'a path begins with /'],
    ['request.method in route.name', 'use a list'],
    ['request.header(1) == "a"', 'a name that is not a string'],
  ])('fails to evaluate %s', (expression, error) => {
    expect(run(expression, false).result).toMatchObject({ error: expect.stringContaining(error), missing: false });
  });

  it('charges for each test', () => {
    const all = celExpressions({ names: { list: 'string' } }, { steps: 100 }, { request })('request.path in names');
    const names = Array.from({ length: 100 }, () => '/a');
    expect(all.evaluate({ names }, () => false)).toMatchObject({
      error: expect.stringContaining('more than 100 steps'),
    });
  });
});
