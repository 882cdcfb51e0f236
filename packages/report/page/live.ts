import { type Patch, patched } from '../src/lib/data/patch.ts';
import type { ReportData } from '../src/lib/data/report-data.ts';
import { followEvents, type ServerEvent } from './events.ts';
import { whileNothingIsHeld } from './keeping-place.ts';
import { readServed } from './read-data.ts';

/** The texts about the connection of the page. */
const words = {
  live: 'This page is live.',
  lost: 'The connection is lost. The page shows the last known state.',
};

/** The differences between a version of the data and the one before. */
interface Announced {
  readonly version: number;
  readonly patch: Patch;
}

/**
 * Follows the data of the server: differences are taken from its events, and everything is read where these do not suffice. After each change, as
 * much time passes as it took, so that a busy cluster keeps neither the server nor the page from other work.
 *
 * @param first The data that is shown, and its version.
 * @param show Shows newer data.
 * @param tell Says whether the page is live.
 */
export function followServer(
  first: { readonly data: ReportData; readonly version: number },
  show: (data: ReportData) => void,
  tell: (state: keyof typeof words, text: string) => void,
): void {
  const copy = copyOf(first.data, first.version, () => tell('lost', words.lost));
  let isBusy = false;
  const follow = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    try {
      for (let began = performance.now(); await copy.update(); began = performance.now()) {
        await whileNothingIsHeld();
        show(copy.data());
        await pause(performance.now() - began);
      }
    } finally {
      isBusy = false;
    }
  };
  followEvents({
    event: (event) => {
      copy.note(event);
      void follow();
    },
    open: () => tell('live', words.live),
    lost: () => tell('lost', words.lost),
  });
}

/** Returns the page's copy of the data, which takes events about newer versions. */
function copyOf(data: ReportData, version: number, lost: () => void) {
  let newest = version;
  let patches: Announced[] = [];
  return {
    data: () => data,
    note(event: ServerEvent): void {
      if (event.type === 'change') newest = Number(event.data);
      else {
        const announced: Announced = JSON.parse(event.data);
        patches.push(announced);
        newest = announced.version;
      }
    },
    /** Applies the patches; if versions are missing, reads everything. Returns whether there is newer data. */
    async update(): Promise<boolean> {
      const earlierVersion = version;
      for (const next of patches) {
        if (next.version !== version + 1) continue;
        data = patched(data, next.patch);
        version = next.version;
      }
      patches = [];
      if (version < newest) {
        const read = await readServed().catch(() => undefined);
        if (read === undefined)
          lost(); // The next event tries again.
        else ({ data, version = newest } = read);
      }
      return version > earlierVersion;
    },
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
