/** The bindings of the manifests whose removal is asked for. */
export const removals: readonly string[] = [
  'placementbinding.policy.open-cluster-management.io:policies/rollout',
  'placementbinding.policy.open-cluster-management.io:policies/production',
];
