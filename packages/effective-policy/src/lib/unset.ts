import { removeFields } from '@policy-machinery/merge';
import { isJsonObject, type JsonObject } from '@policy-machinery/resource';
import type { PlacedLayer } from './layout.ts';
import type { TracedSpec } from './part.ts';

/** A field of others' defaults that a policy does not want (K-07). */
export interface Unset<Spec> {
  /** The field's path, or the last part of it, with dots. */
  readonly name: string;
  readonly by: PlacedLayer<Spec>;
}

type Path = readonly string[];

/**
 * Defaults without the fields that other policies beneath unset (K-07): each name stands for fields as they were said, of
 * those whose path ends in it the outermost, since what lies deeper is part of something else. O(fields × depth).
 */
export function withoutUnset<Spec>(
  spec: TracedSpec<Spec>,
  unset: readonly Unset<Spec>[],
  { policy }: PlacedLayer<Spec>,
): TracedSpec<Spec> {
  if (unset.length === 0) return spec;
  const others = unset.filter(({ by }) => by.policy !== policy);
  if (others.length === 0) return spec;
  const byName = new Map(others.map(({ name, by }) => [name, by]));
  const paths = new Map<PlacedLayer<Spec>, Path[]>();
  for (const [name, found] of outermostOf(byName, spec.value)) {
    const by = byName.get(name) as PlacedLayer<Spec>;
    paths.set(by, [...(paths.get(by) ?? []), ...found]);
  }
  return [...paths].reduce((left, [by, found]) => removeFields(left, found, by), spec);
}

/** For each name, the outermost fields whose path ends in it. */
function outermostOf(names: ReadonlyMap<string, unknown>, spec: JsonObject): ReadonlyMap<string, readonly Path[]> {
  const found = new Map<string, Path[]>();
  let level: readonly (readonly [Path, JsonObject])[] = [[[], spec]];
  while (level.length > 0) {
    const here = level.flatMap(([path, object]) =>
      Object.entries(object).map(([key, field]) => [[...path, key], field] as const),
    );
    const onLevel = new Map<string, Path[]>();
    for (const [path] of here) {
      for (let from = path.length - 1; from >= 0; from -= 1) {
        const name = path.slice(from).join('.');
        if (!names.has(name) || found.has(name)) continue;
        const paths = onLevel.get(name) ?? [];
        onLevel.set(name, paths);
        paths.push(path);
      }
    }
    for (const [name, paths] of onLevel) found.set(name, paths);
    level = here.flatMap(([path, field]) => (isJsonObject(field) ? [[path, field] as const] : []));
  }
  return found;
}
