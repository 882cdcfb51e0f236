import type { World } from '../model/world.ts';

/** Why an answer is about nothing. */
export interface Emptiness {
  /** `input`: the input is without objects. `policies`: it is without policies that the answer could be about. */
  readonly what: 'input' | 'policies';
  /** In a sentence, with the remedy. */
  readonly message: string;
}

/**
 * Returns why an answer about a world is about nothing; `undefined` if there is something to look at. An empty input is free of findings, but users
 * would read that as a clean result.
 */
export function emptinessOf({ objects, source, topologies, scope: { namespace } }: World): Emptiness | undefined {
  if (objects.length === 0) {
    const message =
      source === undefined
        ? 'The input does not contain Kubernetes objects, so nothing was checked.'
        : 'The cluster does not contain readable Gateway API objects or policies, so nothing was checked.';
    return { what: 'input', message };
  }
  const policies = topologies.flatMap((topology) => [...topology.policies()]);
  const isMeant = ({ resource: { metadata } }: (typeof policies)[number]) =>
    namespace === undefined || metadata.namespace === undefined || metadata.namespace === namespace;
  if (policies.some(isMeant)) return undefined;
  const where = namespace === undefined ? 'the input' : `the namespace ${namespace}`;
  return { what: 'policies', message: `No policies found in ${where}; "kinds" lists the policy kinds.` };
}
