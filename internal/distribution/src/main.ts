import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildExecutable, packExecutable } from './executable.ts';
import { homebrewFormula, krewManifest, type Release, tagOf } from './manifests.ts';
import { archiveName, platforms } from './platforms.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const dist = fileURLToPath(new URL('../dist', import.meta.url));
const { version } = JSON.parse(readFileSync(`${root}packages/cli/package.json`, 'utf8'));

/** Returns the release whose archives are in `dist`, with all platforms. */
function releaseIn(folder: string): Release {
  const { repository } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  if (repository?.url === undefined) throw new Error('package.json does not say where the repository is');
  const archives = platforms.map((platform) => {
    const archive = readFileSync(join(folder, archiveName(platform, version)));
    return { ...platform, sha256: createHash('sha256').update(archive).digest('hex') };
  });
  return { version, homepage: repository.url.replace(/^git\+/, '').replace(/\.git$/, ''), archives };
}

/** Writes what installs the archives, beside these: a manifest for krew, a formula for Homebrew, and checksums. */
function writeManifests(folder: string): readonly string[] {
  const release = releaseIn(folder);
  const sums = release.archives.map((archive) => `${archive.sha256}  ${archiveName(archive, version)}\n`);
  const files = {
    'gwpolicy.yaml': krewManifest(release),
    'gwpolicy.rb': homebrewFormula(release),
    SHA256SUMS: sums.join(''),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return Object.keys(files);
}

const tasks: Readonly<Record<string, () => unknown>> = {
  // Builds the executable for this system, and packs it.
  build: async () => console.log(packExecutable(await buildExecutable(dist), version)),
  // Tells the workflow whether this version has no executables yet.
  pending() {
    const { status } = spawnSync('gh', ['release', 'view', tagOf(version)], { stdio: 'ignore' });
    appendFileSync(process.env.GITHUB_OUTPUT ?? '/dev/stdout', `pending=${status !== 0}\n`);
  },
  // Publishes the archives of all systems, and what installs them.
  publish() {
    const files = [...writeManifests(dist), ...platforms.map((platform) => archiveName(platform, version))];
    const notes = 'Archives with one executable each. The packages are on npm.';
    const title = `gwpolicy ${version}`;
    const create = ['release', 'create', tagOf(version), '--verify-tag', '--title', title, '--notes', notes];
    execFileSync('gh', [...create, ...files.map((name) => join(dist, name))], { stdio: 'inherit' });
  },
  // Builds the container image from the archives for Linux, and pushes it to the registry of the workflow's repository.
  image() {
    const owner = process.env.GITHUB_REPOSITORY_OWNER?.toLowerCase();
    if (owner === undefined) throw new Error('this runs in a workflow, whose repository names the image');
    const archs = platforms.filter(({ os }) => os === 'linux').map(({ arch }) => arch);
    for (const arch of archs) {
      const archive = archiveName({ os: 'linux', arch }, version);
      execFileSync('tar', ['-xzf', archive, 'gwpolicy'], { cwd: dist });
      renameSync(join(dist, 'gwpolicy'), join(dist, `gwpolicy_linux_${arch}`));
    }
    const tags = [version, 'latest'].flatMap((tag) => ['--tag', `ghcr.io/${owner}/gwpolicy:${tag}`]);
    const file = fileURLToPath(new URL('../Dockerfile', import.meta.url));
    const where = ['--platform', archs.map((arch) => `linux/${arch}`).join(','), '--file', file, '--push'];
    execFileSync('docker', ['buildx', 'build', ...where, ...tags, dist], { stdio: 'inherit' });
  },
};

const [name = ''] = process.argv.slice(2);
const task = tasks[name];
if (task === undefined) throw new Error(`tasks are ${Object.keys(tasks).join(', ')}`);
await task();
