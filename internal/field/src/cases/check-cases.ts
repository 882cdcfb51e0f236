import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from '@policy-machinery/resource';
import { parseManifests } from '@policy-machinery/resource/manifests';
import { parseAllDocuments } from 'yaml';
import type { Checked } from '../checked.ts';
import { type Expectation, faultsOf } from './expectation.ts';
import { linesOf } from './lines.ts';
import { openCases } from './open-cases.ts';

/**
 * Runs each case, and compares the answers with what its `expect.json` demands, or with the lines of its `expect.txt`.
 *
 * @param folder The folder with a folder for each case.
 */
export async function checkCases(folder: string): Promise<Checked> {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const lines: string[] = [];
  const faults: string[] = [];
  for (const name of names) {
    const differences = await differencesIn(join(folder, name));
    const reason = openCases[name];
    if (reason !== undefined && differences.length > 0) lines.push(`- open: ${name}: ${reason}`);
    else if (reason !== undefined) faults.push(`${name} is right by now; remove it from open-cases.ts`);
    else faults.push(...differences.map((difference) => `${name}: ${difference}`));
  }
  const wrong = new Set(faults.map((fault) => fault.split(':')[0])).size + lines.length;
  return {
    lines: [`Cases in ${folder.split('/').at(-1)}: ${names.length - wrong} of ${names.length} right.`, ...lines],
    faults,
  };
}

async function differencesIn(folder: string): Promise<readonly string[]> {
  const file = join(folder, 'input.yaml');
  const answers = linesOf(file, caseObjects(file));
  if (existsSync(join(folder, 'expect.json')))
    return faultsOf(JSON.parse(readFileSync(join(folder, 'expect.json'), 'utf8')) as readonly Expectation[], answers);
  const expected = readFileSync(join(folder, 'expect.txt'), 'utf8').trimEnd().split('\n').sort();
  const actual: string[] = [];
  for (const place of ['effective', 'reports', 'gateways', 'routes'])
    actual.push(...(await answers(place)).map((line) => `${place} ${line}`));
  return [
    ...expected.filter((line) => !actual.includes(line)).map((line) => `lost: ${line}`),
    ...actual.filter((line) => !expected.includes(line)).map((line) => `new: ${line}`),
  ];
}

/** Returns the objects of a case. The inputs are YAML 1.2, in which `no` and `y` are names. */
export function caseObjects(file: string): readonly KubernetesObject[] {
  const documents = parseAllDocuments(readFileSync(file, 'utf8'));
  return [...parseManifests(documents.map((document) => JSON.stringify(document.toJS())).join('\n---\n'))];
}
