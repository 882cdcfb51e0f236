import { readFileSync } from 'node:fs';
import { git, root } from '../files.ts';
import type { Budgets } from './budgets.ts';
import { isIn } from './counts.ts';
import { countsIn, isSourceCount, sourcePaths } from './sources.ts';

/** Relative to the root of the repository. */
export const budgetsFile = 'internal/checks/budgets/budgets.json';

/** Returns the budgets. */
export function readBudgets(): Budgets {
  return JSON.parse(readFileSync(root + budgetsFile, 'utf8'));
}

/** Returns the last 20 commits of the budgets, the newest first. Without Git, or without earlier commits, there are fewer. */
function commits(): readonly string[] {
  return git('log', '-n', '20', '--format=%H', '--', budgetsFile)?.split('\n').filter(Boolean) ?? [];
}

/** Returns the committed versions of the budgets that this clone contains. */
export function committedBudgets(): readonly Budgets[] {
  return commits().flatMap((commit) => {
    const text = git('show', `${commit}:${budgetsFile}`);
    return text === undefined ? [] : [JSON.parse(text)];
  });
}

/** Returns the sources that count more than at the last commit of the budgets, as `packages/cli/src/run.ts (+2)`. */
export function grownSources(group: string, name: string): readonly string[] {
  const [commit] = commits();
  if (commit === undefined || !isSourceCount(name)) return [];
  const modified = git('diff', '--name-only', '--no-renames', commit, '--', 'packages') ?? '';
  const added = git('ls-files', '--others', '--exclude-standard', 'packages') ?? '';
  const touched = new Set(`${modified}\n${added}`.split('\n'));
  const paths = sourcePaths().filter((path) => isIn(group, path) && touched.has(path));
  return paths.flatMap((path) => {
    const earlier = countsIn(path, git('show', `${commit}:${path}`) ?? '')[name];
    const growth = countsIn(path, readFileSync(root + path, 'utf8'))[name] - earlier;
    return growth > 0 ? [`${path} (+${growth})`] : [];
  });
}
