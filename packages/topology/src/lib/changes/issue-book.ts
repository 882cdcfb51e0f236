import type { Issue } from '@policy-machinery/resource';
import { getOrInsert } from '../support/get-or-insert.ts';
import { sortedBy } from '../support/sorted-by.ts';

/** What issues come from: what found them can find them again. */
export type IssueSource =
  | 'deletion'
  | 'derived'
  | 'fields'
  | 'sections'
  | 'grants'
  | 'links'
  | 'cycles'
  | 'relays'
  | 'policyRefs'
  | 'policies'
  | 'strangers';

const none: readonly never[] = [];

/** All issues of a topology, by what they come from and by what they are about. */
export class IssueBook {
  readonly #bySource = new Map<IssueSource, Map<unknown, readonly Issue[]>>();
  readonly #byResource = new Map<string | undefined, Set<Issue>>();
  #all: readonly Issue[] | undefined;

  /**
   * Records the issues of a source, instead of those before.
   *
   * @param owner What of the source they come from.
   * @returns The resources that have other issues than before.
   */
  set(source: IssueSource, owner: unknown, issues: readonly Issue[]): readonly (string | undefined)[] {
    const before = this.#bySource.get(source)?.get(owner) ?? none;
    if (before.length === 0 && issues.length === 0) return none;
    if (isSame(before, issues)) return [];
    for (const issue of before) this.#byResource.get(issue.resource)?.delete(issue);
    for (const issue of issues) getOrInsert(this.#byResource, issue.resource, () => new Set<Issue>()).add(issue);
    const owners = getOrInsert(this.#bySource, source, () => new Map<unknown, readonly Issue[]>());
    if (issues.length === 0) owners.delete(owner);
    else owners.set(owner, issues);
    for (const { resource } of before)
      if (this.#byResource.get(resource)?.size === 0) this.#byResource.delete(resource);
    this.#all = undefined;
    return [...before, ...issues].map(({ resource }) => resource);
  }

  /** Every issue, in the order of what it is about; of many of one code about one resource, the first ones and how many more there are. */
  get all(): readonly Issue[] {
    this.#all ??= sortedBy(
      [...this.#byResource.values()].flatMap((issues) => bounded(issues)),
      keyOf,
    );
    return this.#all;
  }

  /** The issues about a resource. */
  about(resource: string): readonly Issue[] {
    return sortedBy(bounded(this.#byResource.get(resource) ?? none), keyOf);
  }
}

/** How many issues of one code about one resource are listed. */
const maxListed = 100;

function bounded(issues: Iterable<Issue>): readonly Issue[] {
  const all = [...issues];
  if (all.length <= maxListed) return all;
  const byCode = new Map<string, Issue[]>();
  for (const issue of all) getOrInsert(byCode, issue.code, (): Issue[] => []).push(issue);
  return [...byCode.values()].flatMap(firstOnes);
}

/** The first issues of one code about one resource, and one that counts the rest. */
function firstOnes(issues: readonly Issue[]): readonly Issue[] {
  if (issues.length <= maxListed) return issues;
  const inOrder = sortedBy(issues, keyOf);
  const rest = inOrder.slice(maxListed);
  const [{ code, resource }] = rest as [Issue];
  const severity = rest.some((issue) => issue.severity === 'error') ? 'error' : 'warning';
  const message = `${rest.length.toLocaleString('en')} more issues like these are not listed; correct the others first`;
  return [...inOrder.slice(0, maxListed), { code, severity, message, ...(resource === undefined ? {} : { resource }) }];
}

function keyOf({ resource, pointer, code, message }: Issue): string {
  return [resource, pointer, code, message].join('\u0000');
}

function isSame(before: readonly Issue[], after: readonly Issue[]): boolean {
  return (
    before.length === after.length &&
    before.every((issue, index) => {
      const now = after[index] as Issue;
      return keyOf(issue) === keyOf(now) && issue.severity === now.severity;
    })
  );
}
