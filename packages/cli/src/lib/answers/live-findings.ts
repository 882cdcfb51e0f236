import { createFollower, type Follower } from '@policy-machinery/effective-policy/inner';
import { groupKindKey } from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import { replacedProtection } from '../covering/replaced.ts';
import type { Finding } from '../model/answer.ts';
import type { World } from '../model/world.ts';
import {
  differingStatuses,
  listenerConflicts,
  listenerOwners,
  notProgrammedTargets,
  policyFindings,
} from './findings-about.ts';
import { arranged, danglingReferences, findingsIn, kindsIn, located, viewFindings } from './issues.ts';

/** The changes in the topologies of a world. */
interface Changed {
  /** Locators of policies that may have other findings. */
  readonly policies: ReadonlySet<string>;
  /** Locators of objects that were given or removed. */
  readonly objects: ReadonlySet<string>;
  /** The views that may have other issues, by their places. */
  readonly views: ReadonlySet<number>;
  /** Whether targets have come, gone or changed, so that references may lead elsewhere. */
  readonly targets: boolean;
  /** Whether listeners may conflict otherwise. */
  readonly listeners: boolean;
}

/** Finds faults in a world that changes: after a change, only the objects that it names are checked again. */
export class LiveFindings {
  #followed: Followed | undefined;

  /**
   * Returns the same findings as `findingsIn`.
   *
   * @param world The world. One of a cluster with the same topologies as the last one follows from it.
   * @param replaced The findings about policies that replace the protection of others. Default: they are found.
   */
  of(world: World, replaced = replacedProtection(world)): readonly Finding[] {
    // In files, the content of one object may put findings about any other into doubt.
    if (world.source === undefined || world.unrendered.signs.length > 0) return findingsIn(world, replaced);
    if (this.#followed?.isOf(world) !== true) this.#followed = new Followed(world);
    return this.#followed.findings(world, replaced);
  }

  /** How many policies and objects were looked at for the last answer. */
  get looked(): number {
    return this.#followed?.looked ?? 0;
  }
}

/** The findings in the topologies of a world, each by its subject. */
class Followed {
  looked = 0;
  readonly #first: World;
  /** One for each topology. */
  readonly #followers: readonly Follower[];
  readonly #located = new WeakMap<Finding, Finding>();
  readonly #policies = new Map<string, Finding[]>();
  readonly #objects = new Map<string, readonly Finding[]>();
  #kinds: ReadonlySet<string> = new Set();
  #issues: (readonly Finding[])[] = [];
  #dangling: readonly Finding[] = [];
  #conflicts: readonly Finding[] = [];

