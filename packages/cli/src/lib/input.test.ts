import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { cluster, runWith } from './run.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'gwpolicy-input-'));
const at = (path: string) => join(folder, path);
const route = (name: string, namespace = 'shop') => `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: ${name}, namespace: ${namespace} }
spec: { rules: [{}] }
`;
const retries = `
apiVersion: policies.example.com/v1
kind: RetryPolicy
metadata: { name: few, namespace: shop, creationTimestamp: "2026-01-01T00:00:00Z" }
spec: { targetRefs: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, name: cart }], attempts: 1 }
`;

beforeAll(() => {
  mkdirSync(at('deploy/more'), { recursive: true });
  mkdirSync(at('empty/more'), { recursive: true });
  writeFileSync(at('deploy/cart.yaml'), route('cart'));
  writeFileSync(
    at('deploy/more/checkout.json'),
    JSON.stringify({ apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', metadata: { name: 'checkout' } }),
  );
  writeFileSync(at('deploy/notes.txt'), 'no manifest');
  writeFileSync(at('retries.yaml'), retries);
  writeFileSync(at('broken.yaml'), `${route('cart')}---\nkind: HTTPRoute\n---\na: [\n`);
  writeFileSync(
    at('dialects.yaml'),
    'apiVersion: policy-machinery/v1alpha1\nkind: PolicyDialects\nmetadata: { name: ours }\ndialects: { policies.example.com/RetryPolicy: gep713 }\n',
  );
});

const routes = async (...args: readonly string[]) =>
  (await runWith(['get', 'httproutes', '-o', 'name', ...args])).stdout;
const cart = 'httproute.gateway.networking.k8s.io/cart\n';
const checkout = 'httproute.gateway.networking.k8s.io/checkout\n';

describe('-f', () => {
  it('reads files, and folders without their subfolders, as kubectl does', async () => {
    expect(await routes('-f', at('deploy/cart.yaml'))).toBe(cart);
    expect(await routes('-f', at('deploy'))).toBe(cart);
    expect(await routes('-f', at('deploy/cart.yaml'), '-f', at('deploy/more/checkout.json'))).toBe(checkout + cart);
  });

  it('reads subfolders with -R, and asks for that where a folder has nothing else', async () => {
    expect(await routes('-R', '-f', at('deploy'))).toBe(checkout + cart);
    const { stderr, exitCode } = await runWith(['get', '-f', at('empty')]);
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('empty has no .yaml, .yml or .json files; add -R to read its subfolders'),
    ]);
  });

  it.skipIf(process.platform === 'win32').each([[[]], [['-R']]])(
    'reads only regular files in a folder, with the flags %j',
    async (flags) => {
      mkdirSync(at('hostile'), { recursive: true });
      writeFileSync(at('hostile/cart.yaml'), route('cart'));
      const put = (name: string, make: () => void) => existsSync(at(name)) || make();
      put('hostile/pipe.yaml', () => execFileSync('mkfifo', [at('hostile/pipe.yaml')]));
      put('hostile/link.yaml', () => symlinkSync(at('retries.yaml'), at('hostile/link.yaml')));
      const { stdout } = await runWith(['get', '-A', '-f', at('hostile'), ...flags, '-o', 'json']);
      expect(JSON.parse(stdout).items).toEqual([]);
      expect(await routes('-f', at('hostile'), ...flags)).toBe(cart);
    },
  );

  it.skipIf(process.platform === 'win32')('reads no device', async () => {
    const { exitCode, stderr } = await runWith(['lint', '-f', '/dev/zero']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('it is a device; name a file or a directory')]);
  });

  it('reads standard input', async () => {
    const { stdout } = await runWith(['get', 'httproutes', '-o', 'name', '-f', '-'], { stdin: route('cart') });
    expect(stdout).toBe(cart);
  });

  it('reports unreadable input before it reports that an object is not in the input', async () => {
    const { stderr, exitCode } = await runWith(['explain', 'httproute/shop/lost', '-f', at('broken.yaml')]);
    expect(stderr).toMatch(/broken\.yaml:\d+:\d+: error: [\s\S]*HTTPRoute shop\/lost is not in this input/);
    expect(exitCode).toBe(2);
  });

  it('answers about the valid objects, reports the others, and exits with 2', async () => {
    const { stdout, stderr, exitCode } = await runWith(['get', 'httproutes', '-o', 'name', '-f', at('broken.yaml')]);
    expect([exitCode, stdout]).toEqual([2, cart]);
    expect(stderr).toMatch(/broken\.yaml:\d+:\d+: error: .* \[no-kubernetes-object\]/);
    const lint = await runWith(['lint', '-f', at('broken.yaml')]);
    expect(lint.exitCode).toBe(1);
    expect(lint.stdout).toContain('no-kubernetes-object');
  });

  it('notes other files in a folder, and ignores kustomizations', async () => {
    mkdirSync(at('chart'));
    writeFileSync(at('chart/cart.yaml'), route('cart'));
    writeFileSync(at('chart/values.yaml'), 'replicas: 3\n');
    writeFileSync(at('chart/kustomization.yaml'), 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n');
    const { stdout, stderr, exitCode } = await runWith(['lint', '-f', at('chart')]);
    expect([exitCode, stderr]).toEqual([0, '1 note in 0 policies.\n']);
    expect(stdout).toMatch(/note +1 file without Kubernetes objects is skipped: .*chart\/values\.yaml/);
    expect((await runWith(['lint', '-f', at('chart/values.yaml')])).exitCode).toBe(1);
  });

  it('warns of a kind that is misspelled, unless its definition is there', async () => {
    const policy = retries.replace('policies.example.com/v1', 'gateway.envoyproxy.io/v1alpha1');
    const misspelled = policy.replace('RetryPolicy', 'BackendTraficPolicy');
    const message =
      'the kind BackendTraficPolicy is not known, and its definition is not in this input; did you mean BackendTrafficPolicy?';
    const { stdout, exitCode } = await runWith(['lint', '-f', '-'], { stdin: misspelled });
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining(message)]);
    const usual = await runWith(['get', '-f', '-'], { stdin: misspelled });
    expect([usual.stderr, usual.exitCode]).toEqual([expect.stringContaining(message), 0]);
    for (const command of ['get', 'lint', 'status'])
      expect((await runWith([command, '--strict', '-f', '-'], { stdin: misspelled })).exitCode).toBe(2);
    const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: backendtraficpolicies.gateway.envoyproxy.io }
spec:
  group: gateway.envoyproxy.io
  scope: Namespaced
  names: { kind: BackendTraficPolicy, plural: backendtraficpolicies }
  versions:
    - name: v1alpha1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, x-kubernetes-preserve-unknown-fields: true } } } }
