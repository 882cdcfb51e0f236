import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from './commands/commands.ts';
import { cluster, runWith, type TestEnvironment } from './run.fixture.ts';

/** Returns the candidates and the directive for a command line whose last word is completed. */
async function completed(line: readonly string[], environment?: TestEnvironment) {
  const { stdout, exitCode } = await runWith(['__complete', ...line], environment);
  const lines = stdout.split('\n');
  expect([exitCode, lines.at(-1), lines.at(-2)]).toEqual([0, '', expect.stringMatching(/^:\d$/)]);
  return { words: lines.slice(0, -2).map((each) => each.split('\t')[0]), directive: lines.at(-2) };
}

const timeouts = join(mkdtempSync(join(tmpdir(), 'gwpolicy-fields-')), 'timeouts.yaml');
writeFileSync(
  timeouts,
  `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: cart, namespace: shop }
spec: { parentRefs: [{ name: public }] }
---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: { name: cart, namespace: shop }
spec:
  targetRefs: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, name: cart }]
  timeout: { tcp: { connectTimeout: 5s } }
  retry: { numRetries: 2 }
`,
);

describe('completion', () => {
  it('answers with one candidate on each line, its description after a tab, and the directive at the end', async () => {
    const { stdout } = await runWith(['__complete', 'rea']);
    expect(stdout).toBe('reach\tShow where a policy has effect, and where other policies prevail.\n:4\n');
  });

  it('takes the quotes of an empty word, as PowerShell sends them, for an empty word', async () => {
    expect(await completed(['lint', '--fail-on', '""'])).toEqual(await completed(['lint', '--fail-on', '']));
  });

  it('knows all commands', async () => {
    expect(await completed([''])).toEqual({ words: commands.map(({ name }) => name), directive: ':4' });
  });

  it.each([
    ['flags of a command', ['lint', '--fa'], ['--fail-on'], ':4'],
    ['values of a flag', ['lint', '--fail-on', ''], ['error', 'warning', 'lost', 'none'], ':4'],
    ['formats of a command', ['graph', '-o', ''], ['mermaid', 'dot', 'json', 'yaml'], ':4'],
    ['files', ['lint', '-f', ''], [], ':0'],
    ['kinds of targets, without a space after them', ['explain', 'httpr'], ['httproute/'], ':6'],
    ['kinds of policies', ['reach', 'clients'], ['clientsettingspolicy/'], ':6'],
    ['kinds as whole words', ['get', 'tlsr'], ['tlsroute'], ':4'],
    ["kinds of one's own, from files", ['reach', '-f', cluster, 'cach'], ['cachepolicy/'], ':6'],
    [
      'names from files',
      ['explain', '-f', cluster, 'httproute/'],
      ['cart', 'checkout', 'search'].map((name) => `httproute/shop/${name}`),
      ':4',
    ],
    ['names in a namespace', ['tree', '-f', cluster, '-n', 'infra', 'gtw/'], ['gtw/internal', 'gtw/public'], ':4'],
    [
      'fields of an effective spec, set ones first and others from the schema',
      ['explain', '-f', timeouts, 'httproute/cart', '/t'],
      ['/timeout', '/tcpKeepalive', '/telemetry'],
      ':6',
    ],
    [
      'fields within a field',
      ['explain', '-f', timeouts, 'httproute', 'cart', '/timeout/tcp/'],
      ['/timeout/tcp/connectTimeout'],
      ':6',
    ],
    ['no fields of a target that does not exist', ['explain', '-f', timeouts, 'httproute/none', '/'], [], ':6'],
    ['concerns', ['verify', '--every', 'authe'], ['authentication'], ':6'],
    [
      'kinds, with the group if several share the name',
      ['verify', '--every', 'TelemetryPolicy.e'],
      ['TelemetryPolicy.extensions.kuadrant.io'],
      ':6',
    ],
    [
      'fields of a kind, from the schema of a release',
      ['guarantee', 'new', '--every', 'SecurityPolicy.jwt.o'],
      ['SecurityPolicy.jwt.optional'],
      ':6',
    ],
    [
      'fields of a kind in the input',
      ['verify', '-f', timeouts, '--every', 'BackendTrafficPolicy.requ'],
      ['BackendTrafficPolicy.requestBuffer'],
      ':6',
    ],
    ['nothing after the last argument', ['reach', 'cachepolicy/carts', ''], [], ':4'],
    ['nothing for what is unknown', ['explain', 'nosuchkind/'], [], ':4'],
  ])('completes %s: %j', async (_what, line, words, directive) => {
    expect(await completed(line)).toEqual({ words, directive });
  });

  it('asks kubectl for names, namespaces and contexts of the cluster that the flags mean', async () => {
    const asked: string[] = [];
    const kubectl = (args: readonly string[]) => {
      asked.push(args.join(' '));
      return args.includes('namespaces')
        ? 'namespace/infra\nnamespace/shop\n'
        : 'httproute.gateway.networking.k8s.io/cart\n';
    };
    expect((await completed(['explain', '--context', 'prod', '-n', 'shop', 'httproute/'], { kubectl })).words).toEqual([
      'httproute/cart',
    ]);
    expect((await completed(['get', '-n', 's'], { kubectl })).words).toEqual(['shop']);
    expect(asked).toEqual([
      '--context prod --namespace shop get httproute.gateway.networking.k8s.io --output name',
      'get namespaces --output name',
    ]);
  });

  it('offers nothing if kubectl fails', async () => {
    expect(await completed(['explain', 'httproute/'])).toEqual({ words: [], directive: ':4' });
  });
});

