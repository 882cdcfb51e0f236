import { parse } from 'node:path';
import { runProcess } from './process.ts';

/**
 * Runs the program that a name of the executable stands for: kubectl calls plugins and their completion by their own names.
 *
 * @param path How the executable was called: a name or a path, such as a link's.
 */
export async function runAs(path: string): Promise<void> {
  const { name } = parse(path);
  if (name === 'kubectl_complete-gwpolicy') {
    await runProcess('kubectl gwpolicy', ['__complete', ...process.argv.slice(2)]);
  } else await runProcess(name === 'kubectl-gwpolicy' ? 'kubectl gwpolicy' : 'gwpolicy');
}
