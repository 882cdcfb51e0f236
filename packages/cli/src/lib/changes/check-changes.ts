import { isDeepStrictEqual } from 'node:util';
import { isGuarantee } from '@policy-machinery/guarantees';
import { type KubernetesObject, refOf } from '@policy-machinery/resource';
import { formatRef } from '@policy-machinery/topology';
import { acceptanceKind } from '../answers/accepted-findings.ts';
import { ignoreAnnotation } from '../answers/annotation-faults.ts';
import { acceptAnnotation, requireAnnotation } from '../covering/accepted.ts';
import { ignoreFile } from '../input/files/exclude.ts';
import { readFiles } from '../input/files/files.ts';
import { isManifestName, testFile } from '../input/files/manifest-names.ts';
import { readRevision, readRevisionTexts } from '../input/git/read-revision.ts';
import type { Section } from '../model/answer.ts';
import type { Inputs } from '../model/command.ts';
import type { Options } from '../model/flags.ts';
import type { Comparison } from './compare.ts';
import type { Revisions } from './read-sides.ts';

/** A check that a change adds, edits or deletes: the change may do that to hide its faults. */
export interface CheckChange {
  /** The guarantee, the file, or the object with an annotation. */
  readonly check: string;
  readonly change: 'added' | 'edited' | 'deleted';
}

interface Bases {
  /** The revision with the guarantees before the change. */
  readonly base: string | undefined;
  /** The revisions with tests and configuration. */
  readonly revisions: Revisions | undefined;
}

/** The annotations that decide which missing protections and findings are reported. */
const annotations = [acceptAnnotation, requireAnnotation, ignoreAnnotation] as const;

/**
 * Returns the effects of a change on the checks that are meant to find its faults: on guarantees, tests, lists of files that are not read,
 * and accepted faults.
 *
 * @param comparison The worlds before and after: their annotations count.
 * @param bases The revisions. Without any, only annotations are compared.
 */
export async function checkChanges(
  comparison: Comparison,
  { guarantees = [] }: Options,
  inputs: Inputs,
  { base, revisions }: Bases,
): Promise<readonly CheckChange[]> {
  return [
    ...(base === undefined ? [] : await guaranteesChanged(guarantees, base, inputs)),
    ...(revisions?.to === undefined ? [] : await filesChanged(revisions.from, revisions.to, revisions.paths)),
    ...changesBetween(...bothOf(comparison, annotationsIn)),
  ];
}

function bothOf<Item>(
  { before, after }: Comparison,
  itemOf: (objects: readonly KubernetesObject[]) => Item,
): [Item, Item] {
  return [itemOf(before.objects), itemOf(after.objects)];
}

async function guaranteesChanged(
  paths: readonly string[],
  base: string,
  inputs: Inputs,
): Promise<readonly CheckChange[]> {
  const { objects: before } = await readRevision(base, paths);
  const present: KubernetesObject[] = [];
  for (const path of paths) {
    const reading = await readFiles({ filename: [path] }, inputs).catch(() => undefined); // A deleted path.
    present.push(...(reading?.objects ?? []));
  }
  return changesBetween(guaranteesIn(before), guaranteesIn(present));
}

function guaranteesIn(objects: readonly KubernetesObject[]): Checks {
  return new Map(objects.filter(isGuarantee).map(({ metadata: { name }, spec }) => [`Guarantee ${name}`, spec]));
}

async function filesChanged(from: string, to: string, paths: readonly string[]): Promise<readonly CheckChange[]> {
  const [before, after] = [await checkFilesIn(from, paths), await checkFilesIn(to, paths)];
  return changesBetween(before, after);
}

async function checkFilesIn(revision: string, paths: readonly string[]): Promise<Checks> {
  const { texts } = await readRevisionTexts(revision, paths, (name) => isManifestName(name) || isIgnoreFile(name));
  const checks = texts.filter(
    ({ source, text }) =>
      testFile.test(source) ||
      isIgnoreFile(source) ||
      text.includes('CoverageAcceptance') ||
      text.includes(acceptanceKind),
  );
  return new Map(checks.map(({ source, text }) => [source, text]));
}

function isIgnoreFile(name: string): boolean {
  return name === ignoreFile || name.endsWith(`/${ignoreFile}`);
}

function annotationsIn(objects: readonly KubernetesObject[]): Checks {
  return new Map(
    objects.flatMap((object) =>
      annotations.flatMap((name) => {
        const value = object.metadata.annotations?.[name];
        return value === undefined ? [] : [[`${name} of ${formatRef(refOf(object))}`, value] as const];
      }),
    ),
  );
}

type Checks = ReadonlyMap<string, unknown>;

function changesBetween(before: Checks, after: Checks): readonly CheckChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((check): readonly CheckChange[] => {
    if (!after.has(check)) return [{ check, change: 'deleted' }];
    if (!before.has(check)) return [{ check, change: 'added' }];
    return isDeepStrictEqual(before.get(check), after.get(check)) ? [] : [{ check, change: 'edited' }];
  });
}

/** Returns the changes of checks, for people; no section without changes. */
export function checkSections(changes: readonly CheckChange[]): readonly Section[] {
  if (changes.length === 0) return [];
  const columns = ['CHECK', 'CHANGE'].map((name) => ({ name }));
  const rows = changes.map(({ check, change }) => [check, change]);
  return [{ heading: 'Checks that this changes', blocks: [{ table: { layout: 'detail', columns, rows }, indent: 2 }] }];
}
