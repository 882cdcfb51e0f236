import { describe, expect, it } from 'vitest';
import { gateway, object, ref, route, worldOf } from './world.fixture.ts';

const base = [gateway('a/g'), route('a/r')];

describe('options of Gloo Gateway and configurations of AWS without targets', () => {
  it.each<[string, string, object]>([
    ['RouteOption', 'gateway.solo.io/v1 RouteOption', {}],
    ['RouteOption with an empty list', 'gateway.solo.io/v1 RouteOption', { targetRefs: [] }],
    ['VirtualHostOption', 'gateway.solo.io/v1 VirtualHostOption', {}],
    ['ListenerOption', 'gateway.solo.io/v1 ListenerOption', {}],
    ['TargetGroupConfiguration', 'gateway.k8s.aws/v1 TargetGroupConfiguration', {}],
  ])('may be attached by objects that are not read: %s', (_, type, targets) => {
    const { outcomes, messages, issues } = worldOf(...base, object(type, 'a/p', { ...targets, options: {} }));
    expect(outcomes).toEqual({ 'a/p': 'pending' });
    expect(messages['a/p']).toMatch(/^Not computed: it names no target, and a .+, which is not read, can attach it\.$/);
    expect(issues).toEqual([]);
  });

  it('are in force where a filter of a rule names them', () => {
    const extensionRef = { group: 'gateway.solo.io', kind: 'RouteOption', name: 'p' };
    const rules = [{ name: 'main', filters: [{ type: 'ExtensionRef', extensionRef }] }];
    const option = object('gateway.solo.io/v1 RouteOption', 'a/p', { options: {} });
    expect(worldOf(gateway('a/g'), route('a/r', rules), option).outcomes).toEqual({ 'a/p': 'enforced' });
  });

  it('of virtual hosts are merged option by option, first the options of a listener', () => {
    const on = (name: string, sectionName: object, options: object) =>
      object('gateway.solo.io/v1 VirtualHostOption', `a/${name}`, {
        targetRefs: [ref('Gateway', 'g', sectionName)],
        options,
      });
    const { specs } = worldOf(
      ...base,
      on('all', {}, { jwt: { allowMissing: false }, cors: { allowOrigin: ['a', 'b'] } }),
      on('one', { sectionName: 'http' }, { cors: { maxAge: '1h' } }),
    );
    expect(specs['Gateway a/g#http']).toEqual({ options: { jwt: { allowMissing: false }, cors: { maxAge: '1h' } } });
  });

  it('are wrong if they name a target that is not there', () => {
    const option = object('gateway.solo.io/v1 RouteOption', 'a/p', { targetRefs: [ref('HTTPRoute', 'gone')] });
    expect(worldOf(...base, option).outcomes).toEqual({ 'a/p': 'target-not-found' });
  });
});

// As in the plugins of gateway2/translator, in the order of plugins/registry/plugin_registry.go.
describe('the own fields of a rule, for Gloo Gateway', () => {
  const filter = (type: string, value: object) => {
    const field = type === 'URLRewrite' ? 'urlRewrite' : `${type[0]?.toLowerCase()}${type.slice(1)}`;
    return { filters: [{ type, [field]: value }] };
  };
  const headers = filter('RequestHeaderModifier', { set: [{ name: 'x', value: 'rule' }] });
  const worldWith = (rule: object, options: object, annotations = {}) => {
    const option = object('gateway.solo.io/v1 RouteOption', 'a/p', { targetRefs: [ref('HTTPRoute', 'r')], options });
    const parent = route('a/r', [{ name: 'main', ...rule }]);
    const annotated = { ...parent, metadata: { ...parent.metadata, annotations } };
    const { outcomes, specs } = worldOf(gateway('a/g'), annotated, option);
    return { outcome: outcomes['a/p'], options: (specs['HTTPRoute a/r#main'] as { readonly options: object }).options };
  };
  const rewritten = filter('URLRewrite', {
    hostname: 'h',
    path: { type: 'ReplacePrefixMatch', replacePrefixMatch: '/x' },
  });
  const whole = filter('URLRewrite', { path: { type: 'ReplaceFullPath', replaceFullPath: '/x' } });

  it.each<[string, object, object]>([
    ['timeouts', { timeouts: { request: '9s' } }, { timeout: '1s' }],
    ['retries', { retry: { attempts: 9 } }, { retries: { numRetries: 1 } }],
    ['a filter for CORS', { filters: [{ type: 'CORS', cors: {} }] }, { cors: {} }],
    ['a filter for headers', headers, { headerManipulation: { requestHeadersToRemove: ['x'] } }],
    ['a filter for a mirror', filter('RequestMirror', { backendRef: { name: 's' } }), { shadowing: { percentage: 1 } }],
  ])('yield to options: %s', (_, rule, options) => {
    expect(worldWith(rule, options)).toEqual({ outcome: 'enforced', options });
  });

  it.each<[string, object, object, object]>([
    ['host', rewritten, { hostRewrite: 'p' }, { hostRewrite: 'h' }],
    ['host, in place of that of the backend', rewritten, { autoHostRewrite: true }, { autoHostRewrite: false }],
    ['prefix', rewritten, { prefixRewrite: '/p' }, { prefixRewrite: '/x' }],
    ['path', whole, { regexRewrite: { substitution: '/p' } }, { regexRewrite: { substitution: '/x' } }],
  ])('prevail over options in the rewritten %s', (_, rule, options, own) => {
    const world = worldWith(rule, options);
    expect(world.outcome).toBe('overridden');
    expect(world.options).toMatchObject(own);
  });

  it.each<[string, object, object]>([
    ['a prefix for an expression', rewritten, { regexRewrite: {} }],
    ['a path for a prefix', whole, { prefixRewrite: '/p' }],
    ['a host for that of a header', rewritten, { hostRewriteHeader: 'x' }],
  ])('are not known to prevail over another kind of rewrite: %s', (_, rule, options) => {
    expect(worldWith(rule, options).outcome).toBe('undecided');
  });

  it.each(['*', 'timeout, headermanipulation'])('prevail in the options that the route names: %s', (fields) => {
    const options = { headerManipulation: { requestHeadersToRemove: ['x'] }, timeout: '1s' };
    const annotations = { 'delegation.gateway.solo.io/enable-policy-overrides': fields };
    expect(worldWith(headers, options, annotations)).toMatchObject({
      outcome: 'partly-enforced',
      options: {
        headerManipulation: { requestHeadersToAdd: [{ header: { key: 'x', value: 'rule' }, append: false }] },
        timeout: '1s',
      },
    });
  });
});
