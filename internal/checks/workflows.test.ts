import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { filesOf, root } from './files.ts';
import { newestNode, oldestNode } from './packages.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly uses?: string;
  readonly steps?: readonly Step[];
  readonly strategy?: { readonly matrix: { readonly include?: readonly Readonly<Record<string, string>>[] } };
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const workflows = filesOf('.github/workflows/*').map((path) => {
  const text = readFileSync(root + path, 'utf8');
  return [path, text, parse(text) as Workflow] as const;
});

const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap((job) => [job, ...(job.steps ?? [])] as Step[]);
const scripts = Object.keys(JSON.parse(readFileSync(`${root}package.json`, 'utf8')).scripts);

describe.each(workflows)('%s', (_path, text, workflow) => {
  it('pins each action by the hash of a commit, and says which version that is', () => {
    const lines = text.split('\n').filter((line) => /^\s*(?:- )?uses:/.test(line));
    const used = stepsOf(workflow).flatMap(({ uses }) => uses ?? []);
    expect(lines).toHaveLength(used.length);
    const isPinned = (line: string) =>
      /uses: (?:\.\/\S+|[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/.test(line);
    expect(lines.filter((line) => !isPinned(line))).toEqual([]);
  });

  it('runs scripts of package.json alone, so that you can run them as well', () => {
    const commands = stepsOf(workflow).flatMap(({ run }) => run ?? []);
    const names = commands.map((command) => /^npm (?:run )?([a-z:]+)$/.exec(command)?.[1] ?? command);
    expect(names.filter((name) => !scripts.includes(name))).toEqual([]);
  });

  it('lets no job write unless the job says so', () => {
    expect(workflow.permissions).toBeDefined();
    expect(Object.values(workflow.permissions ?? {}).filter((may) => may !== 'read')).toEqual([]);
  });
});

it('Pull requests are checked on the oldest and on the newest Node that the packages support', () => {
  const check = workflows.find(([path]) => path.endsWith('/check.yml'))?.[2];
  expect(check?.jobs.everything?.strategy?.matrix.include).toEqual([{ node: oldestNode }, { file: '.nvmrc' }]);
  expect([oldestNode, newestNode]).toEqual([
    expect.stringMatching(/^\d+\.\d+\.\d+$/),
    expect.stringMatching(/^\d+\.\d+\.\d+$/),
  ]);
});
