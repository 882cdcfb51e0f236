import { groupedBy } from '@policy-machinery/resource/inner';
import type { Path, TargetNode } from '@policy-machinery/topology';
import type { ConcreteRequest } from '../requests/concrete-request.ts';
import type { Contender } from '../requests/contender.ts';
import type { BrokenClass, OtherRequest } from './broken-class.ts';
import type { Met } from './facts.ts';
import type { Counterexample } from './verdict.ts';

/**
 * Groups classes by cause: classes that meet the same policies; and classes without policies by the Gateway, listener or route that breaks the
 * guarantee for all of its requests.
 *
 * @param broken The classes that break the guarantee.
 * @param considered All classes that were considered.
 * @returns The smallest request of each group, the smallest first. O(classes).
 */
export function counterexamplesOf(
  broken: readonly BrokenClass[],
  considered: ReadonlySet<Contender>,
): readonly Counterexample[] {
  const failing = new Set(broken.map(({ contender }) => contender));
  const sound = new Set<TargetNode>();
  for (const contender of considered) {
    if (!failing.has(contender)) for (const place of placesOf(contender)) sound.add(place);
  }
  const groups = groupedBy(broken, (each) => {
    const policies = policiesOf(each);
    const place = policies.length === 0 ? unsoundPlace(each, sound) : each.contender.entry.node;
    return [place.locator, ...policies, '', ...(each.other === undefined ? [] : keysOfOther(each.other))].join('\n');
  });
  return [...groups.values()]
    .map((classes) => {
      const first = [...classes].sort(bySize)[0] as BrokenClass;
      const { contender, request, failure, other } = first;
      const { path, met, why, concerns } = failure;
      const cause = policiesOf(first).length === 0 ? unsoundPlace(first, sound) : commonPlace(first, classes);
      const isWhole = classes.every((it) => it.isWhole) && !sound.has(cause);
      return { request, contender, path, policies: met, concerns, other, why, cause, classes: classes.length, isWhole };
    })
    .sort(bySize);
}

/** The places of a class, the widest first. */
function placesOf({ entry, at, route, rule }: Contender): readonly TargetNode[] {
  return [entry.node, at, route, ...(rule === undefined ? [] : [rule])];
}

/** Returns the widest place of a class where all requests break the guarantee. */
function unsoundPlace({ contender }: BrokenClass, sound: ReadonlySet<TargetNode>): TargetNode {
  const places = placesOf(contender);
  return places.find((place) => !sound.has(place)) ?? (places.at(-1) as TargetNode);
}

/** Returns the narrowest place of all classes of a Gateway or Service. */
function commonPlace({ contender }: BrokenClass, classes: readonly BrokenClass[]): TargetNode {
  const all = classes.map((each) => placesOf(each.contender));
  const isCommon = (place: TargetNode): boolean => all.every((places) => places.includes(place));
  return placesOf(contender).findLast(isCommon) ?? contender.entry.node;
}

/** Returns the policies that requests of a class meet, and those that cause how the requests meet a concern. */
function policiesOf({ failure: { met, concerns } }: BrokenClass): readonly string[] {
  return [...locatorsIn(met), ...[...concerns.values()].flatMap(({ by }) => by ?? [])];
}

function locatorsIn(met: Met): readonly string[] {
  return [...met.values()].flatMap(({ layers }) => layers.map(({ policy }) => policy.locator)).sort();
}

/** Returns the parts of the other request that distinguish causes: where it arrives, whether a rule takes it, and the policies that it meets. */
export function keysOfOther({ contender, takenBy, policies }: OtherRequest): readonly string[] {
  return [contender.entry.node.locator, takenBy === undefined ? 'not taken' : 'taken', ...locatorsIn(policies)];
}

interface Sized {
  readonly request: ConcreteRequest;
  readonly contender: Contender;
  readonly path?: Path;
}

function bySize(a: Sized, b: Sized): number {
  return sizeOf(a) - sizeOf(b) || compare(keyOf(a), keyOf(b));
}

/** Returns how much a person has to read. */
function sizeOf({ request: { host, path, method, headers, query } }: Sized): number {
  return host.length + path.length + (method === 'GET' ? 0 : 10) + 20 * (headers.size + query.size);
}

function keyOf({ request: { host, path }, contender: { at, rule, route, match } }: Sized): string {
  return [at.locator, (rule ?? route).locator, host, path, match.match.matchIndex].join(' ');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
