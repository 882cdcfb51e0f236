/** The bindings of the manifests whose removal the report examines. */
export const removals: readonly string[] = [
  'placementbinding.policy.open-cluster-management.io:policies/rollout',
  'placementbinding.policy.open-cluster-management.io:policies/production',
];
