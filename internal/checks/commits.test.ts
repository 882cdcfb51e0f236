import { describe, expect, it } from 'vitest';
import { git } from './files.ts';

/** Subjects have a kind, often a place, and a change; `!` marks a change that breaks users. */
const form = /^(?:feat|fix|refactor|perf|test|docs|build|ci|chore|revert)(?:\([a-z0-9-]+\))?!?: [^\s.].*[^\s.]$/;
const maxLength = 72;

const fits = (subject: string) => form.test(subject) && subject.length <= maxLength;

describe('the subjects of commits', () => {
  it.each([
    ['fix(cluster): frame the body of each DELETE', true],
    ['feat(cli)!: remove serve --as-user', true],
    ['docs: record the exports', true],
    ['Let no busy machine break two tests', false],
    ['fix: ', false],
    ['fix(cli): end with a period.', false],
    ['fix(Some Place): name the place as its folder', false],
    ['merge: keep both tests', false],
    [`docs: ${'long '.repeat(14)}`, false],
  ])('%s: %s', (subject, expected) => {
    expect(fits(subject)).toBe(expected);
  });

  // The commits of main stay as they are. Without Git or a main branch, as in a shallow clone, no commit is known to be new.
  const refs = git('for-each-ref', '--format=%(refname)', 'refs/heads/main', 'refs/remotes/origin/main') ?? '';
  const main = refs.split('\n').filter((ref) => ref !== '');
  const log = main.length > 0 ? git('log', '--no-merges', '--format=%h %s', 'HEAD', '--not', ...main) : undefined;

  it.skipIf(log === undefined)(
    `are "kind(place): change", in at most ${maxLength} characters, unless they are on main`,
    () => {
      const lines = log?.split('\n').filter((line) => line !== '') ?? [];
      expect(lines.filter((line) => !fits(line.slice(line.indexOf(' ') + 1)))).toEqual([]);
    },
  );
});
