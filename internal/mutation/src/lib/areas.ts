/** A part of the sources, and the tests that should find a fault in it. */
export interface Area {
  /** Where the files are, from the root of the repository. */
  readonly folders: readonly string[];
  /** What vitest runs, by stages: the next stage runs where the one before finds nothing. Quick tests come first. */
  readonly stages: readonly (readonly string[])[];
}

const effectivePolicy = 'packages/effective-policy/src';
const policyStatus = 'packages/policy-status/src';
const incremental = 'internal/checks/incremental/';
const ofEffectivePolicies = [
  [`${effectivePolicy}/lib/`, `${effectivePolicy}/conformance/`],
  [`${policyStatus}/lib/`],
  [`${effectivePolicy}/properties/`],
  [incremental],
];

/** All areas, by name. */
export const areas: Readonly<Record<string, Area>> = {
  merge: {
    folders: ['packages/merge/src/lib'],
    stages: [['packages/merge/src/'], [`${effectivePolicy}/lib/`, `${effectivePolicy}/conformance/`]],
  },
  fold: {
    folders: [`${effectivePolicy}/lib/fold`, `${effectivePolicy}/lib/reasons`],
    stages: ofEffectivePolicies,
  },
  contexts: { folders: [`${effectivePolicy}/lib/contexts`], stages: ofEffectivePolicies },
  following: {
    folders: [`${effectivePolicy}/lib/follow`, `${effectivePolicy}/lib/levels`],
    stages: ofEffectivePolicies,
  },
  'status planning': {
    folders: [`${policyStatus}/lib/plan`, `${policyStatus}/lib/status`],
    stages: [[`${policyStatus}/lib/`], [`${policyStatus}/properties/`], [incremental]],
  },
};
