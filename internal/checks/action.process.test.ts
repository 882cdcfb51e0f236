import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { Ci, component, pullFrom } from './ci.fixture.ts';
import { root } from './files.ts';

const folder = mkdtempSync(join(tmpdir(), 'gwpolicy-action-'));
const repository = join(folder, 'repository');
let ci: Ci;
const write = (name: string, content: string) => ci.write(name, content);

const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd: repository,
    encoding: 'utf8',
  });

const routes = `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: public, namespace: infra }
spec: { gatewayClassName: edge, listeners: [{ name: http, port: 80, protocol: HTTP, allowedRoutes: { namespaces: { from: All } } }] }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: cart, namespace: shop }
spec: { parentRefs: [{ name: public, namespace: infra }], rules: [{ name: show, matches: [{ path: { type: PathPrefix, value: /cart } }] }] }
`;
const policy = (name: string, target: string, timeout: string) => `
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: { name: ${name}, namespace: shop }
spec: { targetRefs: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, name: ${target} }], timeout: { http: { requestTimeout: ${timeout} } } }
`;
const guarantee = `
apiVersion: verify.policy-machinery/v1alpha1
kind: Guarantee
metadata: { name: patient }
spec:
  description: No request to the cart is timed out in less than five seconds.
  requests: { paths: [{ value: /cart }] }
  holds: duration(policies.BackendTrafficPolicy.spec.timeout.http.requestTimeout) >= duration("5s")
`;

/** A comment that GitHub has, or a request that it got. */
interface Api {
  readonly url: string;
  readonly comments: { id: number; body: string; user: { type: string } }[];
  readonly requests: string[];
  /** Answers each request with a redirect. */
  redirectTo(url: string): void;
  close(): void;
}

