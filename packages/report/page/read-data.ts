import type { ReportData } from '../src/lib/data/report-data.ts';

/** Reads the data of the page, which may be compressed. */
export async function readData(): Promise<ReportData> {
  const element = document.getElementById('data');
  const text = element?.textContent ?? '';
  if (element?.getAttribute('type') !== 'application/gzip') return JSON.parse(text);
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(plain).json();
}
