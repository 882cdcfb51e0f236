import type { Context, EffectiveDelta, EffectivePolicies } from '@policy-machinery/effective-policy';
import { byEstablished } from '@policy-machinery/policy-kind';
import { reportPolicies } from '@policy-machinery/policy-status';
import { formatLocator, parseLocator } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import { expect } from 'vitest';
import { expectSame } from './compared.ts';
import type { ObservedEffective } from './observed-effective.ts';

/** What `takeChanges` is about, at one moment: texts by locators, which are equal where nothing has changed. */
export interface Moment {
  /** The effective policies of each effective target that has any. */
  readonly targets: Texts;
  /** The resources of which the contexts of each effective target are made, whatever comes of them. */
  readonly madeOf: Texts;
  /** What can be said of each policy in its status. */
  readonly policies: Texts;
  /** The policies that affect each object, or one of its sections. */
  readonly affectedObjects: Texts;
}

type Texts = ReadonlyMap<string, string>;

/** Two moments, and whether everything has been asked for at the first one. */
export interface Moments {
  readonly before: Moment;
  readonly now: Moment;
  readonly wasAsked: boolean;
}

/** Takes down a moment of effective policies that have been made afresh. */
export function momentOf(effective: EffectivePolicies<unknown>, observed: ObservedEffective): Moment {
  const reports = reportPolicies(effective).map(({ policy: { locator, resource }, ...report }) => {
    return [locator, numberOf(resource), report, effective.policy(locator)?.issues] as const;
  });
  const consumers = effective.policies.flatMap(({ node }) => node.attachments.map((it) => it.consumerNamespace));
  const traffic = [...new Set(consumers)].filter((namespace) => namespace !== undefined).sort();
  const views = ['', ...traffic].map(
    (from) => [from, from === '' ? effective : effective.forTrafficFrom(from)] as const,
  );
  const contexts = views.flatMap(([from, view]) => [...view, ...view.uncovered()].map((it) => [from, it] as const));
  return {
    targets: textsBy(observed.effective, ({ target, pathCount: _, paths: __, ancestors: ___, ...rest }) => [
      target,
      rest,
    ]),
    madeOf: textsBy(contexts, ([from, it]) => [it.target.locator, [from, sourcesOf(it, effective)]]),
    policies: textsBy(reports, ([locator, ...rest]) => [locator, rest]),
    affectedObjects: textsBy(observed.affected, (it) => [objectOf(it.target), it]),
  };
}

/** How much was told of what has stayed the same. */
export class Tally {
  #same = 0;
  #told = 0;

  add(told: ReadonlySet<string>, same: Iterable<string>): void {
    for (const locator of same) {
      this.#same += 1;
      if (told.has(locator)) this.#told += 1;
    }
  }

  /** The part of what has stayed the same that was told all the same: from 0 to 1. */
  get surplus(): number {
    return this.#told / Math.max(1, this.#same);
  }
}

/** What `takeChanges` told in some sequences, by what it told of. */
export interface Tallies {
  readonly targets: Tally;
  readonly policies: Tally;
  readonly affectedObjects: Tally;
}

/**
 * The most that may be told of what has stayed the same. Targets may be told where they have not been asked for or are made of other
 * resources with the same result, and objects where other policies may affect them.
 */
const bounds = { targets: 0.8, policies: 0.5, affectedObjects: 0.85 };

/** Expects that some sequences together told of little that has stayed the same. */
export function expectLittleSurplus(tallies: Tallies): void {
  for (const what of ['targets', 'policies', 'affectedObjects'] as const) {
    expect(tallies[what].surplus, `${what} of which takeChanges tells although they are as before`).toBeLessThan(
      bounds[what],
    );
  }
}

/** Tallies of nothing yet. */
export function newTallies(): Tallies {
  return { targets: new Tally(), policies: new Tally(), affectedObjects: new Tally() };
}

/**
 * Compares what has been told of some changes with what is different since.
 *
 * @param told All that has been told from the one moment to the other.
 * @param tallies Are added to.
 */
export function expectTold(
  told: readonly EffectiveDelta[],
  { before, now, wasAsked }: Moments,
  tallies: Tallies,
  at: string,
): void {
  for (const what of ['targets', 'policies', 'affectedObjects'] as const) {
    for (const list of told) expectSame(list[what], [...new Set(list[what])].sort(), `${at}: ${what}, in order`);
    const named = new Set(told.flatMap((delta) => delta[what]));
    const missing = differences(before[what], now[what]).filter((locator) => !named.has(locator));
    expect(missing, `${at}: ${what} of which takeChanges does not tell`).toEqual([]);
    const same = [...now[what]].filter(([locator, text]) => before[what].get(locator) === text);
    tallies[what].add(
      named,
      same.map(([locator]) => locator),
    );
  }
  if (!wasAsked) return; // What has not been asked for cannot be compared.
  const changed = new Set(differences(before.madeOf, now.madeOf));
  const surplus = told.flatMap(({ targets }) => targets.filter((locator) => !changed.has(locator)));
  expect(surplus, `${at}: targets of which takeChanges tells although nothing about them has changed`).toEqual([]);
}

function differences(before: Texts, now: Texts): readonly string[] {
  return [...new Set([...before.keys(), ...now.keys()])].filter((locator) => before.get(locator) !== now.get(locator));
}

/** Returns the texts of some items, put together by locator. */
function textsBy<Item>(
  items: readonly Item[],
  textOf: (item: Item) => readonly [locator: string, what: unknown],
): Texts {
  const texts = new Map<string, string>();
  for (const [locator, what] of items.map(textOf)) {
    texts.set(locator, `${texts.get(locator) ?? ''}${JSON.stringify(what)}`);
  }
  return texts;
}

/**
 * Returns the resources that are merged, and those that decide how. If targets have own values, these may have changed with
 * their links, as long as they have not been read.
 */
function sourcesOf({ target, levels }: Context<unknown>, effective: EffectivePolicies<unknown>): unknown {
  const { kind } = effective;
  const links = [...target.linksFrom, ...target.linksTo, ...effective.topology.policiesAt(target)];
  const linked = [target.namespace !== undefined, ...links.map(({ locator }) => locator)];
  const above = kind.ownValueTargets.length === 0 ? [target] : [...targetsAbove(target)];
  const withValues = above.map(({ resource }) => numberOf(resource));
  const own = kind.ownValue === undefined ? undefined : [withValues, linked];
  const sources = levels.map((level) => [
    level.target.locator,
    level.via,
    kind.strategyChooser === byEstablished ? undefined : numberOf(level.resource),
    ...level.policies.map(({ resource }) => numberOf(resource)),
  ]);
  return [own, sources];
}

/** Returns a target and all targets above it. */
function targetsAbove(target: TargetNode): ReadonlySet<TargetNode> {
  const found = new Set([target, ...target.sections]);
  for (const { object, linksFrom } of found) for (const above of [object, ...linksFrom]) found.add(above);
  return found;
}

function objectOf(locator: string): string {
  const { section: _, ...object } = parseLocator(locator);
  return formatLocator(object);
}

const numbers = new WeakMap<object, number>();
let next = 0;

/** Returns a number of its own for each resource. */
function numberOf(resource: object): number {
  const known = numbers.get(resource) ?? next++;
  numbers.set(resource, known);
  return known;
}
