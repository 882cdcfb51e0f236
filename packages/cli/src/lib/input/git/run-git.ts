import { spawn } from 'node:child_process';
import { devNull } from 'node:os';
import { UsageError } from '../../model/usage-error.ts';

/**
 * Settings that prevail over the configuration of the repository, so that git starts no other program for it. A folder that looks like a bare
 * repository is data: git only takes a `.git` for a repository.
 */
const settings = [
  'safe.bareRepository=explicit',
  'protocol.allow=never',
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  `core.attributesFile=${devNull}`,
  'core.pager=cat',
  'diff.external=',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

/** The same for options without a setting, and for settings that a more specific one overrides. */
const variables = {
  GIT_ALLOW_PROTOCOL: '',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
};

/**
 * Runs a command of git that only reads the object database, without anything that the configuration of the repository could start.
 *
 * @param args The command, with its arguments.
 * @param what A name for the data, for the message of an error.
 * @param input The standard input of git. Default: none.
 * @returns The output of git. Rejects with a {@link UsageError} that contains the message of git.
 */
export function runGit(top: string, args: readonly string[], what: string, input = ''): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['--no-pager', ...settings, ...args], {
      cwd: top,
      env: { ...process.env, ...variables },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const [output, errors]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', (error) => reject(new UsageError(`git cannot be run: ${error.message}`)));
    child.on('close', (code) => {
      const said = Buffer.concat(errors).toString('utf8').trim();
      if (code === 0) resolve(Buffer.concat(output));
      else reject(new UsageError(`git cannot read ${what}: ${said.replace(/^fatal: /, '')}`));
    });
    child.stdin.on('error', () => undefined); // The message of git is enough.
    child.stdin.end(input);
  });
}