describe('the script for', () => {
  it.each(['bash', 'zsh', 'fish', 'powershell'])('%s asks the program', async (shell) => {
    const { stdout, exitCode } = await runWith(['completion', shell]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('gwpolicy __complete')]);
  });

  it('other shells does not exist', async () => {
    const { stderr, exitCode } = await runWith(['completion', 'tcsh']);
    expect([exitCode, stderr]).toEqual([
      2,
      'gwpolicy: "tcsh" is not a shell; use one of bash, zsh, fish, powershell\n',
    ]);
  });

  it.skipIf(process.platform === 'win32')('bash completes words, without their descriptions', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gwpolicy-completion-'));
    const { stdout } = await runWith(['completion', 'bash']);
    writeFileSync(join(folder, 'script'), stdout);
    const program = `gwpolicy() { printf '%s\\tdescribed\\n' "asked-for-$2" "and-$3"; echo :6; }
      compopt() { echo "compopt $*"; }
      complete() { :; }
      source ${folder}/script
      COMP_WORDS=(gwpolicy explain http) COMP_CWORD=2
      _gwpolicy
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const said = execFileSync('bash', ['-c', program], { encoding: 'utf8' });
    expect(said).toBe('compopt -o nospace\ncompopt +o default\nasked-for-explain\nand-http\n');
  });
});

/** Names that shells would evaluate. None is a name that an API server accepts, but files can have them. */
const hostile = [
  'zz$(touch$IFS""PWNED)',
  'zz`touch$IFS""PWNED`',
  'zz;touch PWNED',
  'zz&&touch PWNED',
  "zz'$(touch PWNED)'",
  'zz|touch PWNED',
];

const manifest = hostile
  .map(
    (name) =>
      `apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: ${JSON.stringify({ name, namespace: 'a' })}\n`,
  )
  .join('---\n');

/** Returns whether a shell is installed, and says so if it is not. */
function hasShell(name: string): boolean {
  const isInstalled = spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
  if (!isInstalled) console.warn(`${name} is not installed, so its completion is not tested`);
  return isInstalled;
}

describe.skipIf(process.platform === 'win32')('names of objects', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gwpolicy-hostile-'));
  const file = join(folder, 'gateways.yaml');
  writeFileSync(file, manifest);
  const isHarmed = () => existsSync(join(folder, 'PWNED'));

  /** Writes a program `gwpolicy` that answers as ours, and returns the script of a shell. */
  async function prepared(shell: string) {
    const { stdout: answer } = await runWith(['__complete', 'explain', '-f', file, 'gateway/']);
    writeFileSync(join(folder, 'answer'), answer);
    writeFileSync(join(folder, 'gwpolicy'), `#!/bin/sh\ncat ${join(folder, 'answer')}\n`, { mode: 0o755 });
    const { stdout } = await runWith(['completion', shell]);
    writeFileSync(join(folder, `script.${shell}`), stdout);
    return { cwd: folder, encoding: 'utf8', env: { ...process.env, PATH: `${folder}:${process.env.PATH}` } } as const;
  }

  it('are words that bash does not evaluate when they are inserted', async () => {
    const options = await prepared('bash');
    const program = `source script.bash
      COMP_WORDS=(gwpolicy explain -f x gateway/) COMP_CWORD=4
      _gwpolicy 2>/dev/null
      for word in "\${COMPREPLY[@]}"; do eval "printf '%s\n' $word"; done`;
    const words = execFileSync('bash', ['-c', program], options).trimEnd().split('\n');
    expect(words.sort()).toEqual(hostile.map((name) => `gateway/a/${name}`).sort());
    expect(isHarmed()).toBe(false);
  });

  it.runIf(hasShell('fish'))('are words that fish does not evaluate', async () => {
    const options = await prepared('fish');
    const program = `source script.fish
      for word in (complete --escape --do-complete "gwpolicy explain -f x gateway/"); eval "printf '%s\\n' $word"; end`;
    const words = execFileSync('fish', ['--no-config', '-c', program], options).trimEnd().split('\n');
    expect(words.sort()).toEqual(hostile.map((name) => `gateway/a/${name}`).sort());
    expect(isHarmed()).toBe(false);
  });

  it.runIf(hasShell('pwsh'))('are words that PowerShell does not evaluate when they are inserted', async () => {
    const options = await prepared('powershell');
    const program = `Get-Content -Raw script.powershell | Invoke-Expression
      $line = 'gwpolicy explain -f x gateway/'
      foreach ($match in (TabExpansion2 $line $line.Length).CompletionMatches) {
        Invoke-Expression "Write-Output $($match.CompletionText)"
      }`;
    const words = execFileSync('pwsh', ['-NoProfile', '-NonInteractive', '-Command', program], options);
    expect(words.trimEnd().split('\n').sort()).toEqual(hostile.map((name) => `gateway/a/${name}`).sort());
    expect(isHarmed()).toBe(false);
  });

  it.runIf(hasShell('zsh'))('are words that zsh does not evaluate', async () => {
    const options = await prepared('zsh');
    const answer = readFileSync(join(folder, 'answer'), 'utf8');
    for (const name of hostile) {
      writeFileSync(join(folder, 'answer'), `gateway/a/${name}\n:4\n`);
      const program = `zmodload zsh/zpty
        zpty -b inner zsh -f -i
        zpty -w inner 'PS1=; cd ${folder}; autoload -U compinit; compinit -D -u; source script.zsh'
        zpty -w -n inner $'gwpolicy explain -f x gateway/\t\n'
        zpty -w inner 'print done''-here'
        repeat 200; do zpty -r -t inner line || sleep 0.05; [[ $line == *done-here* ]] && break; done
        zpty -d inner`;
      execFileSync('zsh', ['-f', '-c', program], options);
      expect(isHarmed(), name).toBe(false);
    }
    writeFileSync(join(folder, 'answer'), answer);
  });

  it("are left out for kubectl's script, which does not quote them", async () => {
    const { stdout } = await runWith(['__complete', 'explain', '-f', file, 'gateway/'], {
      programName: 'kubectl gwpolicy',
    });
    expect(stdout).toBe(':4\n');
  });

  it('are left out if they have characters that a terminal obeys, or several lines', async () => {
    const evil = join(folder, 'evil.yaml');
    const names = ['a\u001b[2J', 'b\n:0', 'c\td'];
    writeFileSync(
      evil,
      names
        .map((name) =>
          JSON.stringify({
            apiVersion: 'gateway.networking.k8s.io/v1',
            kind: 'Gateway',
            metadata: { name, namespace: 'a' },
          }),
        )
        .join('\n---\n'),
    );
    const { stdout } = await runWith(['__complete', 'explain', '-f', evil, 'gateway/']);
    expect(stdout).toBe(':4\n');
  });
});
