import type { PolicyNode } from '../model/policy-node.ts';
import type { Asker } from '../references/dependents.ts';

/** A policy, as the topology keeps it. */
export interface AttachedPolicy extends Asker {
  readonly locator: string;
  node: PolicyNode;
}
