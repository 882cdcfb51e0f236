import { type Issue, messageOf } from '@policy-machinery/resource';

/** A kind's functions read resources that may be malformed: what one of them throws costs only its own resource. */
export function readSafely<Item>(
  locator: string,
  report: (issue: Issue) => void,
  read: () => readonly Item[],
): readonly Item[] {
  try {
    return read();
  } catch (error) {
    report(unreadable(locator, error));
    return [];
  }
}

/** The issue of a resource about which a function of its kind has thrown something. */
export function unreadable(locator: string, error: unknown): Issue {
  const message = `cannot be read: ${messageOf(error)}; correct the resource`;
  return { code: 'unreadable-resource', severity: 'error', message, resource: locator, pointer: '' };
}
