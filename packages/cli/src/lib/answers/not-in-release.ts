import type { Verdict } from '@policy-machinery/guarantees';
import {
  groupKindKey,
  groupKindOf,
  isJsonObject,
  type JsonValue,
  type KubernetesObject,
  refOf,
  schemaOfRelease,
  specOf,
  storedObjects,
} from '@policy-machinery/resource';
import { formatRef } from '@policy-machinery/topology';
import { firstOf } from '../model/first-of.ts';
import type { PolicyView, World } from '../model/world.ts';

/** The code of findings about fields that a shipped schema does not have. They count, because the release in use may have them. */
const code = 'field-not-in-release';

/**
 * Returns the fields of an object that the shipped schema of its kind does not have, as JSON Pointers. None if the kind is defined in the input.
 *
 * @param world The world.
 */
export function fieldsNotInRelease({
  inputIssues,
  released,
}: Pick<World, 'inputIssues' | 'released'>): (object: KubernetesObject) => readonly string[] {
  if (!inputIssues.some((issue) => issue.code === code)) return () => [];
  const store = storedObjects([], released);
  return (object) => store(object).warnings.map(({ pointer = '' }) => pointer);
}

/** Returns whether a policy has other fields than these, beside its targets. */
export function hasOtherFields(
  policy: KubernetesObject,
  pointers: readonly string[],
  { found: { kind } }: PolicyView,
): boolean {
  const open = new Set(pointers);
  return Object.entries(specOf(policy)).some(
    ([field, value]) => !kind.targetFields.some((it) => it === field) && hasOthers(value, `/spec/${field}`, open),
  );
}

function hasOthers(value: JsonValue | undefined, pointer: string, open: ReadonlySet<string>): boolean {
  if (open.has(pointer)) return false;
  if (!Array.isArray(value) && !isJsonObject(value)) return true;
  const fields = Object.entries(value);
  return fields.length === 0 || fields.some(([key, inner]) => hasOthers(inner, `${pointer}/${key}`, open));
}

/** Says which fields of a policy may not count. */
export function notInReleaseText(pointers: readonly string[], { found: { definedBy } }: PolicyView): string {
  const verb = pointers.length === 1 ? 'counts' : 'count';
  return `Whether ${firstOf(pointers, 3)} ${verb} is not known: not in ${schemaOfRelease(definedBy?.release ?? '')}.`;
}

/**
 * Returns what a guarantee depends on and the release in use decides, in sentences without a full stop: the fields of routes and policies that the shipped
 * schemas do not have, and the policies that these refuse.
 *
 * @param verdict The verdict.
 * @param world The world.
 */
export function releaseDependencies({ guarantee, kinds }: Verdict, world: World): readonly string[] {
  const fieldsOf = fieldsNotInRelease(world);
  const read = new Set(kinds.map((name) => name.split('.', 1)[0]));
  const views = world.views.filter(
    ({ found: { kind, definedBy } }) =>
      definedBy?.release !== undefined && (guarantee.about === 'policies' || read.has(kind.kind)),
  );
  const policyKinds = new Set(world.views.map(({ found: { kind } }) => groupKindKey(kind)));
  const others = world.objects.filter((object) => !policyKinds.has(groupKindKey(groupKindOf(object))));
  const policies = views.flatMap(({ found: { kind }, effective }) =>
    effective.topology.policies(kind).map(({ resource }) => resource),
  );
  const having = [...(guarantee.about === 'policies' ? [] : others), ...policies].flatMap((object) => {
    const pointers = fieldsOf(object);
    if (pointers.length === 0) return [];
    return [`${formatRef(refOf(object))} has ${firstOf(pointers, 3)}, which is not in the schema that gwpolicy ships`];
  });
  return [...having, ...views.flatMap(refusedBy)];
}

/** Returns the policies that a shipped schema refuses. */
function refusedBy({ found: { kind, definedBy }, effective }: PolicyView): readonly string[] {
  const refused = effective.issues.filter((issue) => issue.code === 'invalid-spec');
  const locators = new Set(refused.map(({ resource }) => resource));
  const policies = effective.topology.policies(kind).filter(({ locator }) => locators.has(locator));
  return policies.map(
    ({ resource }) => `${formatRef(refOf(resource))} is refused by ${schemaOfRelease(definedBy?.release ?? '')}`,
  );
}
