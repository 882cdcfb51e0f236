import { checkCases } from './cases/check-cases.ts';
import type { Checked } from './checked.ts';
import { checkConcerns } from './crds/check-concerns.ts';
import { checkTable } from './crds/check-table.ts';
import { readDefinitions } from './crds/definitions.ts';
import { checkOthers } from './crds/without-rows.ts';
import { checkLaw } from './law/check-law.ts';
import { checkStatuses } from './statuses/check-statuses.ts';

/**
 * Checks the tables of known kinds against a folder with data of existing systems: definitions in `crds/`, small inputs with the right answers in `cases/`, others with
 * answers that are right today in `held-up/`, and clusters with the statuses that systems write, in `envoy-gateway-statuses/` and `clones/`.
 *
 * @param folder The folder.
 */
export async function checkField(folder: string): Promise<Checked> {
  const definitions = await readDefinitions(`${folder}/crds`);
  const parts = [
    checkTable(definitions),
    checkOthers(definitions),
    checkConcerns(definitions),
    await checkCases(`${folder}/cases`),
    await checkCases(`${folder}/held-up`),
    await checkLaw(`${folder}/cases`),
    await checkLaw(`${folder}/held-up`),
    await checkStatuses(folder),
  ];
  return {
    lines: parts.flatMap(({ lines }) => ['', ...lines]),
    faults: parts.flatMap(({ faults }) => faults),
  };
}
