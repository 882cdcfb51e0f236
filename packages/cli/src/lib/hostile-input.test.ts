import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runWith } from './run.fixture.ts';

/** How long to try, in seconds. Default: a fixed number of runs. `npm run fuzz` tries for ten minutes. */
const seconds = Number(process.env.FUZZ_SECONDS ?? 0);

const payload = '$(touch PWNED)';
const texts = fc.constantFrom(
  payload,
  '`touch PWNED`',
  ';touch PWNED;',
  '::error::x',
  '##[group]x',
  '--output=x',
  '-',
  '..',
  '\u001b[2J',
  'a\nb',
  '\u202ex',
  '\uffff',
  '@owner',
  '__proto__',
  'cart',
  'shop',
);

const metadata = fc.record({
  name: texts,
  namespace: fc.option(texts, { nil: undefined }),
  labels: fc.dictionary(texts, texts, { maxKeys: 2 }),
});
const targetRef = fc.record({
  group: fc.constant('gateway.networking.k8s.io'),
  kind: fc.constant('Gateway'),
  name: texts,
});
const policies = fc.record({
  apiVersion: fc.constant('gateway.envoyproxy.io/v1alpha1'),
  kind: fc.constant('BackendTrafficPolicy'),
  metadata,
  spec: fc.record({ targetRefs: fc.array(targetRef, { maxLength: 2 }), timeout: fc.jsonValue() }),
});
const targets = fc.record({
  apiVersion: fc.constant('gateway.networking.k8s.io/v1'),
  kind: fc.constantFrom('Gateway', 'HTTPRoute', 'ListenerSet'),
  metadata,
  spec: fc.dictionary(texts, fc.jsonValue(), { maxKeys: 3 }),
});
const objects = fc.oneof(policies, targets, fc.record({ apiVersion: texts, kind: texts, metadata }));
const lists = fc
  .array(objects, { minLength: 1, maxLength: 6 })
  .map((items) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
const contents = fc.oneof(
  lists,
  fc.constantFrom('a: &a [*a]', 'kind: [', '!!js/function x', '%YAML 9', '\u0000', 'pattern: ^(a+)+$'),
  fc.constantFrom(
    'ref: refs/heads/main\n',
    `[core]\n\tbare = true\n\tfsmonitor = "touch PWNED"\n\tsshCommand = touch PWNED\n`,
    `* filter=x diff=x\n`,
  ),
);

/** Names of files that gwpolicy reads, and of those that git would obey. */
const fileNames = fc.oneof(
  fc.constantFrom(
    'a.yaml',
    'b.yml',
    'c.json',
    'deploy/a.yaml',
    'deploy/HEAD',
    'deploy/config',
    'deploy/.gitattributes',
    '.gitattributes',
    '.gitmodules',
    'deploy/objects/x',
    'deploy/refs/x',
    'a.policy-test.yaml',
    'kustomization.yaml',
  ),
  fc.constantFrom(`${payload}.yaml`, '::error::x.yaml', '-x.yaml', 'a b.yaml', '\u001b[2J.yaml'),
);
const links = fc.record({
  name: fc.constantFrom('link.yaml', 'deploy/link.yaml', 'linked'),
  to: fc.constantFrom('/etc/passwd', '/dev/zero', '..', 'a.yaml', 'deploy', '/proc/self/environ'),
});

const paths = fc.constantFrom('.', 'deploy', 'a.yaml', 'link.yaml', 'linked', `${payload}.yaml`, 'nowhere', '-x.yaml');
const refs = fc.constantFrom(
  'main',
  'HEAD',
  'main..branch',
  'branch...main',
  `${payload}..main`,
  '--upload-pack=touch PWNED',
  'main..--output=PWNED',
  'main:..main',
  'HEAD~1..HEAD',
  '@{-1}..@',
  '..',
  '',
);
const commands = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('get', 'lint', 'tree', 'kinds', 'report', 'graph', 'status'),
      fc.constantFrom('table', 'wide', 'json', 'yaml', 'name', 'markdown', 'sarif', 'junit', 'github', 'html', 'dot'),
      paths,
      fc.boolean(),
    )
    .map(([command, format, path, isDeep]) => [
      command,
      `--output=${format}`,
      `--filename=${path}`,
      ...(isDeep ? ['-R'] : []),
    ]),
  fc
    .tuple(fc.constantFrom('explain', 'reach'), texts, paths)
    .map(([command, name, path]) => [command, `gateway/${name}`, `--filename=${path}`]),
  fc
    .tuple(refs, fc.array(paths, { maxLength: 2 }))
    .map(([ref, more]) => ['diff', `--git=${ref}`, ...more.map((path) => `./${path}`)]),
  fc.tuple(texts, paths).map(([namespace, path]) => ['lint', `--namespace=${namespace}`, `--filename=${path}`]),
  fc.tuple(texts, paths).map(([word, path]) => ['__complete', 'explain', '-f', path, word]),
  fc.tuple(texts).map(([folder]) => ['get', `--kustomize=${folder}`]),
  paths.map((path) => ['test', path]),
);

