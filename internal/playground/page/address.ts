import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate';
import type { Question } from '../src/answer.ts';

/** Returns the fragment of an address that holds a question: compressed, so that nothing is sent to a server. */
export function fragmentOf({ text, dialects, before, hierarchy, question }: Question): string {
  const bytes = deflateSync(strToU8(JSON.stringify({ text, dialects, before, hierarchy, question })), { level: 9 });
  const code = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return `#m=${code.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** The most that a fragment may expand to, in bytes. */
const maxBytes = 4_000_000;

/** Returns the question that the fragment of an address holds; `undefined` if it holds none. */
export function sharedIn(fragment: string): Question | undefined {
  if (!fragment.startsWith('#m=')) return undefined;
  try {
    const code = atob(fragment.slice(3).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = inflateSync(
      Uint8Array.from(code, (letter) => letter.charCodeAt(0)),
      { out: new Uint8Array(maxBytes) },
    );
    const { text, dialects, before, hierarchy, question }: Partial<Question> = JSON.parse(strFromU8(bytes));
    if (typeof text !== 'string') return undefined;
    return {
      text,
      dialects: stringsIn(dialects),
      before: typeof before === 'string' ? before : undefined,
      hierarchy: hierarchy === 'mesh' ? hierarchy : undefined,
      question: typeof question === 'string' ? question : undefined,
    };
  } catch {
    return undefined;
  }
}

function stringsIn(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
