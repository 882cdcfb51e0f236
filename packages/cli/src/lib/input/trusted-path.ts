import { delimiter, isAbsolute, resolve, sep } from 'node:path';

/** The folder that `npx` and `npm run` put first into the PATH: the folder of the current checkout, where a pull request can commit programs. */
const npmFolder = `${sep}node_modules${sep}.bin`;

/**
 * Returns a PATH without the folders that a checkout can fill: relative ones, and `node_modules/.bin`. So neither `git` nor `kubectl`, nor a program
 * that these start, is one that others have committed.
 *
 * @param path The PATH. Default: the PATH of this process.
 */
export function trustedPath(path = process.env.PATH ?? ''): string {
  const isTrusted = (folder: string) => isAbsolute(folder) && !resolve(folder).endsWith(npmFolder);
  return path.split(delimiter).filter(isTrusted).join(delimiter);
}
