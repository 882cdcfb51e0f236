import { isOwn } from './comment.ts';

/** A repository at GitHub, and a token for it. */
export interface Repository {
  /** The address of the API: `https://api.github.com`. */
  readonly api: string;
  /** `owner/name`. */
  readonly name: string;
  readonly token: string;
}

interface Comment {
  readonly id: number;
  readonly body?: string;
  readonly user?: { readonly type?: string };
}

/** How many pages of comments are looked at: with a hundred each, more than a pull request has. */
const mostPages = 50;

/**
 * Posts a comment on a pull request, or updates the one that is there.
 *
 * @param repository The repository.
 * @param pull The number of the pull request.
 * @param body The comment.
 */
export async function putComment(repository: Repository, pull: number, body: string): Promise<void> {
  const comments = `/issues/${pull}/comments`;
  for (let page = 1; page <= mostPages; page += 1) {
    const listed = (await ask(repository, 'GET', `${comments}?per_page=100&page=${page}`)) as readonly Comment[];
    const own = listed.find((each) => each.user?.type === 'Bot' && isOwn(each.body ?? ''));
    if (own !== undefined) {
      if (own.body !== body) await ask(repository, 'PATCH', `/issues/comments/${own.id}`, { body });
      return;
    }
    if (listed.length < 100) break;
  }
  await ask(repository, 'POST', comments, { body });
}

/**
 * Returns the open pull request whose head is a commit of a branch, and not what somebody says in a file.
 *
 * @param repository The repository.
 * @param head The owner of the branch, the branch, and its commit.
 * @returns The number; `undefined` if there is none.
 */
export async function pullOf(
  repository: Repository,
  head: { readonly owner: string; readonly branch: string; readonly sha: string },
): Promise<number | undefined> {
  const wanted = encodeURIComponent(`${head.owner}:${head.branch}`);
  const pulls = (await ask(repository, 'GET', `/pulls?state=open&head=${wanted}`)) as readonly {
    readonly number: number;
    readonly head: { readonly sha: string };
  }[];
  return pulls.find((pull) => pull.head.sha === head.sha)?.number;
}

async function ask({ api, name, token }: Repository, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${api}/repos/${name}${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-github-api-version': '2022-11-28',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'error',
  });
  if (!response.ok) throw new Error(`GitHub answers ${response.status} to ${method} ${path.replace(/\?.*/, '')}`);
  return response.json();
}
