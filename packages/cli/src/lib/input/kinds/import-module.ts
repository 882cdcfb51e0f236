import { createRequire } from 'node:module';
import { isSea } from 'node:sea';
import { pathToFileURL } from 'node:url';

/**
 * Imports a module that the user names. In a single executable, `import` knows only built-in modules, and `require` also takes ES modules.
 *
 * @param path The absolute path of the module.
 * @returns The exports. Rejects if it cannot be imported.
 */
export async function importModule(path: string): Promise<object> {
  if (!isSea()) return import(pathToFileURL(path).href);
  const exported: object = createRequire(path)(path);
  return { default: exported, ...exported };
}
