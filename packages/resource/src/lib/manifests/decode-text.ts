/**
 * Returns the text of a file: UTF-16 if it begins with the byte order mark of it, as kubectl reads it, else UTF-8.
 *
 * @param bytes The content of the file. In UTF-8, bytes that are not a character become U+FFFD.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isBigEndian = first === 0xfe && second === 0xff;
  const isLittleEndian = first === 0xff && second === 0xfe && (bytes[2] !== 0 || bytes[3] !== 0 || bytes.length < 4);
  const encoding = isBigEndian ? 'utf-16be' : isLittleEndian ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}
