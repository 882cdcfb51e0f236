import type { OnProgress } from '../input/load.ts';
import type { Output } from './environment.ts';

/** Goes to the beginning of the line, and clears the line. */
const clear = '\r\u001b[2K';

/**
 * Shows how far a long read has come, in one line of a terminal. On a pipe, nothing is shown.
 *
 * @param stderr Where to.
 * @returns What takes the progress, and what removes the line again.
 */
export function createProgress(stderr: Output): { readonly onProgress: OnProgress; end(): void } {
  let isShown = false;
  return {
    onProgress(done, all) {
      if (!stderr.isTTY) return;
      isShown = true;
      stderr.write(`${clear}Reading the cluster: ${done} of ${all} kinds`);
    },
    end() {
      if (isShown) stderr.write(clear);
      isShown = false;
    },
  };
}
