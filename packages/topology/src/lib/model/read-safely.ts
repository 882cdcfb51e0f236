import { type Issue, messageOf } from '@policy-machinery/resource';

/** Calls a function of a kind, which reads resources that may be malformed. If it throws, that is an issue, and only that resource is left out. */
export function readSafely<Item>(locator: string, issues: Issue[], read: () => readonly Item[]): readonly Item[] {
  try {
    return read();
  } catch (error) {
    issues.push(unreadable(locator, error));
    return [];
  }
}

/** Returns the issue of a resource if a function of its kind throws for it. */
export function unreadable(locator: string, error: unknown): Issue {
  const message = `cannot be read: ${messageOf(error)}; correct the resource`;
  return { code: 'unreadable-resource', severity: 'error', message, resource: locator, pointer: '' };
}
