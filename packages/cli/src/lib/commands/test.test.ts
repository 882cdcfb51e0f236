import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  retryPolicyDefinition as definition,
  type Folder,
  folderWith,
  retries,
  routes,
} from '../changes/cli.fixture.ts';

const house = retries('infra/house', 'Gateway public', 'defaults: { strategy: patch, attempts: 3, perTry: 2s }');
const careful = retries('shop/careful', 'HTTPRoute cart', 'attempts: 0');
const deploy = {
  'deploy/routes.yaml': routes,
  'deploy/crd.yaml': definition,
  'deploy/policies.yaml': [house, careful].join('---'),
};

const allowed = `
apiVersion: security.istio.io/v1
kind: AuthorizationPolicy
metadata: { name: health, namespace: istio-system }
spec: { rules: [{ to: [{ operation: { paths: [/healthz] } }] }] }
`;

const head = 'apiVersion: policy-machinery/v1alpha1\nkind: PolicyTest\nresources: [deploy]\ncases:\n';
const cases = `
  - name: the cart is careful # and stays so
    target: HTTPRoute shop/cart
    policy: RetryPolicy
    via: Gateway infra/public#http
    spec: { attempts: 0 }
    setBy: { /attempts: shop/careful, /perTry: infra/house }
  - name: checkout retries as the house says
    target: HTTPRoute shop/checkout
    policy: RetryPolicy
    spec: { attempts: 3, perTry: 2s }
    exactly: true
  - outcome: { policy: RetryPolicy infra/house, is: partly-enforced }
  - name: a request to the cart
    request: { url: "http://shop.example.com/cart" }
    takenBy: HTTPRoute shop/cart#show
    meets: { RetryPolicy: { attempts: 0 } }
  - name: without the careful policy
    change: { remove: [RetryPolicy shop/careful] }
    then:
      - { target: HTTPRoute shop/cart, policy: RetryPolicy, spec: { attempts: 3 } }
      - { outcome: { policy: RetryPolicy infra/house, is: enforced } }
  - name: without the Gateway
    change: { remove: [Gateway infra/public] }
    then:
      - { target: HTTPRoute shop/cart, policy: RetryPolicy, spec: null }
      - { request: { url: "http://shop.example.com/cart" }, takenBy: null }
`;

function tests(text: string, more: Readonly<Record<string, string>> = {}): Folder {
  return folderWith({ ...deploy, 'a.policy-test.yaml': head + text, ...more });
}

