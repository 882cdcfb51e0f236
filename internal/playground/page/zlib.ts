import { gzipSync as compress, strToU8 } from 'fflate';

/** `gzipSync` of `node:zlib`, as far as the report calls it. */
export function gzipSync(text: string, { level }: { readonly level: 9 }): { toString(encoding: 'base64'): string } {
  const bytes = compress(strToU8(text), { level, mtime: 0 });
  return { toString: () => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) };
}
