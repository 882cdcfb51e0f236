import type { OnProgress } from '../input/load.ts';
import type { Output } from '../model/environment.ts';

/** Goes to the beginning of the line, and clears the line. */
const clear = '\r\u001b[2K';

/**
 * Shows the progress of a long read, in one line of a terminal. Writes nothing to a pipe.
 *
 * @returns A callback for the progress, and a function that removes the line.
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
