/** A part of the sources, and the tests that should find a fault in it. */
export interface Area {
  /** The files, by their paths from the root of the repository. */
  readonly files: RegExp;
  /** What vitest runs, by stages: the next stage runs where the one before finds nothing. */
  readonly stages: readonly (readonly string[])[];
}

const effectivePolicy = 'packages/effective-policy/src/';
const incremental = 'internal/checks/incremental/';
const ofEffectivePolicies = [
  [`${effectivePolicy}lib/`],
  [incremental],
  [`${effectivePolicy}properties/`, `${effectivePolicy}conformance/`, 'packages/policy-status/src/lib/'],
];

function inEffectivePolicy(...folders: readonly string[]): RegExp {
  return new RegExp(`^packages/effective-policy/src/lib/(${folders.join('|')})/[\\w-]+\\.ts$`);
}

/** All areas, by name. */
export const areas: Readonly<Record<string, Area>> = {
  merge: {
    files: /^packages\/merge\/src\/lib\/[\w-]+\.ts$/,
    stages: [['packages/merge/src/'], [effectivePolicy]],
  },
  fold: { files: inEffectivePolicy('fold', 'reasons'), stages: ofEffectivePolicies },
  contexts: { files: inEffectivePolicy('contexts'), stages: ofEffectivePolicies },
  following: { files: inEffectivePolicy('follow', 'levels'), stages: ofEffectivePolicies },
  'status planning': {
    files: /^packages\/policy-status\/src\/lib\/(plan|status)\/[\w-]+\.ts$/,
    stages: [['packages/policy-status/src/lib/'], [incremental], ['packages/policy-status/src/properties/']],
  },
};
