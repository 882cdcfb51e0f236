/** A part of the sources, and the tests that should find a fault in it. */
export interface Area {
  /** Folders with their subfolders, or single files, from the root of the repository. */
  readonly sources: readonly string[];
  /** What vitest runs, by stages: the next stage runs where the one before finds nothing. Quick tests come first. */
  readonly stages: readonly (readonly string[])[];
}

const effectivePolicy = 'packages/effective-policy/src';
const topology = 'packages/topology/src';
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
    sources: ['packages/merge/src/lib'],
    stages: [['packages/merge/src/'], [`${effectivePolicy}/lib/`, `${effectivePolicy}/conformance/`]],
  },
  fold: {
    sources: [`${effectivePolicy}/lib/fold`, `${effectivePolicy}/lib/reasons`],
    stages: ofEffectivePolicies,
  },
  contexts: { sources: [`${effectivePolicy}/lib/contexts`], stages: ofEffectivePolicies },
  following: {
    sources: [`${effectivePolicy}/lib/follow`, `${effectivePolicy}/lib/levels`],
    stages: ofEffectivePolicies,
  },
  'status planning': {
    sources: [`${policyStatus}/lib/plan`, `${policyStatus}/lib/status`],
    stages: [[`${policyStatus}/lib/`], [`${policyStatus}/properties/`], [incremental]],
  },
  relays: {
    sources: [
      `${topology}/lib/references`,
      `${topology}/lib/changes/renew-relays.ts`,
      `${topology}/lib/changes/renew-links.ts`,
      `${topology}/lib/changes/renew-links-between.ts`,
    ],
    stages: [[`${topology}/`], ['packages/gateway-api/src/lib/attachment/'], [incremental]],
  },
  'gateway-api': {
    sources: ['packages/gateway-api/src/lib'],
    stages: [['packages/gateway-api/src/'], [`${effectivePolicy}/conformance/`]],
  },
  'known-kinds': {
    sources: ['packages/known-kinds/src/lib'],
    stages: [['packages/known-kinds/src/'], ['internal/field/src/']],
  },
  cluster: {
    sources: ['packages/cluster/src/lib'],
    stages: [['packages/cluster/src/'], ['packages/controller/src/']],
  },
  controller: {
    sources: ['packages/controller/src/lib'],
    stages: [['packages/controller/src/'], ['packages/admission/src/']],
  },
  report: { sources: ['packages/report/src/lib'], stages: [['packages/report/src/']] },
  guarantees: {
    sources: ['packages/guarantees/src/lib'],
    stages: [['packages/guarantees/src/lib/'], ['packages/guarantees/src/properties/']],
  },
  admission: { sources: ['packages/admission/src/lib'], stages: [['packages/admission/src/']] },
  cli: { sources: ['packages/cli/src/lib'], stages: [['packages/cli/src/']] },
};
