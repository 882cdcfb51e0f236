import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseManifests } from '@policy-machinery/resource/manifests';
import { parseAllDocuments } from 'yaml';
import type { Checked } from '../checked.ts';
import { answersFor } from './answers.ts';
import { type Expected, expectedOf } from './expected.ts';

/**
 * Runs each case, and compares what the library says with the right answer.
 *
 * @param folder The folder with a folder for each case.
 */
export async function checkCases(folder: string): Promise<Checked> {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const open = names.filter((name) => expectedOf[name] === undefined);
  const faults = names.flatMap((name) => {
    const expected = expectedOf[name];
    if (expected === undefined) return [];
    return faultsOf(expected, answersFor(objectsIn(join(folder, name, 'input.yaml')))).map((it) => `${name}: ${it}`);
  });
  const wrong = new Set(faults.map((fault) => fault.split(':')[0])).size;
  const compared = names.length - open.length;
  const notCompared = open.map((name) => `Not compared: the case ${name}; add its right answer to cases/expected.ts`);
  return { lines: [`Cases: ${compared - wrong} of ${compared} right.`, ...notCompared], faults };
}

/** Reads the objects of a case. The inputs are YAML 1.2, in which `no` and `y` are names. */
function objectsIn(file: string) {
  const documents = parseAllDocuments(readFileSync(file, 'utf8'));
  return [...parseManifests(documents.map((document) => JSON.stringify(document.toJS())).join('\n---\n'))];
}

function faultsOf(expected: Expected, answers: Required<Expected>): readonly string[] {
  return (Object.keys(answers) as (keyof Expected)[]).flatMap((part) => {
    const [wanted, got] = [expected[part], answers[part]];
    if (wanted === undefined) return [];
    const isRight =
      part === 'notes'
        ? expected.notes?.every((words) => answers.notes.some((note) => note.includes(words)))
        : isDeepStrictEqual(wanted, got);
    return isRight ? [] : [`${part} must be ${JSON.stringify(wanted)}, and are ${JSON.stringify(got)}`];
  });
}
