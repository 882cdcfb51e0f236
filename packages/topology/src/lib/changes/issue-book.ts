import type { Issue } from '@policy-machinery/resource';
import { getOrInsert } from '../support/get-or-insert.ts';
import { isSameList } from '../support/is-same-list.ts';
import { none } from '../support/nothing.ts';
import { sortedBy } from '../support/sorted-by.ts';

/** The sources of issues. The issues of one source are found again together. */
export type IssueSource =
  | 'deletion'
  | 'derived'
  | 'fields'
  | 'sections'
  | 'containers'
  | 'grants'
  | 'links'
  | 'cycles'
  | 'relays'
  | 'policyRefs'
  | 'policies'
  | 'strangers';

/** All issues of a topology, by source and by resource. */
export class IssueBook {
  readonly #bySource = new Map<IssueSource, Map<unknown, readonly Issue[]>>();
  readonly #byResource = new Map<string | undefined, Set<Issue>>();
  #all: readonly Issue[] | undefined;

  /**
   * Sets the issues of a source, in place of earlier ones.
   *
   * @param owner The part of the source that the issues come from.
   * @returns The resources with different issues.
   */
  set(source: IssueSource, owner: unknown, issues: readonly Issue[]): readonly (string | undefined)[] {
    const issuesBefore = this.#bySource.get(source)?.get(owner) ?? none;
    if (issuesBefore.length === 0 && issues.length === 0) return none;
    if (isSameList(issuesBefore, issues, isSame)) return [];
    for (const issue of issuesBefore) this.#byResource.get(issue.resource)?.delete(issue);
    for (const issue of issues) getOrInsert(this.#byResource, issue.resource, () => new Set<Issue>()).add(issue);
    const owners = getOrInsert(this.#bySource, source, () => new Map<unknown, readonly Issue[]>());
    if (issues.length === 0) owners.delete(owner);
    else owners.set(owner, issues);
    for (const { resource } of issuesBefore)
      if (this.#byResource.get(resource)?.size === 0) this.#byResource.delete(resource);
    this.#all = undefined;
    return [...issuesBefore, ...issues].map(({ resource }) => resource);
  }

  /** All issues, in the order of their resources. Of many with one code about one resource, there are the first and the number of others. */
  get all(): readonly Issue[] {
    this.#all ??= sortedBy(
      [...this.#byResource.values()].flatMap((issues) => bounded(issues)),
      keyOf,
    );
    return this.#all;
  }

  about(resource: string): readonly Issue[] {
    return sortedBy(bounded(this.#byResource.get(resource) ?? none), keyOf);
  }
}

/** The maximum number of listed issues of one code about one resource. */
const maxListed = 100;

function bounded(issues: Iterable<Issue>): readonly Issue[] {
  const distinct = [...issues];
  if (distinct.length <= maxListed) return distinct;
  const byCode = new Map<string, Issue[]>();
  for (const issue of distinct) getOrInsert(byCode, issue.code, (): Issue[] => []).push(issue);
  return [...byCode.values()].flatMap(firstOnes);
}

/** Returns the first issues of one code about one resource, and one with the number of others. */
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

function isSame(issue: Issue, current: Issue): boolean {
  return keyOf(issue) === keyOf(current) && issue.severity === current.severity;
}
