/** The profiles that `--dialect` can choose, as text: help does not load the profiles themselves. */
export const profilesText = `Profiles for --dialect:
  gep713                defaults, overrides or a bare spec; the policy selects atomic or patch
  gep713-experimental   default and override in one policy, merged field by field
  kuadrant              defaults and overrides, atomic or rule by rule
  kgateway              top-level fields by weight, then age; the parent decides who prevails
  envoy-gateway         the more specific policy replaces its parent, or is merged by its mergeType
  nginx-gateway-fabric  field by field; policies coexist if no field is set twice
  agentgateway          fields of frontend, traffic and backend, by specificity
  gloo                  fields of options; parent routes prevail by default
  additive              all policies count, and none loses a field
  none                  the oldest policy on a target is in force, others are in conflict
  atomic                the most specific policy replaces all others as a whole
  patch                 more specific policies replace fields of less specific ones`;
