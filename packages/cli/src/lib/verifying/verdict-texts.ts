import type { Counterexample } from '@policy-machinery/guarantees';
import { formatPath, formatTarget } from '@policy-machinery/topology';

/** Describes the common properties of requests with the cause of a counterexample. */
export function causeText({ cause, classes, isWhole }: Counterexample): string {
  return `${isWhole ? 'all' : 'some'} requests of ${formatTarget(cause)}${classes === 1 ? '' : `, in ${classes} classes`}`;
}

/** Says which way the request of a counterexample takes. */
export function pathText({ path }: Counterexample): string {
  return formatPath(path);
}
