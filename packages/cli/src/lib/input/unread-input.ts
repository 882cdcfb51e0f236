import { groupKindKey, groupKindOf, locatorOf, refOf } from '@policy-machinery/resource';
import { formatRef } from '@policy-machinery/topology';
import { firstOf } from '../model/first-of.ts';
import type { World } from '../model/world.ts';

/**
 * Returns the input that a guarantee may depend on and that is not read, or is unrendered: in sentences without a full stop, for verdicts.
 * None if all input is read.
 */
export function unreadInput(world: World): readonly string[] {
  return [...world.gaps, ...unreadFiles(world), ...unrenderedInput(world)];
}

/** The codes of notes about files that are not read. */
const leftOut: ReadonlySet<string> = new Set(['link-left-out', 'submodule-left-out', 'files-excluded']);

function unreadFiles({ inputIssues }: World): readonly string[] {
  const unread = inputIssues.filter(({ code, severity }) => severity === 'error' || leftOut.has(code));
  return unread.map(({ message, position }) => (position === undefined ? message : `${position.source}: ${message}`));
}

function unrenderedInput(world: World): readonly string[] {
  const { unrendered } = world;
  const changed = changedObjects(world);
  const [first, ...others] = changed;
  const more =
    others.length === 0 ? ' is' : ` and ${others.length} more ${others.length === 1 ? 'object' : 'objects'} are`;
  const changes = unrendered.signs.filter((sign) => !unrendered.unknown.some((it) => it.what === sign.what));
  const why = firstOf(changes.map(textOf), 3);
  return [
    ...unrendered.unknown.map((sign) => `${textOf(sign)} is not rendered, and may contain routes`),
    ...(first === undefined ? [] : [`${first}${more} not rendered${why === '' ? '' : `: ${why}`}`]),
  ];
}

function textOf({ what, source }: World['unrendered']['signs'][number]): string {
  return `${what} in ${source}`;
}

/** The kinds that topologies have, but guarantees do not read. */
const irrelevant: ReadonlySet<string> = new Set([
  'Secret',
  'ConfigMap',
  'Pod',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'Job',
]);

/**
 * Returns the objects if a renderer changes a part that guarantees depend on: their content or names. A namespace that a renderer sets is known for
 * objects that have one.
 */
function changedObjects({ objects, topologies, unrendered }: World): readonly string[] {
  if (unrendered.signs.length === 0) return [];
  const kinds = new Map(topologies.flatMap(({ requiredKinds }) => requiredKinds.map((it) => [groupKindKey(it), it])));
  return objects.flatMap((object) => {
    const key = groupKindKey(groupKindOf(object));
    const kind = kinds.get(key);
    if (kind === undefined || irrelevant.has(object.kind)) return [];
    const change = unrendered.changeOf(locatorOf(object));
    const hasPlace = kind.scope === 'Cluster' || object.metadata.namespace !== undefined;
    const isKnown = change === 'place' && hasPlace && !unrendered.mayExist(`${key}:`);
    return change === undefined || isKnown ? [] : [formatRef(refOf(object))];
  });
}
