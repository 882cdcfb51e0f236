import { TransportError } from './transport.ts';

/** The longest body that is read at once, in bytes: 128 MiB. A page of a list has 500 objects, and etcd stores at most 1.5 MiB for an object. */
export const maxBodyBytes = 128 * 1024 * 1024;

/**
 * Reads a whole body.
 *
 * @param chunks The bytes, cut anywhere.
 * @param limit The longest body, in bytes.
 * @param what The request, for the message.
 * @returns The body as UTF-8 text. Rejects with a {@link TransportError} `EBODYTOOLONG` as soon as the body is longer, and reads no more.
 */
export async function readBody(chunks: AsyncIterable<Buffer>, limit: number, what: string): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > limit) throw new TransportError('EBODYTOOLONG', `${what}: the answer is longer than ${limit} bytes`);
    pieces.push(chunk);
  }
  return Buffer.concat(pieces).toString('utf8');
}
