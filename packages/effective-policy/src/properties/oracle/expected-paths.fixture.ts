/**
 * A second implementation of effective policies, naive on purpose: it writes out every path of a small world, lists the
 * levels and stanzas of each, and reduces them pairwise on plain documents. It shares no code with the packages: of them it
 * knows the resources, and the strategies by name.
 */
import type { World } from '../worlds.fixture.ts';
import type { Doc } from './documents.fixture.ts';
import { Fold, type Meeting } from './fold.fixture.ts';
import { type Attached, attachedTo } from './layers.fixture.ts';
import { type Layer, layersOn, onceEach } from './levels.fixture.ts';
import { type Path, pathsThrough, type Target, targetsOf } from './paths.fixture.ts';

/** What applies at the end of one path. */
export interface ExpectedPath {
  readonly target: string;
  readonly path: Path;
  /** The levels that have policies, the least specific first. */
  readonly levels: readonly string[];
  /** The effective spec; `undefined` without a policy. */
  readonly spec: Doc | undefined;
}

/**
 * Returns every path to every target.
 *
 * @param world The world.
 * @param onMeeting Receives each pair of layers that are merged. Default: does nothing.
 */
export function expectedPaths(
  world: World,
  onMeeting: (meeting: Meeting) => void = () => undefined,
): readonly ExpectedPath[] {
  const targets = targetsOf(world);
  const attached = attachedTo(world, targets);
  const fold = new Fold(world.rules, onMeeting);
  return pathsThrough(targets, world).map((path) => {
    const target = targets.get(path.at(-1) as string) as Target;
    const steps = stepsOf(path, targets, world);
    const isMet = (step: string): boolean =>
      world.policyClass === 'Inherited' || targets.get(step)?.object === target.object;
    const levels = steps.filter(isMet).flatMap(attached);
    const spec = levels.length === 0 ? undefined : fold.of(layersOf(levels, target, world));
    return { target: target.locator, path, levels: levels.map((level) => level.target.locator), spec };
  });
}

/** Returns the targets that a path reaches, each object after its namespace. */
function stepsOf(path: Path, targets: Map<string, Target>, { namespaceLevels }: World): readonly string[] {
  return path.flatMap((step) => {
    const { object, namespace, kind } = targets.get(step) as Target;
    const counts = namespaceLevels?.includes(kind as 'Museum') ?? true;
    return step === object && namespace !== undefined && targets.has(namespace) && counts ? [namespace, step] : [step];
  });
}

/** Returns the layers that are merged, the most specific one first, with the target's own value in its place. */
function layersOf(levels: readonly Attached[], target: Target, { rules }: World): readonly Layer[] {
  const fromBelow = [...levels].reverse();
  const used = rules.fold === 'closest-parent' ? closest(fromBelow) : fromBelow;
  const layers = used.flatMap((level) => layersOn(level, rules));
  const own = ownLayer(target, rules);
  return rules.ownValuePrecedence === 'most-specific'
    ? onceEach([...own, ...layers], rules)
    : [...onceEach(layers, rules), ...own];
}

/** Returns the most specific level, and the next one on another object (E-02). */
function closest([nearest, ...farther]: readonly Attached[]): readonly Attached[] {
  const parent = farther.find(({ target }) => target.object !== nearest?.target.object);
  return [nearest, parent].filter((level) => level !== undefined);
}

/** What the target itself says (M-13, X-25). A target without any field says nothing. */
function ownLayer(target: Target, { ownValuePrecedence }: World['rules']): readonly Layer[] {
  const { own = {}, locator } = target;
  if (Object.keys(own).length === 0) return [];
  const choice = { strategy: 'fields', stanza: ownValuePrecedence === 'highest' ? 'overrides' : 'defaults' } as const;
  const unordered = { seconds: Number.POSITIVE_INFINITY, weight: 0, when: undefined, whenResult: undefined, unset: [] };
  const place = { policy: locator, pointer: '', level: 'own', target };
  return [{ ...choice, ...unordered, ...place, spec: own, follows: choice, isOwn: true }];
}
