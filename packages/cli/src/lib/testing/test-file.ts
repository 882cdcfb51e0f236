import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonValue, messageOf, type SourcePosition } from '@policy-machinery/resource';
import type { ManifestText } from '@policy-machinery/resource/manifests';
import { readTextFile } from '@policy-machinery/resource/node';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { testFile } from '../input/files/manifest-names.ts';
import { readRevisionTexts } from '../input/git/read-revision.ts';
import { UsageError } from '../model/usage-error.ts';
import type { PolicyTestCase, YamlPath } from './case.ts';
import { isTexts, readCases } from './read-case.ts';

export interface TestFile {
  readonly source: string;
  /** The paths of the manifests that the tests read. */
  readonly resources: readonly string[];
  readonly cases: readonly PolicyTestCase[];
  /** The file as a document that keeps comments, for updates. */
  readonly document: Document;
  readonly positionOf: (path: YamlPath) => SourcePosition;
}

/** Where to look for tests and resources. */
export interface TestFolder {
  /** A test file, or a folder with test files, at any depth. */
  readonly path: string;
  /** Whether resources can be outside of the folder. */
  readonly allowParent: boolean;
  /** A revision of git. Its tests count as well, where they differ. Default: none. */
  readonly base?: string | undefined;
}

/**
 * Reads the test files in a folder and below.
 *
 * @param folder The folder.
 * @returns The files, sorted by path. Rejects with a {@link UsageError} if a file does not have the documented form.
 */
export async function readTestFiles({ path, allowParent, base }: TestFolder): Promise<readonly TestFile[]> {
  const found = await stat(path).catch(() => undefined);
  const earlier = base === undefined ? [] : (await readRevisionTexts(base, [path], isTestFile)).texts;
  if (found === undefined && earlier.length === 0) throw new UsageError(`${path} does not exist`);
  const isFolder = found?.isDirectory() ?? !earlier.some(({ source }) => source === path);
  const entries = isFolder && found !== undefined ? await readdir(path, { recursive: true, withFileTypes: true }) : [];
  const files = isFolder
    ? entries
        .filter((entry) => entry.isFile() && isTestFile(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
    : found === undefined
      ? []
      : [path];
  const where = { root: isFolder ? path : dirname(path), allowParent };
  const present = await Promise.all(files.map(async (source) => ({ source, text: await readTest(source) })));
  const others = earlier.filter(
    (each) => isTestFile(each.source) && !present.some((it) => isDeepStrictEqual(it, each)),
  );
  return [
    ...(await Promise.all(present.map((each) => readTestFile(each, where)))),
    ...(await Promise.all(others.map((each) => readTestFile(each, where, `${each.source} (base)`)))),
  ];
}

function isTestFile(name: string): boolean {
  return testFile.test(name);
}

/** @param name The name of the file in answers. Default: its path. */
async function readTestFile({ source, text }: ManifestText, where: Where, name = source): Promise<TestFile> {
  const file = { ...parseTestFile(source, text, where), source: name };
  // A link in the folder may lead out of it.
  for (const [index, path] of file.resources.entries()) {
    if (where.allowParent || (await isReallyWithin(where.root, path))) continue;
    const { line, column } = file.positionOf(['resources', index]);
    throw new UsageError(
      `${source}:${line}:${column}: resources ${path} is a link that leads outside of ${where.root}; allow that with --allow-parent`,
    );
  }
  return file;
}

async function readTest(source: string): Promise<string> {
  return readTextFile(source).catch((error: unknown) => {
    throw new UsageError(`${source} cannot be read: ${messageOf(error)}`);
  });
}

async function isReallyWithin(root: string, file: string): Promise<boolean> {
  const [folder, target] = await Promise.all([root, file].map((path) => realpath(path).catch(() => path)));
  return isWithin(folder as string, target as string);
}

interface Where {
  readonly root: string;
  readonly allowParent: boolean;
}

function parseTestFile(source: string, text: string, where: Where): TestFile {
  const lines = new LineCounter();
  const document: Document = parseDocument(text, { lineCounter: lines });
  const positionOf = (path: YamlPath): SourcePosition => {
    // The nearest part that exists: a missing field is reported at its case.
    for (let length = path.length; length >= 0; length--) {
      const node = document.getIn(path.slice(0, length), true);
      if (!isNode(node) || !node.range) continue;
      const { line, col } = lines.linePos(node.range[0]);
      return { source, line, column: col };
    }
    return { source, line: 1, column: 1 };
  };
  const fail = (path: YamlPath, message: string): UsageError => {
    const { line, column } = positionOf(path);
    return new UsageError(`${source}:${line}:${column}: ${path.join('.')} ${message}`);
  };
  const [error] = document.errors;
  if (error !== undefined) throw new UsageError(`${source} is not valid YAML: ${error.message}`);
  const value = jsonOf(document, source);
  if (!isJsonObject(value) || value.kind !== 'PolicyTest' || value.apiVersion !== 'policy-machinery/v1alpha1') {
    throw new UsageError(
      `${source} is not a test; begin with "apiVersion: policy-machinery/v1alpha1" and "kind: PolicyTest"`,
    );
  }
  const unknown = Object.keys(value).find((key) => !['apiVersion', 'kind', 'resources', 'cases'].includes(key));
  if (unknown !== undefined) throw fail([unknown], 'is unknown; a test has resources and cases');
  const resources = readResources(value.resources, source, where, fail);
  return { source, resources, cases: readCases(value.cases, ['cases'], fail), document, positionOf };
}

function readResources(
  value: JsonValue | undefined,
  source: string,
  { root, allowParent }: Where,
  fail: (path: YamlPath, message: string) => UsageError,
): readonly string[] {
  if (!isTexts(value) || value.length === 0) throw fail(['resources'], 'must be a list of files and folders');
  return value.map((path, index) => {
    const file = pathFrom(dirname(source), path);
    if (allowParent || isWithin(root, file)) return file;
    const message = `is outside of ${root}; allow that with --allow-parent, or test a folder above`;
    throw fail(['resources', index], message);
  });
}

/** Returns a path below a folder. `-` is a file of that name, and never standard input. */
function pathFrom(folder: string, path: string): string {
  const file = join(folder, path);
  return file === '-' ? `.${sep}-` : file;
}

function jsonOf(document: Document, source: string): JsonValue {
  try {
    return document.toJS() as JsonValue;
  } catch (error) {
    throw new UsageError(`${source} is not valid YAML: ${messageOf(error)}`);
  }
}

function isWithin(root: string, file: string): boolean {
  const path = relative(resolve(root), resolve(file));
  return path !== '..' && !path.startsWith(`..${sep}`);
}