describe('gwpolicy test', () => {
  it('passes if all cases hold', async () => {
    const { code, stdout, stderr } = await tests(cases).gwpolicy('test', '@');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatchInlineSnapshot(`
      "a.policy-test.yaml
        pass  the cart is careful
        pass  checkout retries as the house says
        pass  outcome RetryPolicy infra/house
        pass  a request to the cart
        pass  without the careful policy: RetryPolicy of HTTPRoute shop/cart
        pass  without the careful policy: outcome RetryPolicy infra/house
        pass  without the Gateway: RetryPolicy of HTTPRoute shop/cart
        pass  without the Gateway: request http://shop.example.com/cart

      All 8 cases pass.
      "
    `);
  });

  const wrong = cases
    .replace('attempts: 0 }\n    setBy', 'attempts: 1 }\n    setBy')
    .replace('/perTry: infra/house', '/perTry: shop/careful')
    .replace('attempts: 3, perTry: 2s', 'attempts: 3')
    .replace('partly-enforced', 'enforced')
    .replace('cart#show', 'checkout#pay')
    .replace(
      'HTTPRoute shop/cart, policy: RetryPolicy, spec: { attempts: 3 }',
      'HTTPRoute shop/cart, policy: RetryPolicy, spec: { attempts: [3] }',
    )
    .replace('spec: null', 'spec: {}');

  it('reports the expected and computed values of each failed case, and why', async () => {
    const { code, stdout } = await tests(wrong).gwpolicy('test', '@');
    expect(code).toBe(1);
    expect(stdout).toMatchInlineSnapshot(`
      "a.policy-test.yaml
        FAIL  the cart is careful  a.policy-test.yaml:6
              /attempts  want  1
                         got   0
                attempts  0  shop/careful  default on HTTPRoute shop/cart
                          3  infra/house   lost: shop/careful is more specific (Patch defaults)
              /perTry set by  want  shop/careful
                              got   infra/house
                perTry  2s  infra/house  default on Gateway infra/public
        FAIL  checkout retries as the house says  a.policy-test.yaml:12
              /perTry  want  nothing
                       got   2s
                perTry  2s  infra/house  default on Gateway infra/public
        FAIL  outcome RetryPolicy infra/house  a.policy-test.yaml:17
              outcome  want  enforced
                       got   partly-enforced
                In force in part. shop/careful prevails at /attempts (Patch defaults).
        FAIL  a request to the cart  a.policy-test.yaml:18
              taken by  want  HTTPRoute shop/checkout#pay
                        got   HTTPRoute shop/cart#show
                The request is taken by HTTPRoute shop/cart#show.
        FAIL  without the careful policy: RetryPolicy of HTTPRoute shop/cart  a.policy-test.yaml:25
              /attempts  want  [3]
                         got   3
                attempts  3  infra/house  default on Gateway infra/public
        pass  without the careful policy: outcome RetryPolicy infra/house
        FAIL  without the Gateway: RetryPolicy of HTTPRoute shop/cart  a.policy-test.yaml:30
              spec  want  {}
                    got   none
                No RetryPolicy applies to HTTPRoute shop/cart.
        pass  without the Gateway: request http://shop.example.com/cart

      6 of 8 cases fail.
      "
    `);
  });

  it('writes the computed values into failed cases with --update, keeps comments, and passes then', async () => {
    const folder = tests(wrong);
    expect((await folder.gwpolicy('test', '@', '--update')).code).toBe(0);
    const text = readFileSync(join(folder.path, 'a.policy-test.yaml'), 'utf8');
    expect(text).toContain('# and stays so');
    expect(text).toContain('spec: { attempts: 0 }');
    expect(text).toContain('spec: null');
    expect((await folder.gwpolicy('test', '@')).code).toBe(0);
  });

  it('completes a case that contains only a question', async () => {
    const folder = tests('  - { target: HTTPRoute shop/checkout, policy: RetryPolicy }\n');
    const { code, stdout } = await folder.gwpolicy('test', '@');
    expect(code).toBe(1);
    expect(stdout).toContain('The case expects nothing; add spec, or run with --update to write the computed values.');
    await folder.gwpolicy('test', '@', '--update');
    const text = readFileSync(join(folder.path, 'a.policy-test.yaml'), 'utf8');
    expect(text).toContain('spec: { attempts: 3, perTry: 2s }');
  });

  it('completes a case about a request that contains only a question', async () => {
    const folder = tests('  - { request: { url: "http://example.com/pay" } }\n');
    const { code, stdout } = await folder.gwpolicy('test', '@');
    expect([code, stdout]).toEqual([1, expect.stringContaining('The case expects nothing; add takenBy or meets')]);
    await folder.gwpolicy('test', '@', '--update');
    const text = readFileSync(join(folder.path, 'a.policy-test.yaml'), 'utf8');
    expect(text).toContain('takenBy: HTTPRoute shop/checkout#pay');
    expect((await folder.gwpolicy('test', '@')).code).toBe(0);
  });

  it('runs only the cases with matching names', async () => {
    const { stdout } = await tests(cases).gwpolicy('test', '@', '--run', '^checkout');
    expect(stdout).toContain('The only case passes.');
  });

  it('writes JUnit with all cases, and annotations of those that fail', async () => {
    const folder = tests(wrong);
    const junit = await folder.gwpolicy('test', '@', '-o', 'junit');
    expect(junit.stdout).toContain('<testsuite name="a.policy-test.yaml" tests="8" failures="6">');
    const github = await folder.gwpolicy('test', '@', '--run', 'checkout', '-o', 'github');
    expect(github.stdout).toMatch(
      /^::error file=a\.policy-test\.yaml,line=15,col=\d+,title=test-failed::checkout retries as the house says%?/,
    );
  });

  it('does not read tests as manifests', async () => {
    const folder = folderWith({ ...deploy, 'deploy/a.policy-test.yaml': `${head.replace('[deploy]', '[.]')}${cases}` });
    expect((await folder.gwpolicy('test', '@')).code).toBe(0);
    expect((await folder.gwpolicy('lint', '-f', '@deploy')).stdout).not.toContain('policy-test');
  });

  it.each([
    ['no policies', {}],
    ['policies of a mesh alone', { 'deploy/policies.yaml': allowed }],
  ])('tries changes of routes where there are %s', async (_what, policies) => {
    const request = '{ request: { url: "http://shop.example.com/cart" }, takenBy: null }';
    const text = `${head}  - { change: { remove: [Gateway infra/public] }, then: [${request}] }`;
    const folder = folderWith({ 'deploy/routes.yaml': routes, 'a.policy-test.yaml': text, ...policies });
    const { code, stdout, stderr } = await folder.gwpolicy('test', '@');
    expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: '', stdout: expect.stringContaining('pass') });
  });

  it('says on standard error which resources cannot be read, and exits with 2', async () => {
    const { code, stderr } = await tests(cases, { 'deploy/broken.yaml': 'kind: [' }).gwpolicy('test', '@');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('deploy/broken.yaml:1:') });
  });

  it('reads no resource outside of its folder through a link, and takes "-" for a file', async () => {
    const text = `${head.replace('[deploy]', '[linked]')}  []`;
    const folder = folderWith({ ...deploy, 'tests/a.policy-test.yaml': text });
    symlinkSync(join(folder.path, 'deploy'), join(folder.path, 'tests/linked'));
    const linked = await folder.gwpolicy('test', '@tests');
    expect(linked).toMatchObject({ code: 2, stderr: expect.stringContaining('is a link that leads outside of') });
    expect((await folder.gwpolicy('test', '@tests', '--allow-parent')).code).toBe(0);
    const stdin = folderWith({ 'a.policy-test.yaml': `${head.replace('[deploy]', '["-"]')}  []` });
    expect(await stdin.gwpolicy('test', '@')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('- does not exist'),
    });
  });

  it('passes without tests, and can be told to fail then', async () => {
    const folder = folderWith({});
    expect(await folder.gwpolicy('test', '@')).toMatchObject({ code: 0, stdout: 'No cases found.\n' });
    expect((await folder.gwpolicy('test', '@', '--require-tests')).code).toBe(2);
  });

  it('runs all cases beside one without a target, also after a change, in all formats', async () => {
    const gone = '{ target: HTTPRoute shop/nowhere, policy: RetryPolicy, spec: {} }';
    const there = '{ target: HTTPRoute shop/cart, policy: RetryPolicy, spec: {} }';
    const folder = tests(
      [
        `  - ${gone}`,
        `  - ${there}`,
        '  - change: { remove: [RetryPolicy shop/careful] }',
        `    then: [${gone}, ${there}]`,
        '  - change: { apply: [{ kind: RetryPolicy }] }',
        `    then: [${there}]`,
        '',
      ].join('\n'),
    );
    const { code, stdout } = await folder.gwpolicy('test', '@', '-o', 'json');
    const { passed, failed, items } = JSON.parse(stdout);
    expect([code, passed, failed]).toEqual([1, 2, 3]);
    expect(items.map((it: { passed: boolean }) => it.passed)).toEqual([false, true, false, true, false]);
    const junit = await folder.gwpolicy('test', '@', '-o', 'junit');
    expect(junit.stdout).toContain('tests="5" failures="3"');
  });

  it.each([
    ['{ target: HTTPRoute shop/nowhere, policy: RetryPolicy, spec: {} }', 'HTTPRoute shop/nowhere does not exist'],
    ['{ target: HTTPRoute shop/cart, policy: OtherPolicy, spec: {} }', 'unknown kind OtherPolicy'],
  ])('fails one case alone if its target or kind is gone, and runs the others: %j', async (gone, message) => {
    const text = `${head}  - ${gone}\n  - { request: { url: "http://nowhere.example.com/" }, takenBy: null }\n`;
    const folder = folderWith({ ...deploy, 'a.policy-test.yaml': text });
    const { code, stdout } = await folder.gwpolicy('test', '@');
    expect([code, stdout]).toEqual([1, expect.stringContaining('1 of 2 cases fails.')]);
    expect(stdout).toContain(message);
    expect((await folder.gwpolicy('test', '@', '-o', 'junit')).stdout).toContain(message);
    await folder.gwpolicy('test', '@', '--update');
    expect((await folder.gwpolicy('test', '@')).stdout).toContain('1 of 2 cases fails.');
  });

  it.each([
    ['kind: Other', 'a.policy-test.yaml is not a test'],
    [`${head}`, ':4:7: cases must be a list of cases'],
    [`${head}  - { change: { remove: [Gateway a] }, then: [] }`, 'cases.0.then expects nothing; add a case'],
    [`${head}  - { target: HTTPRoute shop/cart }`, ':5:5: cases.0.policy must be a text'],
    [`${head}  - { name: a }`, 'a case has exactly one of target, outcome, request and change'],
    [`${head}  - { target: a, polcy: b }`, 'cases.0.polcy is unknown beside target'],
    [
      `${head}  - { change: { remove: [] }, then: [{ change: {}, then: [{ outcome: { policy: a, is: b } }] }] }`,
      'a change cannot be in another one',
    ],
    [`${head.replace('[deploy]', '[../elsewhere]')}  []`, 'is outside of .; allow that with --allow-parent'],
    ['cases: [', 'is not valid YAML'],
  ])('says where a file is wrong: %j', async (text, message) => {
    const { code, stderr } = await folderWith({ ...deploy, 'a.policy-test.yaml': text }).gwpolicy('test', '@');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});
