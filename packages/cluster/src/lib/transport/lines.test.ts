import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLines } from './lines.ts';

async function* chunksOf(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer> {
  let start = 0;
  for (const cut of [...cuts].sort((one, other) => one - other)) {
    const end = Math.min(cut, bytes.length);
    yield bytes.subarray(start, end);
    start = end;
  }
  yield bytes.subarray(start);
}

async function linesOf(chunks: AsyncIterable<Buffer>, limit?: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of splitLines(chunks, limit)) lines.push(line);
  return lines;
}

describe('the lines of a response', () => {
  it('are the same wherever the network cuts them, also within a character', async () => {
    const text = fc.array(fc.string({ unit: 'binary', minLength: 1 }).map((line) => line.replaceAll('\n', 'ü') || 'ü'));
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(200)), fc.boolean(), async (lines, cuts, isEnded) => {
        const bytes = Buffer.from(lines.join('\n') + (isEnded ? '\n' : ''));
        const expected = bytes
          .toString('utf8')
          .split('\n')
          .filter((line) => line !== '');
        expect(await linesOf(chunksOf(bytes, cuts))).toEqual(expected);
      }),
    );
  });

  it('are refused when they are too long, with their beginning', async () => {
    const bytes = Buffer.from(`{"kind":"Huge","name":"${'x'.repeat(100)}`);
    await expect(linesOf(chunksOf(bytes, [20, 40, 60]), 50)).rejects.toMatchObject({
      code: 'ELINETOOLONG',
      message: expect.stringContaining('{"kind":"Huge"'),
    });
  });
});
