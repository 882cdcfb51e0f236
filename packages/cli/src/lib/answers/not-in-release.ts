import type { Verdict } from '@policy-machinery/guarantees';
import {
  formatPointer,
  groupKindKey,
  groupKindOf,
  isJsonObject,
  type JsonValue,
  type KubernetesObject,
  refOf,
  specOf,
  storedObjects,
} from '@policy-machinery/resource';
import { schemaOfRelease } from '@policy-machinery/resource/inner';
import { formatRef } from '@policy-machinery/topology';
import { firstOf } from '../model/first-of.ts';
import type { PolicyView, World } from '../model/world.ts';
import { viewsRead } from './unchecked.ts';

/** The code of findings about fields that a shipped schema does not have. They count, because the release in use may have them. */
const code = 'field-not-in-release';

type FieldsByObject = ReadonlyMap<KubernetesObject, readonly string[]>;

/** The fields of the objects of worlds that were asked about. */
const fieldsByObjects = new WeakMap<World['objects'], FieldsByObject>();

/**
 * Returns the fields that the shipped schemas do not have, as JSON Pointers, by object. O(size of the objects) once for a world, and O(1) without findings
 * about such fields.
 */
export function fieldsNotInRelease({
  objects,
  inputIssues,
  released,
}: Pick<World, 'objects' | 'inputIssues' | 'released'>): FieldsByObject {
  if (!inputIssues.some((issue) => issue.code === code)) return new Map();
  const known = fieldsByObjects.get(objects);
  if (known !== undefined) return known;
  const store = storedObjects([], released);
  const fields = new Map<KubernetesObject, readonly string[]>();
  for (const object of objects) {
    const { warnings } = store(object);
    if (warnings.length > 0)
      fields.set(
        object,
        warnings.map(({ pointer = '' }) => pointer),
      );
  }
  fieldsByObjects.set(objects, fields);
  return fields;
}

/** Returns whether a policy has other fields than these, beside its targets. */
export function hasOtherFields(
  policy: KubernetesObject,
  pointers: readonly string[],
  { found: { kind } }: PolicyView,
): boolean {
  const open = new Set(pointers);
  return Object.entries(specOf(policy)).some(
    ([field, value]) =>
      !kind.targetFields.some((it) => it === field) && hasOthers(value, formatPointer(['spec', field]), open),
  );
}

function hasOthers(value: JsonValue | undefined, pointer: string, open: ReadonlySet<string>): boolean {
  if (open.has(pointer)) return false;
  if (!Array.isArray(value) && !isJsonObject(value)) return true;
  const fields = Object.entries(value);
  return fields.length === 0 || fields.some(([key, inner]) => hasOthers(inner, pointer + formatPointer([key]), open));
}

/** Says which fields of a policy may not count. */
export function notInReleaseText(pointers: readonly string[], { found: { definedBy } }: PolicyView): string {
  const verb = pointers.length === 1 ? 'counts' : 'count';
  return `Whether ${firstOf(pointers, 3)} ${verb} is not known: not in ${schemaOfRelease(definedBy?.release ?? '')}.`;
}

/**
 * Returns the dependencies of a guarantee that the release in use decides, in sentences without a full stop: the fields of routes and policies that
 * the shipped schemas do not have, and the policies that these refuse.
 */
export function releaseDependencies(verdict: Verdict, world: World): readonly string[] {
  const read = new Set(viewsRead(verdict, world));
  const others = world.views.filter((view) => !read.has(view));
  const unread = new Set(others.map(({ found: { kind } }) => groupKindKey(kind)));
  const having = [...fieldsNotInRelease(world)].flatMap(([object, pointers]) =>
    unread.has(groupKindKey(groupKindOf(object)))
      ? []
      : [`${formatRef(refOf(object))} has ${firstOf(pointers, 3)}, which is not in the schema that gwpolicy ships`],
  );
  const checked = [...read].filter(({ found: { definedBy } }) => definedBy?.release !== undefined);
  const all = [...having, ...checked.flatMap(refusedBy)];
  const more = all.length - mostNamed;
  return more <= 0 ? all : [...all.slice(0, mostNamed), `${more} more objects depend on the release in use`];
}

/** How many objects a verdict names. */
const mostNamed = 5;

/** Returns the policies that a shipped schema refuses. */
function refusedBy({ found: { kind, definedBy }, effective }: PolicyView): readonly string[] {
  const refused = effective.issues.filter((issue) => issue.code === 'invalid-spec');
  const locators = new Set(refused.map(({ resource }) => resource));
  const policies = effective.topology.policies(kind).filter(({ locator }) => locators.has(locator));
  return policies.map(
    ({ resource }) => `${formatRef(refOf(resource))} is refused by ${schemaOfRelease(definedBy?.release ?? '')}`,
  );
}
