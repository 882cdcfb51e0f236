import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { type Issue, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { type Manifests, parseManifests } from '@policy-machinery/resource/manifests';
import { manifestFilesAt, readManifests } from '@policy-machinery/resource/node';
import type { Finding } from '../frame/answer.ts';
import type { Environment } from '../frame/environment.ts';
import type { Options } from '../frame/flags.ts';
import { UsageError } from '../frame/usage-error.ts';

/** Objects that were read from texts, with the findings about these texts. */
export interface FileReading {
  readonly objects: readonly KubernetesObject[];
  readonly issues: readonly Finding[];
  /** Returns an issue about one of the objects, with its position in a file. */
  readonly locate: (issue: Issue) => Issue;
}

/**
 * Reads the files, folders and standard input of `-f`, and the output of kustomize for `-k`.
 *
 * @param options The options of the command.
 * @param environment Standard input and kubectl.
 * @returns The objects; `undefined` if the options name no files. Rejects with a {@link UsageError} if one cannot be read.
 */
export async function readFiles(
  { filename = [], kustomize, recursive = false }: Options,
  environment: Pick<Environment, 'stdin' | 'kubectl'>,
): Promise<FileReading | undefined> {
  if (filename.length === 0 && kustomize === undefined) return undefined;
  const issues: Issue[] = [];
  const onIssue = (issue: Issue): void => {
    issues.push(issue);
  };
  const manifests: Manifests[] = [];
  if (filename.length > 0) {
    for (const path of filename) await checkExists(path);
    const paths = recursive ? filename : (await Promise.all(filename.map(pathsAt))).flat();
    manifests.push(await readManifests(paths, { onIssue, stdin: environment.stdin as NodeJS.ReadStream }));
  }
  if (kustomize !== undefined) {
    const text = await environment.kubectl(['kustomize', '--', kustomize]);
    manifests.push(parseManifests({ source: `kubectl kustomize ${kustomize}`, text }, { onIssue }));
  }
  const unreadable = issues.find(({ code }) => code === 'unreadable-file');
  if (unreadable !== undefined) throw new UsageError(`${unreadable.position?.source} ${unreadable.message}`);
  return combine(manifests, withoutOtherFiles(issues, filename));
}

/**
 * Returns the issues as findings. Folders contain other files besides manifests, such as values of Helm charts: a text with neither `apiVersion`
 * nor `kind` becomes a note, and a kustomization is no finding at all.
 */
function withoutOtherFiles(issues: readonly Issue[], named: readonly string[]): readonly Finding[] {
  const isNamed = (issue: Issue) => named.includes(issue.position?.source ?? '');
  const placeOf = ({ position }: Issue) => JSON.stringify(position);
  const without = (pointer: string) =>
    new Set(issues.filter((issue) => issue.code === 'no-kubernetes-object' && issue.pointer === pointer).map(placeOf));
  const [noKind, noVersion] = [without('/kind'), without('/apiVersion')];
  const isOther = (issue: Issue) => noKind.has(placeOf(issue)) && noVersion.has(placeOf(issue)) && !isNamed(issue);
  return issues.flatMap((issue): readonly Finding[] => {
    if (/(^|[\\/])kustomization\.ya?ml$/i.test(issue.position?.source ?? '') && !isNamed(issue)) return [];
    if (!isOther(issue)) return [issue];
    if (issue.pointer !== '/kind') return [];
    const message = 'no Kubernetes object: it has neither apiVersion nor kind, and is left out';
    return [{ ...issue, code: 'no-manifest', severity: 'note', message, pointer: '' }];
  });
}

/**
 * Combines the manifests that were read from several places.
 *
 * @param manifests The manifests. If several objects have the same name, the last one counts.
 * @param issues What is wrong with their texts.
 * @returns The objects.
 */
export function combine(manifests: readonly Manifests[], issues: readonly Finding[]): FileReading {
  const objects = new Map<string, KubernetesObject>();
  for (const object of manifests.flatMap(({ resources }) => resources)) objects.set(locatorOf(object), object);
  const locate = (issue: Issue): Issue =>
    manifests.reduce((located, each) => (located.position === undefined ? each.locate(located) : located), issue);
  // Tests can be in the same folder, and are no manifests.
  const ofManifests = [...issues, ...manifests.flatMap(({ warnings }) => warnings)].filter(
    ({ position }) => !testFile.test(position?.source ?? ''),
  );
  return { objects: [...objects.values()], issues: ofManifests, locate };
}

/** Files of `gwpolicy test`. */
const testFile = /\.policy-test\.ya?ml$/i;

async function checkExists(path: string): Promise<void> {
  if (path === '-') return;
  await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new UsageError(`${path} does not exist`);
  });
}

/** Returns whether a file in a folder is a manifest, by its name. */
export function isManifestName(name: string): boolean {
  return /\.(ya?ml|json)$/i.test(name);
}

/** Returns whether a link in a folder may lead to manifests: by its name, it is a manifest or a folder. */
export function isManifestLink(name: string): boolean {
  return isManifestName(name) || extname(name) === '';
}

/**
 * Returns the finding about a symbolic link: that a path is read where the link leads, or that a link below a folder is left out.
 *
 * @param effect What the link does to the answer.
 * @param link The link.
 * @param target Where it leads. Default: not said.
 */
export function linkFinding(effect: 'followed' | 'left out', link: string, target = ''): Finding {
  return {
    code: `link-${effect.replace(' ', '-')}`,
    severity: 'note',
    message:
      effect === 'followed'
        ? `${link} is a link to ${target}; that is read in its place`
        : `${link} is a link, and is left out; name it to follow it`,
    position: { source: link, line: 1, column: 1 },
  };
}

/** Returns the finding about a submodule below a folder, whose content is in another repository. */
export function submoduleFinding(name: string): Finding {
  const message = `${name} is a submodule, and is left out; name a path in its work tree to read it`;
  return { code: 'submodule-left-out', severity: 'note', message, position: { source: name, line: 1, column: 1 } };
}

/** Returns the files in a folder itself, as kubectl reads it without `-R`; any other path as it is. */
async function pathsAt(path: string): Promise<readonly string[]> {
  const files = await manifestFilesAt(path, { recursive: false }).catch(() => [path]);
  if (files.length > 0) return files;
  throw new UsageError(`${path} has no .yaml, .yml or .json files; add -R to read its subfolders`);
}
