import { TransportError } from './transport.ts';

/** The longest line that is read: 8 MiB. etcd stores at most 1.5 MiB for an object, unless it was configured otherwise. */
export const maxLineBytes = 8 * 1024 * 1024;

const lineBreak = 10;

/**
 * Splits chunks of bytes into lines of UTF-8 text. A byte of a multi-byte character is never a line break, so lines are found in bytes,
 * and each is decoded once.
 *
 * @param chunks The bytes, cut anywhere.
 * @param limit The longest line, in bytes.
 * @returns The lines without line breaks and without empty lines, including a last line without a line break.
 * @throws {TransportError} `ELINETOOLONG`, with the beginning of the line.
 */
export async function* splitLines(chunks: AsyncIterable<Buffer>, limit = maxLineBytes): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  let held = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineBreak); end >= 0; end = chunk.indexOf(lineBreak, start)) {
      const line = takeLine(pieces, chunk, start, end);
      pieces = [];
      held = 0;
      start = end + 1;
      if (line !== '') yield line;
    }
    if (start === chunk.length) continue;
    pieces.push(start === 0 ? chunk : chunk.subarray(start));
    held += chunk.length - start;
    if (held > limit) throw tooLong(pieces, limit);
  }
  if (held > 0) yield Buffer.concat(pieces).toString('utf8');
}

function takeLine(pieces: readonly Buffer[], chunk: Buffer, start: number, end: number): string {
  if (pieces.length === 0) return chunk.toString('utf8', start, end);
  return Buffer.concat([...pieces, chunk.subarray(start, end)]).toString('utf8');
}

function tooLong(pieces: readonly Buffer[], limit: number): TransportError {
  const beginning = Buffer.concat(pieces).toString('utf8', 0, 1024);
  const mebibytes = Math.round(limit / 1024 / 1024);
  return new TransportError('ELINETOOLONG', `a line of the response is longer than ${mebibytes} MiB: ${beginning}…`);
}
