import { describe, expect, it } from 'vitest';
import { readStatusError, statusError } from './status-error.ts';
import type { TransportResponse } from './transport.ts';

const request = { method: 'GET', path: '/apis/example.com/v1' };

/** Reads the error in an answer. */
function read(status: number, text: string, headers: Readonly<Record<string, string>> = {}) {
  return readStatusError({ status, headers, text: async () => text } as unknown as TransportResponse, request);
}

const plain = { 'content-type': 'text/plain; charset=utf-8' };
const denial = '404 page not found\n';
const status = (fields: object) => JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', ...fields });

describe('an answer', () => {
  it.each<[string, number, string, Readonly<Record<string, string>>, boolean]>([
    ['a Status', 404, status({ reason: 'NotFound', message: 'no such thing' }), {}, true],
    ['the text of an API server, with the id of its audit', 404, denial, { ...plain, 'audit-id': 'f1' }, true],
    ['the same with its flow schema', 404, denial, { ...plain, 'x-kubernetes-pf-flowschema-uid': 'f1' }, true],
    ['the same text of another server in Go', 404, denial, { ...plain, 'x-content-type-options': 'nosniff' }, false],
    ['another text, with the id of an audit', 404, 'not here', { ...plain, 'audit-id': 'f1' }, false],
    ['the text with another code', 502, denial, { ...plain, 'audit-id': 'f1' }, false],
    ['a page', 404, '<html>404</html>', { 'content-type': 'text/html' }, false],
    ['other JSON', 404, '{"kind":"Error","message":"x"}', { 'content-type': 'application/json' }, false],
    ['nothing', 404, '', {}, false],
  ])('%s: whether it is from an API server', async (_, code, text, headers, expected) => {
    const error = await read(code, text, headers);
    expect([error.code, error.isFromApiServer]).toEqual([code, expected]);
  });
});

describe('the message of an error', () => {
  const answered = (text: string) => `GET /apis/example.com/v1: ${text}`;

  it.each<[string, number, string, Readonly<Record<string, string>>, string]>([
    [
      'is the one of the Status',
      403,
      status({ reason: 'Forbidden', message: 'you cannot' }),
      {},
      '403 Forbidden: you cannot',
    ],
    ['without a reason', 403, status({ message: 'you cannot' }), {}, '403 Forbidden: you cannot'],
    [
      'without a message has the beginning of the answer',
      400,
      '400 Bad Request',
      plain,
      '400 Bad Request: no message; the answer is text/plain; charset=utf-8, "400 Bad Request"',
    ],
    [
      'with an empty message as well',
      422,
      status({ reason: 'Invalid', message: '' }),
      { 'content-type': 'application/json' },
      `422 Invalid: no message; the answer is application/json, ${JSON.stringify(status({ reason: 'Invalid', message: '' }))}`,
    ],
    [
      'of an empty answer',
      503,
      '',
      {},
      '503 Service Unavailable: no message; the answer is without a content-type, ""',
    ],
    [
      'with a code that HTTP does not have',
      599,
      'x',
      plain,
      '599 : no message; the answer is text/plain; charset=utf-8, "x"',
    ],
  ])('%s', async (_, code, text, headers, expected) => {
    expect((await read(code, text, headers)).message).toBe(answered(expected));
  });

  it('contains the event of a watch without a message', () => {
    const { message } = statusError({ kind: 'Status', code: 410 }, { what: 'GET /api/v1/pods' });
    expect(message).toBe('GET /api/v1/pods: 410 Gone: no message; the answer is {"kind":"Status","code":410}');
    expect(statusError(undefined, { what: 'GET /' }).message).toContain('500 Internal Server Error: no message');
  });

  it.each([
    ['a body', 400, `\u001b[2J\u202e${'x'.repeat(1_000_000)}`, plain],
    ['a content-type', 400, '', { 'content-type': `\u001b[2J${'x'.repeat(15_000)}` }],
    ['a message', 400, status({ message: `\u001b[2J\u202e${'x'.repeat(1_000_000)}` }), {}],
    ['a reason', 400, status({ reason: `\u001b[2J\u202e${'x'.repeat(1_000_000)}` }), {}],
  ])('is safe to show and bounded, whatever %s contains', async (_, code, text, headers) => {
    const { message } = await read(code, text, headers);
    expect(message).toContain('\\u001b[2J');
    for (const character of ['\u001b', '\u202e']) expect(message).not.toContain(character);
    expect(message.length).toBeLessThan(6000);
  });
});
