import type { ReportData } from '../src/lib/data/report-data.ts';

/** The data of a page. */
export interface Read {
  readonly data: ReportData;
  /** The version of the data; `undefined` if it is in the page, and stays unchanged. */
  readonly version: number | undefined;
}

/** Reads the data that is in the page, which may be compressed; `undefined` if its server has it. */
export async function readData(): Promise<Read | undefined> {
  const element = document.getElementById('data');
  if (element === null) return undefined;
  const text = element.textContent ?? '';
  if (element.getAttribute('type') !== 'application/gzip') return { data: JSON.parse(text), version: undefined };
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return { data: await new Response(plain).json(), version: undefined };
}

/** Reads the data from the server of the page. */
export async function readServed(): Promise<Read> {
  const response = await fetch('data', { cache: 'no-store' });
  if (!response.ok) throw new Error(`the server answers with ${response.status}: ${await response.text()}`);
  const version = Number(/\d+/.exec(response.headers.get('etag') ?? '')?.[0] ?? 0);
  return { data: await response.json(), version };
}
