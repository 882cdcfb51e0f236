import { describe, expect, it } from 'vitest';
import { deepFreeze } from './deep-freeze.fixture.ts';
import { omitFields } from './omit-fields.ts';
import { listOrigins } from './origin-queries.ts';
import { trace } from './origins.ts';
import { patch } from './patch.ts';

const gateway = trace(deepFreeze({ timeouts: { request: 1, idle: 2 }, retry: { attempts: 3 } }), 'gateway');
const route = trace(deepFreeze({ timeouts: { request: 4 } }), 'route');
const merged = patch.defaults(gateway, route);

describe('omitFields', () => {
  it('leaves out fields and parts of fields, with their origins', () => {
    const left = omitFields(merged, '/timeouts/request', '/retry');
    expect(left.value).toEqual({ timeouts: { idle: 2 } });
    expect(listOrigins(left.origins)).toEqual([{ pointer: '', by: ['gateway'], removed: false }]);
  });

  it('lets others set the fields', () => {
    expect(patch.defaults(gateway, omitFields(route, '/timeouts')).value).toEqual(gateway.value);
    expect(patch.defaults(gateway, omitFields(merged, '/retry')).value).toEqual(merged.value);
  });

  it.each(['/retries', '/retry/attempts/0', '/timeouts/toString'])('returns the same spec without %s', (pointer) => {
    expect(omitFields(merged, pointer)).toBe(merged);
  });

  it('keeps the origin of a spec that becomes empty', () => {
    expect(omitFields(route, '/timeouts')).toEqual({ value: {}, origins: { by: ['route'] } });
  });
});
