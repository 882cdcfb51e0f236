import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { jsonLogger } from './json-logger.ts';

/** Returns the lines that a logger writes. */
function logged(log: (logger: ReturnType<typeof jsonLogger>) => void, level?: 'debug' | 'error'): string[] {
  const lines: string[] = [];
  const now = () => new Date('2026-01-01T00:00:00Z');
  log(jsonLogger({ write: (line) => lines.push(line), now, ...(level === undefined ? {} : { level }) }));
  return lines;
}

/** Returns the value of a field after it was written and read. */
function readBack(value: unknown): unknown {
  const [line = ''] = logged((logger) => logger.info('a message', { value }));
  return JSON.parse(line).value;
}

describe('jsonLogger', () => {
  it('writes a line of JSON for each message', () => {
    const lines = logged((logger) => {
      logger.info('started', { controller: 'timeouts', kinds: ['Gateway'] });
      logger.error('stopped');
    });
    expect(lines).toEqual([
      '{"level":"info","time":"2026-01-01T00:00:00.000Z","message":"started","controller":"timeouts","kinds":["Gateway"]}\n',
      '{"level":"error","time":"2026-01-01T00:00:00.000Z","message":"stopped"}\n',
    ]);
  });

  it('writes to standard error', () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      jsonLogger().warn('a message');
      expect(write).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('"level":"warn"'));
    } finally {
      write.mockRestore();
    }
  });

  it('loses a line that its writer refuses, and writes the next one', () => {
    const lines: string[] = [];
    const disk = { isFull: true };
    const write = (line: string) => {
      if (disk.isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      lines.push(line);
    };
    const { info } = jsonLogger({ write });
    info('lost');
    disk.isFull = false;
    info('written');
    expect(lines).toEqual([expect.stringContaining('"message":"written"')]);
  });

  it.each([
    [undefined, ['info', 'warn', 'error']],
    ['debug', ['debug', 'info', 'warn', 'error']],
    ['error', ['error']],
  ] as const)('with the level %s writes %s', (level, written) => {
    const lines = logged(({ debug, info, warn, error }) => {
      for (const log of [debug, info, warn, error]) log('a message');
    }, level);
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(written);
  });

  it('keeps the fields that every line has, and renames others with these names', () => {
    const [line = ''] = logged((logger) => logger.info('a message', { level: 1, time: 2, message: 3, other: 4 }));
    expect(JSON.parse(line)).toEqual({
      level: 'info',
      time: '2026-01-01T00:00:00.000Z',
      message: 'a message',
      'fields.level': 1,
      'fields.time': 2,
      'fields.message': 3,
      other: 4,
    });
  });

  it('writes errors as their message and code, with causes', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const error = Object.assign(new Error('GET /apis: no answer', { cause }), { code: 503 });
    expect(readBack(error)).toEqual({
      message: 'GET /apis: no answer',
      code: 503,
      cause: { message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' },
    });
  });

  it('writes the stack of an error without a code', () => {
    expect(readBack(new TypeError('x is not a function'))).toEqual({
      message: 'x is not a function',
      stack: expect.stringContaining('json-logger.test.ts'),
    });
  });

  it('writes all errors of an AggregateError', () => {
    const errors = [
      Object.assign(new Error('first'), { code: 'A' }),
      Object.assign(new Error('second'), { code: 'B' }),
    ];
    expect(readBack(new AggregateError(errors, 'both'))).toMatchObject({
      message: 'both',
      errors: [
        { message: 'first', code: 'A' },
        { message: 'second', code: 'B' },
      ],
    });
  });

  const circular: Record<string, unknown> = { name: 'a' };
  circular.self = { again: circular };
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const withBadGetter = {
    good: 1,
    get bad(): never {
      throw new Error('not now');
    },
  };

  it.each([
    ['circular values', circular, { name: 'a', self: { again: '[circular]' } }],
    ['the same value twice', [circular.name, ...Array(2).fill({ a: 1 })], ['a', { a: 1 }, { a: 1 }]],
    ['big integers', 2n ** 70n, '1180591620717411303424'],
    ['numbers that JSON lacks', [Number.NaN, Number.POSITIVE_INFINITY], ['NaN', 'Infinity']],
    ['functions and symbols', [() => {}, Symbol('s')], ['[function]', 'Symbol(s)']],
    ['sets and maps', [new Set([1]), new Map([['a', new Set([2])]])], [[1], [['a', [2]]]]],
    ['dates', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['dates that are none', new Date(Number.NaN), null],
    ['values whose toJSON throws', { toJSON: () => withBadGetter.bad }, '[not now]'],
    ['values with a toJSON', { toJSON: () => ({ a: 1n }) }, { a: '1' }],
    ['getters that throw', withBadGetter, { good: 1, bad: '[not now]' }],
    ['revoked proxies', proxy, expect.stringMatching(/^\[.*revoked.*\]$/)],
    ['text with line breaks', 'a\nb\u2028c', 'a\nb\u2028c'],
    ['null', null, null],
    ['undefined', undefined, undefined],
    ['objects without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ])('writes %s', (_name, value, expected) => {
    expect(readBack(value)).toEqual(expected);
  });

  it.each([
    ['have getters that throw', withBadGetter, { good: 1, bad: '[not now]' }],
    ['cannot be read', proxy, { fields: expect.stringContaining('revoked') }],
  ])('writes fields that %s', (_name, fields, expected) => {
    const [line = ''] = logged((logger) => logger.info('a message', fields));
    expect(JSON.parse(line)).toMatchObject({ message: 'a message', ...expected });
  });

  it('cuts off a value that is nested too deep', () => {
    let nested: unknown = 'the end';
    for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];
    expect(JSON.stringify(readBack(nested))).toMatch(/^\[+"\[too deep\]"\]+$/);
  });

  it('writes one line for any fields', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.dictionary(
          fc.string(),
          fc.anything({
            withBigInt: true,
            withMap: true,
            withSet: true,
            withDate: true,
            withNullPrototype: true,
            withTypedArray: true,
          }),
        ),
        (message, fields) => {
          const [line = ''] = logged((logger) => logger.info(message, fields));
          expect(line.indexOf('\n')).toBe(line.length - 1);
          expect(JSON.parse(line)).toMatchObject({ level: 'info', message: JSON.parse(JSON.stringify(message)) });
        },
      ),
    );
  });
});