  constructor(world: World) {
    this.#first = world;
    this.#followers = world.topologies.map((topology) => {
      const views = world.views.filter(({ effective }) => effective.topology === topology);
      const effective = views.map((view) => view.effective);
      return createFollower(topology, effective);
    });
  }

  /** Returns whether a world is the first one after changes: with the same topologies and views, and the same places in files. */
  isOf({ topologies, views, locate }: World): boolean {
    const before = this.#first;
    return topologies === before.topologies && views === before.views && locate === before.locate;
  }

  findings(world: World, replaced: readonly Finding[]): readonly Finding[] {
    const changed = this.#take(world.views);
    if (changed === undefined) this.#lookAtAll(world);
    else this.#lookAgain(world, changed);
    const parts = [
      ...this.#issues,
      this.#dangling,
      ...this.#policies.values(),
      this.#conflicts,
      ...this.#objects.values(),
    ];
    return arranged(world, [...parts.flat(), ...replaced], (finding) => this.#locate(world, finding));
  }

  /** Returns the changes since the last call; `undefined` if everything may be different. */
  #take(views: World['views']): Changed | undefined {
    const taken = this.#followers.map((follower) => follower.take().stale);
    const all = taken.flatMap((stale) => stale ?? []);
    if (all.length < taken.length) return undefined;
    const objects = new Set(all.flatMap(({ given }) => [...given]));
    const policies = new Set(all.flatMap((stale) => [...stale.policies]));
    for (const locator of objects) if (isPolicy(views, locator)) policies.add(locator);
    const owners = new Set(listenerOwners.map(({ kind }) => kind));
    const touched = all.flatMap((stale) => [...stale.touched]);
    const places = [...views.keys()].filter((place) => {
      const key = `${groupKindKey(views[place]?.effective.kind ?? { group: '', kind: '' })}:`;
      return touched.length > 0 || [...policies].some((locator) => locator.startsWith(key));
    });
    const listeners = touched.some(({ object }) => owners.has(object.ref.kind));
    return { policies, objects, views: new Set(places), targets: touched.length > 0, listeners };
  }

  #lookAtAll(world: World): void {
    this.#policies.clear();
    this.#objects.clear();
    for (const [policy, finding] of policyFindings(world)) this.#note(policy, finding);
    const targets = world.topologies.flatMap((topology) => [...topology.targets]);
    for (const target of targets) if (target.section === undefined) this.#lookAtObject(world, target);
    this.#kinds = kindsIn(world);
    this.#issues = world.views.map(viewFindings);
    this.#dangling = danglingReferences(world, this.#kinds);
    this.#conflicts = listenerConflicts(world.topology);
    this.looked = targets.length + world.topologies.reduce((sum, each) => sum + each.policies().length, 0);
  }

  #lookAgain(world: World, { policies, objects, views, targets, listeners }: Changed): void {
    const kinds = kindsIn(world);
    const isOtherKind = kinds.size !== this.#kinds.size || [...kinds].some((kind) => !this.#kinds.has(kind));
    this.#kinds = kinds;
    if (targets || isOtherKind) this.#dangling = danglingReferences(world, kinds);
    this.#issues = world.views.map(
      (view, place) => (views.has(place) ? undefined : this.#issues[place]) ?? viewFindings(view),
    );
    for (const locator of policies) this.#policies.delete(locator);
    for (const [policy, finding] of policyFindings(world, policies)) this.#note(policy, finding);
    for (const locator of withDependents(world.topology, objects)) {
      this.#objects.delete(locator);
      const targets = world.topologies.flatMap((topology) => topology.get(locator) ?? []);
      for (const target of targets) this.#lookAtObject(world, target);
    }
    if (listeners) this.#conflicts = listenerConflicts(world.topology);
    this.looked = policies.size + objects.size;
  }

  #note(policy: string, finding: Finding): void {
    const there = this.#policies.get(policy);
    if (there === undefined) this.#policies.set(policy, [finding]);
    else there.push(finding);
  }

  #lookAtObject(world: World, object: TargetNode): void {
    const found = [
      ...notProgrammedTargets(world, [object, ...object.sections]),
      ...(world.topology.get(object) === object ? differingStatuses(world.topology, [object]) : []),
    ];
    if (found.length > 0) this.#objects.set(object.locator, found);
  }

  #locate(world: World, finding: Finding): Finding {
    const known = this.#located.get(finding) ?? located(world, finding);
    this.#located.set(finding, known);
    return known;
  }
}

/**
 * Returns objects, with the routes and ListenerSets that depend on them for their attachment: all of the topology for a
 * Namespace or a GatewayClass.
 */
function withDependents(topology: Topology, objects: ReadonlySet<string>): ReadonlySet<string> {
  if ([...objects].some((locator) => /^(namespace|gatewayclass\.)/.test(locator))) {
    return new Set([...objects, ...[...topology.targets].map(({ object }) => object.locator)]);
  }
  const found = new Set(objects);
  for (const locator of found) {
    const object = topology.get(locator);
    if (object === undefined || !listenerOwners.some(({ kind }) => kind === object.ref.kind)) continue;
    for (const referrer of topology.referrersOf(object)) found.add(referrer.locator);
  }
  return found;
}

function isPolicy(views: World['views'], locator: string): boolean {
  return views.some(({ effective }) => effective.topology.policy(locator) !== undefined);
}
