import type { Issue, ObjectFault } from '@policy-machinery/resource';
import { unreadable } from '../model/read-safely.ts';
import { none } from '../support/nothing.ts';
import type { WholeTarget } from '../targets/target.ts';
import type { ChangeInProgress } from './change-in-progress.ts';
import type { TopologyState } from './topology-state.ts';

/** The maximum number of fields reported for one resource. A tenant may write any number of fields that cannot be read. */
const maxReported = 16;

/** After a change of more resources, fields are checked when issues are read: after a load they seldom are. */
const maxReadAtOnce = 1000;

/** Returns whether a change is too large to check fields at once. If a kind is both target and policy, all are: statuses of policies need them. */
export function leavesFieldsUnread(
  { kinds }: TopologyState,
  { resources }: Pick<ChangeInProgress, 'resources'>,
): boolean {
  return resources.size > maxReadAtOnce && !kinds.areBoth;
}

/** Finds the fields of one resource that was not checked yet. */
export function readFieldsOf(state: TopologyState, locator: string): void {
  const object = state.areFieldsUnread ? state.target(locator)?.object : undefined;
  if (object !== undefined) state.issues.set('fields', object, fieldIssues(object));
}

/** Finds the fields of all resources that were not checked yet. */
export function readAllFields(state: TopologyState): void {
  if (!state.areFieldsUnread) return;
  state.areFieldsUnread = false;
  for (const object of state.namespaces.of()) state.issues.set('fields', object, fieldIssues(object));
}

/** Returns the issues of the fields of a resource that its kind cannot read. */
export function fieldIssues({ locator, resource, kind }: WholeTarget): readonly Issue[] {
  try {
    const faults = kind.faults?.(resource) ?? none;
    return faults.length === 0 ? none : issuesOf(faults, locator);
  } catch (error) {
    return [unreadable(locator, error)];
  }
}

function issuesOf(faults: readonly ObjectFault[], resource: string): readonly Issue[] {
  const unreported = faults.length - maxReported;
  const more = {
    pointer: '',
    message: `${unreported} more fields cannot be read; correct those that are reported first`,
  };
  const reported = unreported > 0 ? [...faults.slice(0, maxReported), more] : faults;
  return reported.map(({ message, pointer }) => ({
    code: 'unreadable-field',
    severity: 'error',
    message,
    resource,
    pointer,
  }));
}