const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false', ...args], {
    cwd,
    stdio: 'ignore',
  });

/** Everything in a folder, with the content of each file. Links are not followed. */
function snapshot(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      if (entry.isSymbolicLink()) return `${path} -> ${readlinkSync(path)}`;
      return entry.isFile() ? `${path} ${readFileSync(path, 'base64')}` : path;
    })
    .sort();
}

interface Repository {
  readonly files: readonly (readonly [name: string, text: string])[];
  readonly links: readonly { readonly name: string; readonly to: string }[];
  readonly isRepository: boolean;
}

function create(folder: string, { files, links: all, isRepository }: Repository): void {
  const tried = (make: () => void) => {
    try {
      make();
    } catch {
      // Names collide, and not every system has all of them.
    }
  };
  for (const [name, text] of files) {
    tried(() => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    });
  }
  for (const { name, to } of all) tried(() => symlinkSync(to, join(folder, name)));
  if (!isRepository) return;
  git(folder, 'init', '--quiet', '--initial-branch=main');
  tried(() => git(folder, 'add', '--all', '--force'));
  git(folder, 'commit', '--quiet', '--allow-empty', '--message=first');
  git(folder, 'checkout', '--quiet', '-b', 'branch');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message=second');
}

/** What a terminal or CI would obey: escape sequences and other controls, and commands of GitHub Actions. */
const obeyed = /(?![\n\t])[\p{Cc}\u202a-\u202e]|^\s*(::|##\[)/mu;

describe.skipIf(process.platform === 'win32')('whatever files, links, names and revisions there are', () => {
  it('gwpolicy starts nothing that they say, writes no file, ends, and prints nothing that a terminal or CI obeys', {
    timeout: 3_600_000,
  }, async () => {
    const here = process.cwd();
    const folder = mkdtempSync(join(tmpdir(), 'gwpolicy-fuzz-'));
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.record({
            files: fc
              .tuple(fc.tuple(fc.constant('a.yaml'), lists), fc.array(fc.tuple(fileNames, contents), { maxLength: 5 }))
              .map(([first, more]) => [first, ...more]),
            links: fc.array(links, { maxLength: 2 }),
            isRepository: fc.boolean(),
          }),
          fc.array(commands, { minLength: 1, maxLength: 4 }),
          async (repository, lines) => {
            const place = mkdtempSync(join(folder, 'repository-'));
            create(place, repository);
            process.chdir(place);
            const before = snapshot(place);
            for (const line of lines) {
              const { stdout, stderr, exitCode } = await runWith(line);
              expect([0, 1, 2, 3]).toContain(exitCode);
              if (!line.includes('--output=github') && !line.includes('--output=html'))
                expect(stdout, line.join(' ')).not.toMatch(obeyed);
              expect(stderr, line.join(' ')).not.toMatch(obeyed);
            }
            expect(snapshot(place)).toEqual(before);
            process.chdir(here);
            rmSync(place, { recursive: true });
          },
        ),
        seconds > 0
          ? { numRuns: 1_000_000, interruptAfterTimeLimit: seconds * 1000, seed: Date.now() }
          : { numRuns: 60 },
      );
    } finally {
      process.chdir(here);
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
