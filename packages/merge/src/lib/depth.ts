import { PolicyMachineryError } from '@policy-machinery/resource';

/** Far deeper than any spec, and far from the end of the call stack. */
const maxDepth = 500;

/** Refuses values with a nesting that would exhaust the call stack. */
export function checkDepth(depth: number): void {
  if (depth > maxDepth) {
    throw new PolicyMachineryError('too-deep', `Specs nested more than ${maxDepth} levels deep cannot be merged`);
  }
}
