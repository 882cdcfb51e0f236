import type { ReportData } from '../src/lib/data/report-data.ts';
import { whileNothingIsHeld } from './keeping-place.ts';
import { readServed } from './read-data.ts';

/** What the page says about its connection. */
const words = {
  live: 'This page is live.',
  lost: 'The connection is lost: this is what was there before.',
};

/**
 * Follows the data of the server. Data is read again when a newer version is announced, one at a time. After each, as much time passes as it took, so
 * that a busy cluster keeps neither the server nor the page from other work.
 *
 * @param version The version that is shown.
 * @param show Shows newer data.
 * @param tell Says whether the page is live.
 */
export function followServer(
  version: number,
  show: (data: ReportData) => void,
  tell: (state: keyof typeof words, text: string) => void,
): void {
  const events = new EventSource('events');
  let [shown, wanted, isReading] = [version, version, false];
  const read = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    try {
      while (shown < wanted) {
        const began = performance.now();
        const read = await readServed().catch(() => undefined);
        if (read === undefined) return tell('lost', words.lost); // The next event tries again.
        await whileNothingIsHeld();
        shown = read.version ?? wanted;
        show(read.data);
        await pause(performance.now() - began);
      }
    } finally {
      isReading = false;
    }
  };
  events.addEventListener('change', ({ data }: MessageEvent<string>) => {
    wanted = Number(data);
    void read();
  });
  events.addEventListener('open', () => tell('live', words.live));
  events.addEventListener('error', () => tell('lost', words.lost));
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