`;
    for (const known of [policy, `${misspelled}---${definition}`]) {
      expect((await runWith(['lint', '-f', '-'], { stdin: known })).stdout).not.toContain('did you mean');
    }
  });

  it('does not expect creation times, which the API server sets', async () => {
    const { stdout } = await runWith(['lint', '-f', '-'], {
      stdin: `${route('cart')}---${retries.replace(/, creationTimestamp: "[^"]*"/, '')}`,
    });
    expect(stdout).not.toContain('creation');
  });

  it('shows routes as in force without any Gateway', async () => {
    const { stdout } = await runWith([
      'get',
      '-f',
      at('deploy/cart.yaml'),
      '-f',
      at('retries.yaml'),
      '--dialect',
      'policies.example.com/RetryPolicy=none',
    ]);
    expect(stdout).toMatch(/few +RetryPolicy +HTTPRoute cart +enforced/);
  });
});

describe('-k', () => {
  it('reads the output of kubectl kustomize', async () => {
    const kubectl = (args: readonly string[]) => (args.join(' ') === 'kustomize -- overlays/prod' ? route('cart') : '');
    const { stdout } = await runWith(['get', 'httproutes', '-o', 'name', '-k', 'overlays/prod'], { kubectl });
    expect(stdout).toBe(cart);
  });

  it('hands a folder over, and never a flag', async () => {
    const asked: string[][] = [];
    const kubectl = (args: readonly string[]) => {
      asked.push([...args]);
      return '';
    };
    await runWith(['get', '-k', '--output=x'], { kubectl });
    expect(asked).toEqual([['kustomize', '--', '--output=x']]);
  });
});

describe('-n', () => {
  it.each(['../../x?y', '--all-namespaces', 'Shop', 'a/b', ''])(
    'refuses %j, which is not the name of a namespace',
    async (name) => {
      const asked: string[] = [];
      const kubectl = (args: readonly string[]) => {
        asked.push(args.join(' '));
        return '';
      };
      const { exitCode, stderr } = await runWith(['get', `--namespace=${name}`], { kubectl });
      expect([exitCode, stderr, asked]).toEqual([2, expect.stringContaining('is not the name of a namespace'), []]);
    },
  );
});

describe('--dialect', () => {
  const explain = ['explain', 'httproute/cart', '-f', cluster];

  it('says how policies are merged', async () => {
    const { stdout, stderr } = await runWith([...explain, '--dialect', 'policies.example.com/CachePolicy=gep713']);
    expect(stdout).toMatch(/lost: shop\/carts is more specific\s+\(Atomic defaults\)/);
    expect([stdout, stderr].join('')).not.toContain('not merged');
  });

  it('names the profiles if the given one does not exist, and does not answer', async () => {
    const { stdout, stderr, exitCode } = await runWith([
      ...explain,
      '--dialect',
      'policies.example.com/CachePolicy=gep',
    ]);
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toContain('the profile gep does not exist; take one of gep713, ');
  });
});

describe('--kinds', () => {
  const get = ['get', 'retrypolicies', '-f', at('deploy/cart.yaml'), '-f', at('retries.yaml'), '-o', 'json'];
  const outcome = async (...args: readonly string[]) =>
    JSON.parse((await runWith([...get, ...args])).stdout).items[0].outcome;

  it('reads dialects from YAML', async () => {
    expect(await outcome()).toBe('not-merged');
    expect(await outcome('--kinds', at('dialects.yaml'))).toBe('enforced');
  });

  it('reads policy kinds that a module exports', async () => {
    const own = fileURLToPath(new URL('./own-kind.fixture.ts', import.meta.url));
    const { items } = JSON.parse(
      (await runWith(['kinds', '-o', 'json', '-f', at('retries.yaml'), '--kinds', own])).stdout,
    );
    expect(items).toMatchObject([{ kind: 'RetryPolicy', foundBy: 'yours', merging: 'known' }]);
  });

  it.each([
    ['is not there', 'nothing.mjs', 'cannot be imported'],
    ['declares nothing', 'deploy/cart.yaml', 'has neither CustomResourceDefinitions nor PolicyDialects'],
    ['cannot be read', 'nothing.yaml', 'cannot be read'],
  ])('says that a file %s', async (_what, file, message) => {
    const { stderr, exitCode } = await runWith([...get, '--kinds', at(file)]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
