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
  ])('may be attached by what is not read: %s', (_, type, targets) => {
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

  it.each<[string, object, object]>([
    ['timeouts', { timeouts: { request: '9s' } }, { timeout: '1s' }],
    ['retries', { retry: { attempts: 9 } }, { retries: { numRetries: 1 } }],
    ['a filter for CORS', { filters: [{ type: 'CORS', cors: {} }] }, { cors: {} }],
    ['a filter for the path', { filters: [{ type: 'URLRewrite', urlRewrite: {} }] }, { prefixRewrite: '/x' }],
  ])('are undecided, and shown, where a rule sets the same: %s', (_, rule, options) => {
    const option = object('gateway.solo.io/v1 RouteOption', 'a/p', { targetRefs: [ref('HTTPRoute', 'r')], options });
    const { outcomes, messages, specs } = worldOf(gateway('a/g'), route('a/r', [{ name: 'main', ...rule }]), option);
    expect(outcomes).toEqual({ 'a/p': 'undecided' });
    expect(messages['a/p']).toBe('Not known in all scopes. Whether values set by targets prevail is not known.');
    expect(specs).toEqual({ 'HTTPRoute a/r#main': { options } });
  });

  it('are in force where a rule sets something else', () => {
    const options = { retries: { numRetries: 1 } };
    const option = object('gateway.solo.io/v1 RouteOption', 'a/p', { targetRefs: [ref('HTTPRoute', 'r')], options });
    const rule = { name: 'main', timeouts: { request: '9s' } };
    expect(worldOf(gateway('a/g'), route('a/r', [rule]), option).outcomes).toEqual({ 'a/p': 'enforced' });
  });

  it('are wrong if they name a target that is not there', () => {
    const option = object('gateway.solo.io/v1 RouteOption', 'a/p', { targetRefs: [ref('HTTPRoute', 'gone')] });
    expect(worldOf(...base, option).outcomes).toEqual({ 'a/p': 'target-not-found' });
  });
});
