import { type GroupKind, groupKindOf, type Issue, type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import type { Kinds } from '../model/kinds.ts';
import type { IssueBook } from './issue-book.ts';

/** An ignored resource of a kind with the name of a policy kind. */
export interface Stranger {
  readonly locator: string;
  readonly kind: GroupKind;
}

/** Returns a resource of an unknown kind, if a policy kind of the same name suggests a mistake. */
export function strangerIn(resource: KubernetesObject, kinds: Kinds): Stranger | undefined {
  const kind = groupKindOf(resource);
  return kinds.policiesNamed(kind.kind).length === 0 ? undefined : { locator: locatorOf(resource), kind };
}

/** The ignored resources that look like policies, with one issue for each kind. */
export class Strangers {
  readonly #kinds: Kinds;
  readonly #issues: IssueBook;
  readonly #byKind = new Map<string, { readonly kind: GroupKind; readonly locators: Set<string> }>();

  constructor(kinds: Kinds, issues: IssueBook) {
    this.#kinds = kinds;
    this.#issues = issues;
  }

  /** All of these resources, in no order. */
  get all(): readonly Stranger[] {
    return [...this.#byKind.values()].flatMap(({ kind, locators }) =>
      Array.from(locators, (locator) => ({ locator, kind })),
    );
  }

  /** Applies a change. O(change), or O(1) without such resources. */
  change(removed: Iterable<string>, come: Iterable<Stranger>): void {
    if (this.#byKind.size > 0) for (const locator of removed) this.#remove(locator);
    const changed = new Set<string>();
    for (const { locator, kind } of come) {
      this.#remove(locator);
      const key = JSON.stringify([kind.group, kind.kind]);
      const entry = this.#byKind.get(key) ?? { kind, locators: new Set() };
      this.#byKind.set(key, entry);
      entry.locators.add(locator);
      changed.add(key);
    }
    for (const key of changed) this.#reportIssue(key);
  }

  #remove(locator: string): void {
    for (const [key, { locators }] of this.#byKind) if (locators.delete(locator)) this.#reportIssue(key);
  }

  #reportIssue(key: string): void {
    const entry = this.#byKind.get(key);
    if (entry === undefined) return;
    const { kind, locators } = entry;
    const issues = locators.size === 0 ? [] : [this.#issue(kind, locators.size)];
    this.#issues.set('strangers', key, issues);
    if (locators.size === 0) this.#byKind.delete(key);
  }

  #issue({ group, kind }: GroupKind, count: number): Issue {
    const similar = this.#kinds.policiesNamed(kind).map((it) => `${it.kind} in "${it.group}"`);
    const resources = count === 1 ? '1 resource' : `${count} resources`;
    const are = count === 1 ? 'is ignored: correct its' : 'are ignored: correct their';
    const message = `${resources} of kind ${kind} in the group "${group}" ${are} apiVersion, because policyKinds has ${similar.join(' and ')}, or add this kind`;
    return { code: 'unknown-group', severity: 'warning', message };
  }
}
