import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { formatGroupKind, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import { type Omission, omissions } from '../../../../packages/cli/src/lib/consistency/omissions.fixture.ts';
import {
  contradictions,
  guaranteesOf,
  type Statements,
  statementsIn,
  withNamespaces,
} from '../../../../packages/cli/src/lib/consistency/statements.fixture.ts';
import { loadWorld } from '../../../../packages/cli/src/lib/input/load.ts';
import { testEnvironment } from '../../../../packages/cli/src/lib/run.fixture.ts';
import { caseObjects } from '../cases/check-cases.ts';
import type { Checked } from '../checked.ts';

/**
 * Checks for each case that files without an object, or with another form of it, give rise to no statement that the whole cluster contradicts.
 *
 * @param folder The folder with a folder for each case.
 */
export async function checkLaw(folder: string): Promise<Checked> {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const faults: string[] = [];
  let readings = 0;
  for (const name of names) {
    for await (const contradicted of contradictionsIn(aged(caseObjects(join(folder, name, 'input.yaml'))))) {
      readings += 1;
      faults.push(...contradicted.map((text) => `${name}: ${text}`));
    }
  }
  return { lines: [`Incomplete readings of ${folder.split('/').at(-1)}: ${readings}.`], faults };
}

/** Returns the contradicted statements of each incomplete reading. */
async function* contradictionsIn(objects: readonly KubernetesObject[]): AsyncIterable<readonly string[]> {
  const whole = await read(objects, true);
  for (const [index, object] of objects.entries()) {
    for (const omission of omissions.filter(({ isOf }) => isOf(object))) {
      const { part, all } = divided(objects, index, omission);
      const expected = all === objects ? whole : await read(all, true);
      const renamed = part[index]?.metadata.namespace === object.metadata.namespace ? [] : [object];
      const found = contradictions(withNamespaces(await read(part, false), renamed), expected);
      yield found.map((text) => `if ${locatorOf(object)} ${omission.name}: ${text}`);
    }
  }
}

function divided(objects: readonly KubernetesObject[], index: number, { written, creator }: Omission) {
  const object = objects[index] as KubernetesObject;
  const creating = creator === undefined ? [] : [creator(object)];
  const part = [...objects.slice(0, index), ...written(object), ...objects.slice(index + 1), ...creating];
  return { part, all: creating.length === 0 ? objects : [...objects, ...creating] };
}

const general = [
  ...['true', 'false', 'listener.tls', 'backend.exists', 'route.namespace == gateway.namespace'],
  ...['!backend.exists || backend.namespace == route.namespace', '!("team" in backend.namespaceLabels)'],
  ...['request.host == "a.example"', 'request.path != "/a"', 'gateway.name == "g"', 'route.name != "r"'],
];

/** Reads objects as a whole cluster or as files of one, and returns what is stated about them. */
async function read(objects: readonly KubernetesObject[], isWhole: boolean): Promise<Statements> {
  const { environment } = testEnvironment({ stdin: objects.map((object) => JSON.stringify(object)).join('\n---\n') });
  const purpose = { isWhole, assumesNothing: isWhole };
  const world = await loadWorld({ filename: ['-'] }, environment, () => {}, purpose);
  const ofKinds = world.found.kinds.flatMap(({ kind }) => {
    const has = `"${formatGroupKind(kind)}" in policies`;
    return [has, `!(${has})`];
  });
  return statementsIn(world, guaranteesOf([...general, ...ofKinds]));
}

/** Returns objects of which each has an age: some are as old as others. */
function aged(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return objects.map((object, index) => {
    const creationTimestamp = `2026-01-0${1 + ((index * 7) % 9)}T00:00:00Z`;
    return { ...object, metadata: { creationTimestamp, ...object.metadata } };
  });
}
