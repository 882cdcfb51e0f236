import { appendFileSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from './check.ts';
import { commentOf, quotedComment } from './comment.ts';
import { pullOf, putComment, type Repository } from './github.ts';
import { type Inputs, inputsIn } from './inputs.ts';
import { runIn } from './programs.ts';

const { env } = process;
const inputs = inputsIn(env);
const event = JSON.parse(readFileSync(needed('GITHUB_EVENT_PATH'), 'utf8'));
const repository: Repository = {
  api: env.GITHUB_API_URL ?? 'https://api.github.com',
  name: needed('GITHUB_REPOSITORY'),
  token: inputs.token,
};

function needed(name: string): string {
  const value = env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set; this runs in a workflow of GitHub`);
  return value;
}

/** Checks the pull request of the event. Only if its branch is in the repository itself is there a token that may comment. */
async function checkPull(inputs: Inputs): Promise<void> {
  const pull = event.pull_request;
  if (pull === undefined) throw new Error('the event is about no pull request; use `on: pull_request`');
  const work = mkdtempSync(join(needed('RUNNER_TEMP'), 'gwpolicy-'));
  const commits = { head: needed('GITHUB_WORKSPACE'), base: pull.base.sha, work };
  const { parts, annotations, isFailed } = await check(inputs, commits, runIn(env));
  const comment = commentOf(parts);
  process.stdout.write(annotations);
  if (env.GITHUB_STEP_SUMMARY !== undefined) appendFileSync(env.GITHUB_STEP_SUMMARY, comment);
  const folder = join(work, 'comment');
  mkdirSync(folder);
  writeFileSync(join(folder, 'comment.md'), comment);
  if (env.GITHUB_OUTPUT !== undefined) appendFileSync(env.GITHUB_OUTPUT, `comment=${folder}\n`);
  const isFork = pull.head.repo?.full_name !== pull.base.repo.full_name;
  if (isFork) console.log('The pull request is from a fork: a job on workflow_run can comment.');
  else await putComment(repository, pull.number, comment);
  if (isFailed) process.exitCode = 1;
}

/** A comment is 60,000 characters at most, of up to three bytes; a larger file is none. */
const mostBytes = 200_000;

/** Comments what a check of a pull request from a fork has said. The file is of the fork's making, so it is quoted, and says nothing about where to comment. */
async function comment(): Promise<void> {
  const { head_repository: from, head_branch: branch, head_sha: sha } = event.workflow_run;
  const file = join(needed('GITHUB_WORKSPACE'), 'comment.md');
  const { size } = lstatSync(file);
  if (!lstatSync(file).isFile() || size > mostBytes)
    throw new Error('comment.md is no file, or too long for a comment');
  const pull = await pullOf(repository, { owner: from.owner.login, branch, sha });
  if (pull === undefined) console.log('No open pull request has this commit; there is nothing to comment on.');
  else await putComment(repository, pull, quotedComment(readFileSync(file, 'utf8')));
}

await (inputs.mode === 'check' ? checkPull(inputs) : comment());
