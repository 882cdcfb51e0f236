import type { PolicyNode } from '../model/policy-node.ts';
import type { Dependent } from '../references/dependents.ts';

/** A policy of a topology. */
export interface AttachedPolicy extends Dependent {
  node: PolicyNode;
}
