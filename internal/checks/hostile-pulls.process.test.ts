import { lstatSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { Ci, pullFrom } from './ci.fixture.ts';
import { mutated } from './hostile-mutations.fixture.ts';
import { attacks, type Checkout, guarantee, open, PullRequests } from './hostile-pulls.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
let ci: Ci;
let pulls: PullRequests;

beforeAll(async () => {
  ci = await Ci.install(folder);
  pulls = new PullRequests(folder);
});

const unrendered = attacks['renders a route elsewhere']?.files ?? {};

const scripts = {
  action: ({ repository, base }: Checkout, inputs: Readonly<Record<string, string>> = { guarantees: 'guarantees' }) => {
    const given = Object.entries(inputs).map(([name, value]) => [name.toUpperCase().replaceAll('-', '_'), value]);
    const all = { PATH: 'deploy', ...Object.fromEntries(given) };
    return ci.action(repository, pullFrom('stranger', base), all, 'http://127.0.0.1:9');
  },
  component: (
    { repository, base }: Checkout,
    inputs: Readonly<Record<string, string>> = { guarantees: 'guarantees' },
  ) =>
    ci.component(repository, { path: 'deploy', ...inputs }, { TMPDIR: folder, CI_MERGE_REQUEST_DIFF_BASE_SHA: base }),
} as const;

describe.skipIf(process.platform === 'win32').each(['action', 'component'] as const)('the %s', (name) => {
  const run = async (checkout: Checkout, inputs?: Readonly<Record<string, string>>) => {
    const ran = await scripts[name](checkout, inputs);
    return {
      code: ran.code,
      said: [ran.stdout, ran.stderr, 'summary' in ran ? ran.summary : ''].join('\n').replaceAll('\\', ''),
    };
  };

  it('passes a pull request that keeps the guarantees', async () => {
    const { code, said } = await run(pulls.with({ 'README.md': 'Manifests of a big shop.\n' }));
    expect([code, said]).toEqual([0, expect.stringContaining('Nothing changes for any policy.')]);
  });

  it.each([
    [
      'passes a pull request that opens nothing',
      { 'README.md': 'Manifests of a big shop.\n' },
      true,
      'No request is newly open.',
    ],
    ['fails a pull request that opens a route', open, false, 'Requests that were refused or protected are open now:'],
    ['fails a pull request that may open one', unrendered, false, 'It is undecided whether a request is newly open:'],
  ] as const)('%s, with no-new-access in place of guarantees', async (_what, files, isPassed, sentence) => {
    const inputs = { 'no-new-access': 'true', 'fail-on': 'none' };
    const { code, said } = await run(pulls.with(files), inputs);
    expect(said).toContain(sentence);
    expect(code === 0).toBe(isPassed);
  });

  // Both scripts run gwpolicy with the same flags, so each attack runs in one of them; `npm run check` runs all in both.
  const own = Object.entries(attacks).filter(
    (_, index) => process.env.LONG_WAITS !== undefined || (index % 2 === 0) === (name === 'action'),
  );

  it.each(own)('fails a pull request that %s, and names it', async (_what, { files, sentence }) => {
    const { code, said } = await run(pulls.with(files));
    expect(said).toMatch(sentence);
    expect(code).not.toBe(0);
  });
});

describe.skipIf(process.platform === 'win32')(
  'the action, on a pull request that began before a guarantee was added',
  () => {
    it('verifies the guarantee', async () => {
      const named = guarantee('route.name != "evil" && has(policies.SecurityPolicy.spec.jwt)').replace(
        'login',
        'named',
      );
      const checkout = pulls.stale(open, { 'guarantees/named.yaml': named });
      const { code, summary } = await scripts.action(checkout);
      expect([code, summary.replaceAll('\\', '')]).toEqual([1, expect.stringContaining('named (base)')]);
    });
  },
);

describe.skipIf(process.platform === 'win32')('the files of the component', () => {
  it('replace links, and leave their targets unchanged', async () => {
    const links = { 'lint.xml': { link: 'deploy/cart.yaml' }, 'policies.md': { link: 'guarantees' } };
    const checkout = pulls.with(links);
    const before = readFileSync(join(checkout.repository, 'deploy/cart.yaml'), 'utf8');
    expect((await scripts.component(checkout)).code).toBe(0);
    for (const name of Object.keys(links)) expect(lstatSync(join(checkout.repository, name)).isFile()).toBe(true);
    expect(readFileSync(join(checkout.repository, 'deploy/cart.yaml'), 'utf8')).toBe(before);
  });
});

describe.skipIf(process.platform === 'win32')('mutated attacks', () => {
  const seconds = Number(process.env.FUZZ_SECONDS ?? 0);

  it(
    'fail, whatever their spelling, and whatever attack is beside them',
    async () => {
      const property = fc.asyncProperty(mutated(attacks), async ({ files }) => {
        const { code, stdout, stderr } = await scripts.component(pulls.with(files));
        expect(code).not.toBe(0);
        expect(stderr).not.toMatch(/^ +at /m);
        expect(`${stdout}${stderr}`).toMatch(/evil|login|cart\.example\.com/);
      });
      const bounds = seconds === 0 ? { numRuns: 4 } : { numRuns: 1e6, interruptAfterTimeLimit: seconds * 1000 };
      await fc.assert(property, { ...bounds, endOnFailure: true });
    },
    120_000 + seconds * 1000,
  );
});
