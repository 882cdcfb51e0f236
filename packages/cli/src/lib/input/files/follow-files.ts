import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from '../../model/world.ts';

/** How long files are quiet before they are read again, in milliseconds: editors and git write in several steps. */
const quiet = 50;

export interface FollowedFiles {
  readonly paths: readonly string[];
  /** Whether the subfolders of folders count. */
  readonly recursive: boolean;
  readonly signal: AbortSignal;
  readonly read: () => Promise<World>;
  /** Called with the error if files cannot be read again, or followed. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Follows files: reads them, and reads them again each time that one of them may have changed.
 *
 * @param files The files, and how to read them.
 * @returns Yields the objects. Ends when the signal aborts. Rejects if the first reading fails; a later one that fails changes nothing.
 */
export async function* followFiles({ paths, recursive, signal, read, onFault }: FollowedFiles): AsyncGenerator<World> {
  let isChanged = false;
  let wake = (): void => {};
  const note = (): void => {
    isChanged = true;
    wake();
  };
  const watchers = paths.flatMap((path) => watcherOf(path, recursive, note, onFault));
  const onAbort = (): void => wake();
  signal.addEventListener('abort', onAbort);
  try {
    yield await read();
    while (!signal.aborted) {
      const waiting = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (!isChanged) await waiting;
      await sleep(quiet, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      isChanged = false;
      try {
        yield await read();
      } catch (error) {
        onFault(error);
      }
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    for (const watcher of watchers) watcher.close();
  }
}

/** Follows a folder, or a file by its folder: editors put a new file in its place. Reading says if there is none. */
function watcherOf(
  path: string,
  recursive: boolean,
  note: () => void,
  onFault: (error: unknown) => void,
): readonly FSWatcher[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
  if (isFolder === undefined) return [];
  try {
    const watcher = isFolder
      ? watch(path, { recursive }, note)
      : watch(dirname(path), (_event, name) => {
          if (name === null || name === basename(path)) note();
        });
    return [watcher.on('error', onFault)];
  } catch (error) {
    onFault(error);
    return [];
  }
}
