import { type FoundKind, findPolicyKinds, knownKinds } from '@policy-machinery/known-kinds';
import { concernNames } from '@policy-machinery/policy-kind';
import { formatPointer, type GroupKind, type JsonObject, parsePointer } from '@policy-machinery/resource';
import { fieldsAt } from '@policy-machinery/resource/inner';
import { releasedDefinitions } from '@policy-machinery/schemas';
import { fieldsFor } from '../answers/fields.ts';
import { targetIn } from '../input/topologies.ts';
import { shownSchema } from '../model/shown-schema.ts';
import type { World } from '../model/world.ts';
import { findTarget } from '../names/find.ts';

/**
 * Returns JSON Pointers into the effective specs of a target: to the fields that are set, and to those in the schemas of their kinds.
 *
 * @param args The arguments that name the target.
 * @param current The beginning of the pointer.
 */
export async function pointersAt(world: World, args: readonly string[], current: string): Promise<readonly string[]> {
  const target = findTarget(world, args).item;
  const parent = parsePointer(current).slice(0, -1);
  const fields = world.views.map(async (view) => {
    const node = targetIn(view, target);
    const explained = node === undefined ? [] : view.effective.explain(node).effective;
    if (explained.length === 0) return [];
    const set = explained.flatMap((each) => fieldsFor(each.fields, view)).map(({ pointer }) => parsePointer(pointer));
    const within = set.filter((path) => parent.every((key, index) => path[index] === key));
    return [
      ...within.flatMap((path) => path[parent.length] ?? []),
      ...fieldsAt(await schemaOf(view.found.kind, view.found), parent),
    ];
  });
  return [...new Set((await Promise.all(fields)).flat())].map((field) => formatPointer([...parent, field]));
}

/**
 * Returns the possible values of `--every`: concerns, kinds, and the fields of the kind at the beginning of the word.
 *
 * @param world The world; `undefined` if no files are read.
 * @param current The beginning of the word.
 */
export async function everyWords(world: World | undefined, current: string): Promise<readonly string[]> {
  const views = (world?.views ?? []).filter(({ effective }) => effective.topology === world?.topology);
  const present = new Set(views.map(({ found }) => found.kind.kind));
  const absent = knownKinds.filter(({ kind, hierarchy }) => hierarchy === 'gateway-api' && !present.has(kind));
  const kinds = [...views.map(({ found: { kind } }) => kind), ...absent];
  const names = kinds.map(({ kind, group }, index) =>
    kinds.some((other, otherIndex) => otherIndex !== index && other.kind === kind) ? `${kind}.${group}` : kind,
  );
  const named = names.findIndex((name) => current.startsWith(`${name}.`));
  const [name, kind] = [names[named], kinds[named]];
  if (name === undefined || kind === undefined) return [...concernNames, ...names];
  const parent = current
    .slice(name.length + 1)
    .split('.')
    .slice(0, -1);
  const fields = fieldsAt(await schemaOf(kind, views[named]?.found), parent);
  return fields.map((field) => [name, ...parent, field].join('.'));
}

/** Returns the schema of the effective specs of a kind, by a definition of the input, or else of a release. */
async function schemaOf({ group, kind }: GroupKind, policyKind: FoundKind | undefined): Promise<JsonObject> {
  if (policyKind?.effectiveSchema !== undefined) return shownSchema(policyKind);
  const released = await releasedDefinitions([{ apiVersion: `${group}/v1`, kind, metadata: { name: 'any' } }]);
  const [ofRelease] = findPolicyKinds({ resources: released.map(({ definition }) => definition) }).kinds;
  return ofRelease === undefined ? {} : shownSchema(ofRelease);
}