/** Starts an API like GitHub's on this machine, which knows the comments of one pull request, and that a fork has opened it. */
async function startApi(sha: string): Promise<Api> {
  const comments: Api['comments'] = [{ id: 1, body: 'Looks good to me', user: { type: 'User' } }];
  const requests: string[] = [];
  let target: string | undefined;
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    requests.push(`${method} ${url}`);
    if (target !== undefined) {
      response.writeHead(307, { location: `${target}${url}` }).end();
      return;
    }
    const given = await text(request);
    const body = given === '' ? '' : JSON.parse(given).body;
    const answer = (value: unknown) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    if (headers.authorization !== 'Bearer secret-token') response.writeHead(403).end('{}');
    else if (method === 'GET' && url.includes('/pulls?'))
      answer(url.endsWith('head=stranger%3Apatch') ? [{ number: 7, head: { sha } }] : []);
    else if (method === 'GET') answer(comments);
    else if (method === 'POST') answer(comments.push({ id: comments.length + 1, body, user: { type: 'Bot' } }));
    else {
      const own = comments.find(({ id }) => url.endsWith(`/issues/comments/${id}`));
      if (own !== undefined) own.body = body;
      answer({});
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const redirectTo = (url: string) => {
    target = url;
  };
  return { url: `http://127.0.0.1:${port}`, comments, requests, redirectTo, close: () => server.close() };
}

const act = (api: Api, event: object, inputs: Readonly<Record<string, string>> = {}) =>
  ci.action(repository, event, inputs, api.url);

let base: string;
let sha: string;
const pullOf = (owner: string) => pullFrom(owner, base);

beforeAll(async () => {
  ci = await Ci.install(folder);
  write('bin/helm', '#!/bin/sh\n[ "$1 $2 $4" = "template release --values" ] && cat "$3/rendered.yaml" "$5"\n');
  write('repository/deploy/routes.yaml', routes);
  write('repository/deploy/policies.yaml', policy('patient', 'cart', '60s'));
  write('repository/guarantees.yaml', guarantee);
  write('repository/charts/shop/rendered.yaml', `${routes}---${policy('patient', 'cart', '60s')}---`);
  write(
    'repository/values.yaml',
    policy('gone', 'cart', '9s').replace('name: gone', 'name: another').replace('HTTPRoute', 'Service'),
  );
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message=before');
  base = git('rev-parse', 'HEAD').trim();
  write('repository/deploy/policies.yaml', `${policy('patient', 'cart', '2s')}---${policy('lost', 'chart', '9s')}`);
  write('repository/charts/shop/rendered.yaml', `${routes}---${policy('patient', 'cart', '3s')}---`);
  git('add', '.');
  git('commit', '--quiet', '--message=after');
  sha = git('rev-parse', 'HEAD').trim();
});

const inputs = { PATH: 'deploy', HELM: 'charts/shop values.yaml', GUARANTEES: 'guarantees.yaml' };

describe.skipIf(process.platform === 'win32')('the action, on a pull request', () => {
  it('comments the changes by target, the findings and the broken guarantees; annotates, and fails', async () => {
    const api = await startApi(sha);
    const { code, stdout, stderr, summary } = await act(api, pullOf('platform'), inputs);
    expect([stderr, code]).toEqual(['', 1]);
    expect(api.comments).toHaveLength(2);
    expect(summary).toBe(api.comments[1]?.body);
    await expect(summary).toMatchFileSnapshot(`${root}action/golden/comment.golden.txt`);
    expect(stdout).toMatch(/^::warning file=deploy\/policies.yaml,line=\d+,.*not-in-input/m);
    expect(stdout).toMatch(/^::error .*guarantee-broken/m);
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    api.close();
  });

  it('updates its comment, and leaves it alone where nothing has changed', async () => {
    const api = await startApi(sha);
    await act(api, pullOf('platform'), { ...inputs, HELM: '' });
    await act(api, pullOf('platform'), inputs);
    const written = api.requests.filter((request) => !request.startsWith('GET'));
    await act(api, pullOf('platform'), inputs);
    expect(written).toEqual([
      'POST /repos/platform/policies/issues/7/comments',
      'PATCH /repos/platform/policies/issues/comments/2',
    ]);
    expect(api.requests.filter((request) => !request.startsWith('GET'))).toEqual(written);
    expect(api.comments).toHaveLength(2);
    api.close();
  });

  it('runs no hook for the commit that a pull request began at', async () => {
    const api = await startApi(sha);
    write('repository/.git/hooks/post-checkout', `#!/bin/sh\ntouch '${join(folder, 'hook')}'\n`);
    const { code } = await act(api, pullOf('stranger'), inputs);
    rmSync(join(repository, '.git/hooks/post-checkout'));
    expect([code, existsSync(join(folder, 'hook'))]).toEqual([1, false]);
    api.close();
  });

  it('follows no redirect, which would lead its token elsewhere', async () => {
    const [api, elsewhere] = [await startApi(sha), await startApi(sha)];
    api.redirectTo(elsewhere.url);
    const { code, stderr } = await act(api, pullOf('platform'), inputs);
    expect([code, elsewhere.requests, stderr]).toEqual([1, [], expect.stringContaining('redirect')]);
    for (const each of [api, elsewhere]) each.close();
  });

  it('from a fork leaves the comment in a folder, and asks GitHub for nothing', async () => {
    const api = await startApi(sha);
    const { code, summary } = await act(api, pullOf('stranger'), inputs);
    const [, written = ''] = /^comment=(.*)$/m.exec(readFileSync(join(folder, 'output'), 'utf8')) ?? [];
    expect([code, api.requests, readFileSync(join(written, 'comment.md'), 'utf8')]).toEqual([1, [], summary]);
    api.close();
  });

  it.each([
    [{ PATH: '../secrets' }, 'is no path in the repository'],
    [{ PATH: '/etc' }, 'is no path in the repository'],
    [{ KUSTOMIZE: '--enable-helm' }, 'is no path in the repository'],
    [{ HELM: 'charts/shop --post-renderer=./x' }, 'is no path in the repository'],
    [{ FAIL_ON: 'error' }, 'is none of any, lost, unprotected, none'],
    [{ PATH: 'nowhere' }, 'nowhere'],
  ])('reports the fault of %j', async (wrong, message) => {
    const api = await startApi(sha);
    const { code, stderr } = await act(api, pullOf('platform'), wrong);
    expect([code, stderr, api.requests]).toEqual([1, expect.stringContaining(message), []]);
    api.close();
  });
});

describe.skipIf(process.platform === 'win32')('the action, after the check of a pull request from a fork', () => {
  const run = (head_sha: string, branch = 'patch') => ({
    workflow_run: { head_repository: { owner: { login: 'stranger' } }, head_branch: branch, head_sha },
  });
  const hostile =
    '<!-- gwpolicy: what changes for whom -->\n```\n@everyone ![x](https://example.com/x.png)\n````\nmore';

  it('quotes the output of the check, and runs nothing', async () => {
    const api = await startApi(sha);
    write('repository/comment.md', hostile);
    write('bin/git', '#!/bin/sh\nexit 9\n');
    const { code, stderr } = await act(api, run(sha), { MODE: 'comment' });
    rmSync(join(folder, 'bin/git'));
    expect([code, stderr]).toEqual([0, '']);
    expect(api.comments[1]?.body).toBe(
      [
        '<!-- gwpolicy: what changes for whom -->',
        '# Gateway API policies',
        '',
        'The check of this pull request says:',
        '',
        '`````text',
        ...hostile.split('\n').slice(1),
        '`````',
        '',
      ].join('\n'),
    );
    api.close();
  });

  it.each([
    ['another commit than that of the pull request', run('0'.repeat(40))],
    ['a branch without a pull request', run('0'.repeat(40), 'other')],
  ])('comments on nothing for %s', async (_what, event) => {
    const api = await startApi(sha);
    write('repository/comment.md', hostile);
    const { code } = await act(api, event, { MODE: 'comment' });
    expect([code, api.comments.length]).toEqual([0, 1]);
    api.close();
  });

  it('takes no file that is longer than any comment', async () => {
    const api = await startApi(sha);
    write('repository/comment.md', 'x'.repeat(300_000));
    const { code, stderr } = await act(api, run(sha), { MODE: 'comment' });
    expect([code, stderr, api.requests]).toEqual([1, expect.stringContaining('too long'), []]);
    api.close();
  });
});

describe('action.yml', () => {
  const [document] = parseAllDocuments(readFileSync(`${root}action/action.yml`, 'utf8'));
  const { inputs: declared, runs } = document?.toJS() ?? {};

  it('hands all inputs over in the environment, never as part of a script', () => {
    const steps: readonly { readonly run?: string; readonly env?: object }[] = runs.steps;
    const used = JSON.stringify(steps.map(({ env }) => env));
    const names = Object.keys(declared);
    expect(names.filter((name) => !used.includes(`\${{ inputs.${name} }}`))).toEqual([]);
    expect(steps.filter(({ run = '' }) => run.includes('${{'))).toEqual([]);
  });

  it('pins each action that it uses by the hash of a commit', () => {
    const uses: readonly string[] = runs.steps.flatMap((step: { readonly uses?: string }) => step.uses ?? []);
    expect(uses).toEqual([expect.stringMatching(/^actions\/setup-node@[0-9a-f]{40}$/)]);
  });
});

describe.skipIf(process.platform === 'win32')('the component for GitLab', () => {
  const temporary = mkdtempSync(join(folder, 'temporary-'));

  const runJob = async (given: Readonly<Record<string, string>>, set: Readonly<Record<string, string>> = {}) => {
    const variables = { TMPDIR: temporary, CI_MERGE_REQUEST_DIFF_BASE_SHA: base, ...set };
    const { code: status, ...ran } = await ci.component(repository, given, variables);
    return { status, ...ran };
  };

  /** Starts an API like GitLab's on this machine, which knows the notes on one merge request. */
  async function startGitLab() {
    const notes = [
      { id: 1, author: { id: 3 }, body: 'Looks good to me' },
      { id: 2, author: { id: 3 }, body: '<!-- gwpolicy: what changes for whom -->\nnot by the component' },
    ];
    const written: string[] = [];
    const server = createServer(async (request, response) => {
      const { method = '', url = '', headers } = request;
      const given = await text(request);
      const answer = (value: unknown) =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
      const [, id] = /^\/api\/v4\/projects\/11\/merge_requests\/7\/notes(?:\/(\d+)|\?.*)?$/.exec(url) ?? [];
      const own = notes.find((note) => note.id === Number(id));
      if (method !== 'GET') written.push(`${method} ${url}`);
      // GitLab removes blank lines at the end.
      const body = given === '' ? '' : JSON.parse(given).body.trimEnd();
      if (headers['private-token'] !== 'secret-token') response.writeHead(401).end('{}');
      else if (url === '/api/v4/user') answer({ id: 9 });
      else if (method === 'GET' && url.includes('/notes?')) answer(notes);
      else if (method === 'POST') answer(notes.push({ id: notes.length + 1, author: { id: 9 }, body }));
      else if (own?.author.id === 9) answer(Object.assign(own, { body }));
      else response.writeHead(403).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const variables = {
      CI_API_V4_URL: `http://127.0.0.1:${port}/api/v4`,
      CI_MERGE_REQUEST_PROJECT_ID: '11',
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '11',
      CI_MERGE_REQUEST_IID: '7',
      POLICIES_TOKEN: 'secret-token',
    };
    return { notes, written, variables, close: () => server.close() };
  }

  const inputs = { path: 'deploy', guarantees: 'guarantees.yaml' };

  it('reports the changes by target, the findings and the broken guarantees, and fails', async () => {
    const { status, stdout } = await runJob(inputs);
    expect([status, stdout]).toEqual([1, expect.stringContaining('60s → 2s')]);
    expect(readFileSync(join(repository, 'lint.xml'), 'utf8')).toContain('shop/chart');
    expect(readFileSync(join(repository, 'verify.xml'), 'utf8')).toContain('guarantee-broken');
    expect(readFileSync(join(repository, 'policies.md'), 'utf8')).toBe(stdout);
    const [, guarantees = '', findings = ''] = stdout.split('<summary>');
    expect([guarantees, findings]).toEqual([expect.stringContaining('patient'), expect.stringContaining('shop/chart')]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('writes a note, updates it, and leaves it alone where nothing has changed', async () => {
    const gitlab = await startGitLab();
    await runJob({ path: 'deploy' }, gitlab.variables);
    const { stdout, stderr } = await runJob(inputs, gitlab.variables);
    await runJob(inputs, gitlab.variables);
    gitlab.close();
    expect(stderr).not.toContain('Error');
    expect(gitlab.written).toEqual([
      'POST /api/v4/projects/11/merge_requests/7/notes',
      'PUT /api/v4/projects/11/merge_requests/7/notes/3',
    ]);
    expect(gitlab.notes[2]?.body).toBe(`<!-- gwpolicy: what changes for whom -->\n${stdout}`.trimEnd());
    expect(gitlab.notes).toHaveLength(3);
  });

  it('writes no line that GitLab obeys', async () => {
    const gitlab = await startGitLab();
    write('bin/gwpolicy-diff', '#!/bin/sh\nprintf "/close\\n  /merge\\nfine /here\\n"\n');
    write('hostile/gwpolicy', '#!/bin/sh\n[ "$1" = diff ] && exec gwpolicy-diff\nexit 0\n');
    const PATH = [join(folder, 'hostile'), join(folder, 'bin'), process.env.PATH].join(delimiter);
    await runJob({ path: 'deploy' }, { ...gitlab.variables, PATH });
    gitlab.close();
    expect(gitlab.notes[2]?.body).toContain('\n\\/close\n  \\/merge\nfine /here');
  });

  it.each([
    ['from a fork', { CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '12' }],
    ['without a token', { POLICIES_TOKEN: '' }],
  ])('asks GitLab for nothing on a merge request %s', async (_what, more) => {
    const gitlab = await startGitLab();
    const { stdout } = await runJob(inputs, { ...gitlab.variables, ...more });
    gitlab.close();
    expect([gitlab.written, stdout]).toEqual([[], expect.stringContaining('60s → 2s')]);
  });

  it('names the remedy for a token that GitLab refuses, and fails', async () => {
    const gitlab = await startGitLab();
    const { status, stderr } = await runJob(
      { path: 'deploy', 'fail-on': 'none' },
      { ...gitlab.variables, POLICIES_TOKEN: 'other' },
    );
    gitlab.close();
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('GitLab answers 401 to GET /user; give POLICIES_TOKEN'),
    ]);
    expect(stderr).not.toContain('other');
  });

  it('succeeds where nothing is wrong', async () => {
    write('repository/good/routes.yaml', `${routes}---${policy('patient', 'cart', '60s')}`);
    git('add', 'good');
    git('commit', '--quiet', '--message=good');
    expect((await runJob({ path: 'good', 'fail-on': 'none' })).status).toBe(0);
  });

  it('is without inputs in scripts', () => {
    const script = component.slice(component.indexOf('before_script:'));
    expect(script).not.toContain('$[[');
  });
});
