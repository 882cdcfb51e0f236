import { describe, expect, it } from 'vitest';
import { preconditionsIn } from './delete-options.ts';

describe('the options of a DELETE', () => {
  it.each([
    ['', {}],
    ['{}', {}],
    ['{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Foreground"}', {}],
    ['{"preconditions":{"uid":"1"}}', { uid: '1' }],
  ])('are read from %j', (body, preconditions) => {
    expect(preconditionsIn({ body })).toEqual(preconditions);
  });

  it.each([
    ['now', "couldn't get version/kind"],
    ['[]', "couldn't get version/kind"],
    ['{"kind":"Nothing","apiVersion":"v1"}', 'no kind "Nothing" is registered for version "v1"'],
  ])('are refused as a bad request for %j', (body, message) => {
    expect(() => preconditionsIn({ body })).toThrow(
      expect.objectContaining({ code: 400, message: expect.stringContaining(message) }),
    );
  });
});
