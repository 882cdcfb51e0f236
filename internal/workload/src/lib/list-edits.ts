import type { GroupKind } from '@policy-machinery/resource';
import { type JsonObject, type KubernetesObject, objectsIn, specOf } from '@policy-machinery/resource';
import { type ChangingWorld, change, type Edit, isTimeToGrow, isTimeToShrink } from './edit.ts';

/** Changes one list in the spec of a resource of a kind, unless it is left as it is. */
export function listChange(
  kind: GroupKind,
  field: string,
  changed: (
    world: ChangingWorld,
    items: readonly JsonObject[],
    resource: KubernetesObject,
  ) => readonly JsonObject[] | undefined,
): Edit {
  return change(kind, (world, resource) => {
    const spec = specOf(resource);
    const items = changed(world, objectsIn(spec[field]), resource);
    return items === undefined ? undefined : world.server.respec(resource, { ...spec, [field]: items });
  });
}

/** About how many items lists shall have. */
const usual = 3;

/** Adds an item, the oftener the fewer there are. */
export function withOneMore(
  { random }: ChangingWorld,
  items: readonly JsonObject[],
  make: () => JsonObject,
): readonly JsonObject[] | undefined {
  return isTimeToGrow(random, items.length, usual) ? [...items, make()] : undefined;
}

/** Leaves out one item, the oftener the more there are. */
export function withoutOne({ random }: ChangingWorld, items: readonly JsonObject[]): readonly JsonObject[] | undefined {
  if (!isTimeToShrink(random, items.length, usual)) return undefined;
  const gone = random.int(items.length);
  return items.filter((_, index) => index !== gone);
}

/** Gives one item other fields, if there is one. */
export function withOneChanged(
  { random }: ChangingWorld,
  items: readonly JsonObject[],
  fields: (item: JsonObject) => JsonObject,
): readonly JsonObject[] | undefined {
  if (items.length === 0) return undefined;
  const place = random.int(items.length);
  return items.map((item, index) => (index === place ? { ...item, ...fields(item) } : item));
}

/** Says one item once more, the oftener the fewer there are: what refers to something then refers to it twice. */
export function withOneAgain({ random }: ChangingWorld, items: readonly JsonObject[]): readonly JsonObject[] {
  if (items.length === 0 || !isTimeToGrow(random, items.length, usual)) return items;
  return random.shuffle([...items, random.pick(items)]);
}
